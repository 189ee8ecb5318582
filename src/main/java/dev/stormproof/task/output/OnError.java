package dev.stormproof.task.output;

/** What to do with an event on which the transform fails in every attempt. */
public enum OnError {
    /** The output of the partition halts until an operator releases it. */
    HALT,
    /** The event goes to the topic of diverted events, and a marker takes its place. */
    DIVERT
}
