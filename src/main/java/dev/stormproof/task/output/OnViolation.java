package dev.stormproof.task.output;

/** The decision on events that were judged and are not verified, in an output that holds back what is not. */
public enum OnViolation {
    /** The output of the partition stands before them until somebody releases them. */
    HALT,
    /** They are left out. */
    SKIP,
    /** They are written with a header that says so. */
    MARK
}
