/** The embedded default: a broker and a cluster in this JVM. */
@NullMarked
package dev.stormproof.local;

import org.jspecify.annotations.NullMarked;
