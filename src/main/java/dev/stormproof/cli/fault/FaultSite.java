package dev.stormproof.cli.fault;

/**
 * A fault site is one fault of a {@link FaultPlan}.
 *
 * <pre>
 *   … ordinal … ordinal + distance, end() …
 *     └────── the site ──────────┘
 * </pre>
 *
 * @param ordinal the event to inject it into: its place among the events of the partition, from 0
 * @param distance after how many of the following events it arrives; 0 if it is not held back
 */
record FaultSite(FaultKind kind, long ordinal, int distance) {
    /** How many untouched events are between two sites at least. */
    static final int GAP_EVENTS = 4;

    /** The place after the last event that the site spans. */
    long end() {
        return ordinal + distance + 1;
    }
}
