package dev.stormproof.alert;

/** A record of an alerts topic is a finding that is told, or an operator's word on one. */
public sealed interface AlertsRecord permits Alert, Acceptance {
    /** What tells the subject from others: the alert's id, and the topic's if that is known. */
    String subject();
}
