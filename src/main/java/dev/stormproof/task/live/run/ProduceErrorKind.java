package dev.stormproof.task.live.run;

import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.ConcurrentTransactionsException;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotCoordinatorException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionCoordinatorFencedException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * A record of the output that was not written, and the cause.
 *
 * @param input the partition that it was made of
 * @param offset the offset there
 * @param writtenMillis the record's timestamp; -1 if none
 * @param place its destination; partition {@value #ANY_PARTITION} if the producer chooses
 */
public record ProduceErrorKind(
        TopicPartition input, long offset, long writtenMillis, TopicPartition place, Cause cause, String why) {
    static final int ANY_PARTITION = -1;

    public enum Cause {
        /** The record: another attempt fails as well. */
        RECORD,
        /** Probably its topic or partition: another record would fail there, too. */
        PARTITION,
        /** Neither: the producer, the way to the brokers, or another record of the transaction. */
        OTHER
    }

    /**
     * The cause of a failure to write a record.
     *
     * @param answered whether a timeout is the partition's: other records were written, or the producer has no metadata of it
     */
    public static Cause causeOf(Throwable failure, boolean answered) {
        if (isOfRecord(failure)) {
            return Cause.RECORD;
        }
        if (failure instanceof TimeoutException) {
            return answered && !(failure instanceof BufferExhaustedException) ? Cause.PARTITION : Cause.OTHER;
        }
        return failure instanceof ApiException && !isOfProducer(failure) ? Cause.PARTITION : Cause.OTHER;
    }

    private static boolean isOfRecord(Throwable failure) {
        return failure instanceof RecordTooLargeException
                || failure instanceof RecordBatchTooLargeException
                || failure instanceof InvalidTimestampException
                || failure instanceof InvalidRecordException
                || failure instanceof CorruptRecordException
                || failure instanceof SerializationException
                || failure instanceof PolicyViolationException
                || failure instanceof UnsupportedForMessageFormatException
                || failure instanceof UnsupportedCompressionTypeException
                || failure instanceof IllegalArgumentException;
    }

    /** A failure of the producer, its transaction or its connections, which every record of the transaction gets. */
    private static boolean isOfProducer(Throwable failure) {
        return failure instanceof TransactionAbortedException
                || failure instanceof TransactionAbortableException
                || failure instanceof ProducerFencedException
                || failure instanceof InvalidProducerEpochException
                || failure instanceof InvalidPidMappingException
                || failure instanceof InvalidTxnStateException
                || failure instanceof ConcurrentTransactionsException
                || failure instanceof TransactionCoordinatorFencedException
                || failure instanceof CoordinatorNotAvailableException
                || failure instanceof CoordinatorLoadInProgressException
                || failure instanceof NotCoordinatorException
                || failure instanceof TransactionalIdAuthorizationException
                || failure instanceof ClusterAuthorizationException
                || failure instanceof GroupAuthorizationException
                || failure instanceof AuthenticationException
                || failure instanceof UnsupportedVersionException
                || failure instanceof NetworkException
                || failure instanceof DisconnectException;
    }
}
