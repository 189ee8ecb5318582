/** The sessions that commands start: a run, an audit, a comparison; and what they reach of Kafka. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.session;
