package dev.stormproof.side;

import org.apache.kafka.common.KafkaException;

/** One of the two logs was truncated or written anew while they were read as one: what was placed may lie elsewhere now. */
public final class ChangedLogException extends KafkaException {
    private static final long serialVersionUID = 1L;

    ChangedLogException(String message) {
        super(message);
    }
}
