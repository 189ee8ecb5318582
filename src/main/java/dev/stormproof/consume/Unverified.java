package dev.stormproof.consume;

/**
 * The reason why a record that the verified progress has passed is not verified.
 *
 * @param alertId the {@code alertId} of the alert that says so; empty if none does
 * @param why what is known of it, for a person
 * @param endOffset the offset behind the interval that it belongs to; behind the record itself, if that is unknown
 */
record Unverified(String alertId, String why, long endOffset) {}
