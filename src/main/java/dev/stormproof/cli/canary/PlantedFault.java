package dev.stormproof.cli.canary;

/**
 * A fault in the log: one event of a stream that never arrived.
 *
 * @param name of the stream's emitter, which no other has
 * @param sequence of the lost event
 */
public record PlantedFault(String name, int partition, long sequence) {}
