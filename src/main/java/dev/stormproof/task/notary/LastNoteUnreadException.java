package dev.stormproof.task.notary;

import org.apache.kafka.common.KafkaException;

/**
 * The last note of a tree is hidden by an open transaction, or gone. The tree waits: a notary that continues an older note begins a second
 * chain.
 */
public final class LastNoteUnreadException extends KafkaException {
    private static final long serialVersionUID = 1;

    LastNoteUnreadException(String message) {
        super(message);
    }
}
