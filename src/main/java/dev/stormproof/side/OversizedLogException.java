package dev.stormproof.side;

import org.apache.kafka.common.KafkaException;

/** A side topic holds more checkpoints of a partition than are placed; the message says what to do. */
public final class OversizedLogException extends KafkaException {
    private static final long serialVersionUID = 1L;

    OversizedLogException(String message) {
        super(message);
    }
}
