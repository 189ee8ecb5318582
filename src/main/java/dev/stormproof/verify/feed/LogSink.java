package dev.stormproof.verify.feed;

/** A receiver of a log's records, each once and in order, and of the changes of the log itself. */
public interface LogSink {
    void take(Read read);

    /** True if the sink needs the records' content. */
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

    /** Notes that every record that the log held at a time was handed over. */
    void caughtUp(long asOfMillis);

    int room();
}
