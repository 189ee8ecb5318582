package dev.stormproof.task.output;

/** What a held output does with events that were judged and are not verified. */
public enum OnViolation {
    /** The output of the partition halts before them until an operator releases them. */
    HALT,
    /** They are left out. */
    SKIP,
    /** They are written with a header that says so. */
    MARK
}
