package dev.stormproof.verify.judge;

/**
 * A stretch of the way from the emitter to the log that is judged, on which an anomaly came about.
 *
 * <pre>
 *   emitter ──► origin's log ──► transform reads, makes, signs ──► this log
 *   │           │                │                   │             │
 *   └before-origin               └──── transform ────┘             │
 *   └────── before-transform ────┘                   └after-transform
 *               └───────────────── between-logs ───────────────────┘
 *   └───────────────────────── log, unknown ───────────────────────┘
 * </pre>
 */
public enum Hop {
    /** Anywhere before this log was read: no other log was read. */
    LOG,
    /** The origin's log shows it as well. */
    BEFORE_ORIGIN,
    /** The origin's log does not show it. */
    BETWEEN_LOGS,
    /** The transform read it so; the origin's log is unknown. */
    BEFORE_TRANSFORM,
    /** The origin's log does not show it, and the transform signed it so. */
    TRANSFORM,
    /** After the transform signed it. */
    AFTER_TRANSFORM,
    /** On more than one of these. */
    SEVERAL,
    /** The origin's log could not be read, or no longer holds the interval. */
    UNKNOWN
}
