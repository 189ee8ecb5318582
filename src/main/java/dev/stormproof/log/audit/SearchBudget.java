package dev.stormproof.log.audit;

/**
 * The budget of one partition for searching back, in records and in bytes that are really read: it holds what one audit may need,
 * and is refilled with time.
 *
 * <pre>
 *   full ──what audits read far up──► less ──► spent: searches end, until time has refilled it
 *     ▲          a little for each interval ──┘
 *     └──────────────── time ◄───────────────────┘
 * </pre>
 *
 * <p>What is spent is known once it was read, so that it may owe one step of a search. Not thread-safe: it goes from thread to
 * thread with the partition's only job.
 */
public final class SearchBudget {
    /** How many records are read at once, if nothing was searched for a while. */
    static final long MAX_RECORDS = 2_000_000;

    /** How many bytes, as {@link PartitionReader#scan} counts them. */
    static final long MAX_BYTES = 2L << 30;

    /** After how long it is full again. */
    static final long MAX_REFILL_MILLIS = 50_000;

    /** How many records are added for each interval of whose stream nothing is known: many at once share what they read. */
    static final long MAX_RECORDS_OF_ONE = 8_192;

    private final boolean limited;
    private long records = MAX_RECORDS;
    private long bytes = MAX_BYTES;
    private long refilledMillis = Long.MIN_VALUE;

    private SearchBudget(boolean limited) {
        this.limited = limited;
    }

    /** The budget of a partition that is verified as it is written. */
    public static SearchBudget ofPartition() {
        return new SearchBudget(true);
    }

    /** No bound beyond those of each audit, so that what is found depends on the log alone. */
    public static SearchBudget unlimited() {
        return new SearchBudget(false);
    }

    /** Adds what the time since the last call allows. */
    public void refill(long nowMillis) {
        long since = refilledMillis == Long.MIN_VALUE
                ? MAX_REFILL_MILLIS
                : Math.min(MAX_REFILL_MILLIS, nowMillis - refilledMillis);
        if (since > 0) {
            records = Math.min(MAX_RECORDS, records + MAX_RECORDS * since / MAX_REFILL_MILLIS);
            bytes = Math.min(MAX_BYTES, bytes + MAX_BYTES * since / MAX_REFILL_MILLIS);
        }
        refilledMillis = nowMillis;
    }

    /** Adds what one more interval may have searched. */
    void admit() {
        records = Math.min(MAX_RECORDS, records + MAX_RECORDS_OF_ONE);
    }

    void take(long readRecords, long readBytes) {
        records -= readRecords;
        bytes -= readBytes;
    }

    boolean isLimited() {
        return limited;
    }

    boolean isSpent() {
        return limited && (records <= 0 || bytes <= 0);
    }
}
