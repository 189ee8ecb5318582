package dev.stormproof.alert;

/** A record of an alerts topic: a published finding, or an operator's acceptance of one. */
public sealed interface AlertsRecord permits Alert, Acceptance {
    /** Identifies the subject: the alert's id, and the topic's if that is known. */
    String subject();
}
