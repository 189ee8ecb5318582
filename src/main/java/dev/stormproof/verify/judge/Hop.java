package dev.stormproof.verify.judge;

/**
 * A stretch of the way from the emitter to the log that is judged, on which an anomaly came about.
 *
 * <pre>
 *   emitter ──► origin's log ──► transform reads, makes, signs ──► this log
 *   │           │                │                   │             │
 *   └before-origin               └──── transform ────┘             │
 *   └────── before-transform ────┘                   └behind-transform
 *               └───────────────── between-logs ───────────────────┘
 *   └───────────────────────── log, unknown ───────────────────────┘
 * </pre>
 */
public enum Hop {
    /** Before this log was read; no other log was asked. */
    LOG,
    /** The origin's log shows it as well. */
    BEFORE_ORIGIN,
    /** The origin's log does not show it. */
    BETWEEN_LOGS,
    /** It was so when the transform read it; what the origin's log shows is unknown. */
    BEFORE_TRANSFORM,
    /** Between the origin's log, which does not show it, and the signature of the transform, which does. */
    TRANSFORM,
    /** Since the transform signed it. */
    BEHIND_TRANSFORM,
    /** On more than one of these. */
    SEVERAL,
    /** The origin's log could not be asked, or does not hold the interval any more. */
    UNKNOWN
}
