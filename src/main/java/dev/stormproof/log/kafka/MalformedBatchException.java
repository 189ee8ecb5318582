package dev.stormproof.log.kafka;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** The failure to read a record batch, with its place in the log: the bytes are not what a broker may hand over. */
public final class MalformedBatchException extends KafkaException {
    private static final long serialVersionUID = 1L;

    /**
     * @param batchOffset the offset that the batch states for its first record
     * @param fault which field is at fault, with what it holds and what it should
     */
    MalformedBatchException(TopicPartition partition, long batchOffset, String fault, Throwable cause) {
        super(partition + " cannot be read, batch at offset " + batchOffset + ": " + fault, cause);
    }

    MalformedBatchException(TopicPartition partition, long batchOffset, String fault) {
        super(partition + " cannot be read, batch at offset " + batchOffset + ": " + fault);
    }

    /** A fault within a batch, by which is not yet said where that lies. */
    static final class Fault extends Exception {
        private static final long serialVersionUID = 1L;

        private final String text;

        Fault(String text) {
            super(text);
            this.text = text;
        }

        String text() {
            return text;
        }
    }
}
