package dev.stormproof.task.output;

/** The decision on an event that the transform fails on in every attempt. */
public enum OnError {
    /** The output of the partition stands until somebody releases it. */
    HALT,
    /** The event goes to the topic of diverted events, and a marker takes its place. */
    DIVERT
}
