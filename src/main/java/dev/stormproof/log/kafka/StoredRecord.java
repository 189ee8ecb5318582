package dev.stormproof.log.kafka;

import dev.stormproof.proof.sign.ByteSlice;

/** A record as it lies in a batch: good until its taker returns, who copies what he keeps. */
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

    /** When it was written, in milliseconds since 1970, by the producer's clock or the broker's, as the topic is configured. */
    long timestampMillis();

    /** The leader epoch under which it was written; -1 if unknown. */
    int leaderEpoch();

    ByteSlice key();

    ByteSlice value();

    int headerCount();

    /** Hands over its headers, in order. */
    void forEachHeader(HeaderTaker taker);

    /** How many records it stands for that are too large to be read; 0 of one that was read. */
    long unreadCount();
}
