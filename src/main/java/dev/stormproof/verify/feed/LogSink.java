package dev.stormproof.verify.feed;

/** The receiver of a log: takes its records in order, each once, and hears when the log itself changes. */
public interface LogSink {
    /** Takes the next record of the log. */
    void take(Read read);

    /** True if records are to come with their content. */
    boolean takesContent();

    /**
     * The log was truncated, and holds other records from an offset on.
     *
     * @return the offset from which to read again, at most {@code offset}
     */
    long truncated(long offset);

    /**
     * The records before an offset expired before all of them were read; the log goes on from there.
     *
     * @param beginOffset the first record that may not have been read
     */
    void expired(long beginOffset, long endOffset);

    /** Every record that the log held at a time was handed over. */
    void caughtUp(long asOfMillis);

    /** How many records it can take now. */
    int room();
}
