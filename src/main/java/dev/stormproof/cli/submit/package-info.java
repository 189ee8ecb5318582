/** The command that checks a configuration and submits the topology to a Storm cluster. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.submit;
