package dev.stormproof.log.kafka;

import dev.stormproof.log.audit.PartitionReader;
import java.util.function.Predicate;

/** A reader of one partition that also hands over unparsed records. */
public interface StoredRecordReader extends PartitionReader {
    /**
     * Does what {@link #scan} does, without a look into the records.
     *
     * @param taker takes the next record, or those in a row that are too large; false if no more are wanted
     */
    long scanStored(long beginOffset, long endOffset, Predicate<StoredRecord> taker) throws ExpiredRangeException;
}
