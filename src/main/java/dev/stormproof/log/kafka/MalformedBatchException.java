package dev.stormproof.log.kafka;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Thrown if the bytes of a record batch are not what a broker may send; the message has its place in the log. */
public final class MalformedBatchException extends KafkaException {
    private static final long serialVersionUID = 1L;

    /**
     * @param batchOffset the offset that the batch states for its first record
     * @param fault the faulty field, its content and the expected one
     */
    MalformedBatchException(TopicPartition partition, long batchOffset, String fault, Throwable cause) {
        super(partition + " cannot be read, batch at offset " + batchOffset + ": " + fault, cause);
    }

    MalformedBatchException(TopicPartition partition, long batchOffset, String fault) {
        super(partition + " cannot be read, batch at offset " + batchOffset + ": " + fault);
    }

    /** A fault within a batch, without the batch's place in the log. */
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
