package dev.stormproof.alert;

import java.time.Instant;

/** The time of a record in alerts, in ISO 8601 and UTC, if it is in [1970, 10000). Others, which a forger may write, are left out. */
final class WrittenTime {
    private static final long END_MILLIS =
            Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

    private WrittenTime() {}

    /** The time as text; empty if it is left out. */
    static String text(long millis) {
        return millis >= 0 && millis <= END_MILLIS
                ? Instant.ofEpochMilli(millis).toString()
                : "";
    }
}
