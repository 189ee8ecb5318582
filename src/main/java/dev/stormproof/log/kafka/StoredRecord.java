package dev.stormproof.log.kafka;

import dev.stormproof.proof.sign.ByteSlice;

/** A record as it is in a batch, valid until its taker returns: the taker copies what it keeps. */
public interface StoredRecord {
    /** A taker of headers. */
    interface HeaderTaker {
        /**
         * Takes the next header.
         *
         * @param array holds its name, {@code [nameBegin, nameBegin + nameBytes)}, and its value
         * @param valueBytes the size of its value, which begins at {@code valueBegin}; negative if it is null
         */
        void take(byte[] array, int nameBegin, int nameBytes, int valueBegin, int valueBytes);
    }

    long offset();

    /** When it was written, in milliseconds since 1970, by the producer's or the broker's clock, as the topic is configured. */
    long timestampMillis();

    /** The leader epoch under which it was written; -1 if unknown. */
    int leaderEpoch();

    ByteSlice key();

    ByteSlice value();

    int headerCount();

    void forEachHeader(HeaderTaker taker);

    /** How many records too large to be read it stands for; 0 if it was read. */
    long unreadCount();
}
