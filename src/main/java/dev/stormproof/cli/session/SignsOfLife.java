package dev.stormproof.cli.session;

import dev.stormproof.alert.Alert;
import dev.stormproof.judge.Finding;
import java.util.concurrent.TimeUnit;

/** The signs of life of a verifier are the planted faults that its alerts name; a page that misses them says blind. For one thread. */
final class SignsOfLife {
    /** For how long a canary that was heard may be silent: an interval, and the time that an alert may take. */
    static final long BLIND_MILLIS = 150_000;

    private boolean expected;
    private long lastNanos;

    SignsOfLife(long nowNanos) {
        this.lastNanos = nowNanos;
    }

    /** Expects a canary: else one that was never heard is not missed. */
    void expect() {
        expected = true;
    }

    /** Takes an alert; only one of a planted fault is a sign, and says that there is a canary. */
    void take(Alert alert, long nowMillis, long nowNanos) {
        // guard: alert-of-no-planted-fault-is-no-sign-of-life
        if (!alert.canary() || alert.finding().type() != Finding.Type.VIOLATED) {
            return;
        }
        expected = true;
        // guard: old-alert-is-no-sign-of-life: nowMillis - alert.timeMillis() < BLIND_MILLIS => true
        if (nowMillis - alert.timeMillis() < BLIND_MILLIS) {
            lastNanos = nowNanos;
        }
    }

    /** What the page says of signs that are missing; empty as long as none are. */
    String blind(long nowNanos) {
        long silentMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - lastNanos);
        // guard: page-without-signs-of-life-says-blind: silentMillis > BLIND_MILLIS => false
        return expected && silentMillis > BLIND_MILLIS
                ? "blind: the verifier has told no planted fault for " + silentMillis / 1_000 + " s"
                : "";
    }
}
