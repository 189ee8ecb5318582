package dev.stormproof.cli.fault;

/**
 * An injected fault describes the damage as the log shows it.
 *
 * @param sequence the damaged event; in format 1, where events have no sequence, its place among the events
 *     of the partition, from 0
 * @param otherSequence for a swap the second of the two events; else -1
 * @param emitter the emitter of the event's stream; 0 in format 1
 */
public record InjectedFault(
        FaultKind kind, String topic, int partition, long sequence, long otherSequence, long emitter) {}
