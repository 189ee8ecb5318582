package dev.stormproof.log.kafka;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * The answer of a broker to a fetch: whole batches, and maybe a part of one more.
 *
 * @param bytes the batches, in an array
 * @param aborted the aborted transactions among them; empty if the reader reads uncommitted records
 */
record FetchedRecords(ByteBuffer bytes, List<Aborted> aborted) {
    FetchedRecords {
        aborted = List.copyOf(aborted);
    }

    /**
     * An aborted transaction.
     *
     * @param firstOffset where it begins, by all that is known
     */
    record Aborted(long producerId, long firstOffset) {}
}
