/** The embedded default: a broker and a cluster in this JVM. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.local;
