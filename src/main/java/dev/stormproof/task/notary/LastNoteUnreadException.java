package dev.stormproof.task.notary;

import org.apache.kafka.common.KafkaException;

/**
 * A failure says that the last note of a tree is hidden by an open transaction, or gone. The tree waits: whoever continues an older note
 * begins a second chain.
 */
public final class LastNoteUnreadException extends KafkaException {
    private static final long serialVersionUID = 1;

    LastNoteUnreadException(String message) {
        super(message);
    }
}
