package dev.stormproof.cli.session;

import dev.stormproof.alert.Alert;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The signs of life of a verifier are the planted faults that its alerts name; a page that misses them says blind. For one thread.
 *
 * <p>A canary that plants one fault, and no more, is none to be missed: two of one run say that it goes on. How often it plants is
 * measured in the first partition that was heard of; a verifier that was away for long makes one pause long, so the shorter of two counts.
 */
final class VerifierHealth {
    /** For how long a canary that was heard may be silent: an interval, and the time that an alert may take. */
    static final long BLIND_MILLIS = 150_000;

    /** A canary whose alerts are all older than the page, and the last one by so much, was taken down. */
    private static final long FORGOTTEN_MILLIS = TimeUnit.DAYS.toMillis(1);

    /** So many intervals take as long as {@link #BLIND_MILLIS} if they are of a minute. */
    private static final double INTERVALS = 2.5;

    /** As a canary names the emitter of each fault. */
    private static final Pattern FAULT = Pattern.compile("(canary-.+)-([0-9]{1,18})");

    private boolean expected;
    private long lastNanos;
    /** The partition whose pauses are measured. */
    private @Nullable PartitionId partition;

    private String run = "";
    private long number;
    private long reportedMillis;
    private long pauseMillis;
    private long pauseBeforeMillis;

    VerifierHealth(long nowNanos) {
        this.lastNanos = nowNanos;
    }

    /** Expects a canary: else one that was never heard is not missed. */
    void expect() {
        expected = true;
    }

    /**
     * Takes an alert; only one of a planted fault is a sign, and the second of a run says that there is a canary.
     *
     * @param isNew whether it was written since the page is there; its own time is by another clock
     */
    void take(Alert alert, boolean isNew, long nowMillis, long nowNanos) {
        if (!alert.canary() || alert.finding().type() != Finding.Type.VIOLATED) {
            return;
        }
        if (isNew) {
            lastNanos = nowNanos;
        }
        if (partition == null) {
            partition = alert.finding().partition();
        }
        if (alert.finding() instanceof Violated violated && violated.partition().equals(partition)) {
            Matcher fault = FAULT.matcher(violated.interval().emitterName());
            if (fault.matches() && goesOn(fault, alert.timeMillis())) {
                expected |= isNew || nowMillis - alert.timeMillis() < FORGOTTEN_MILLIS;
            }
        }
    }

    /** Takes the next fault of the partition; true if it is a later one of the same run. */
    private boolean goesOn(Matcher fault, long millis) {
        long next = Long.parseLong(fault.group(2));
        boolean same = fault.group(1).equals(run);
        if (same && next <= number) {
            return false; // Its verdict, or the one after it.
        }
        // One that was started again has the pauses of before.
        if (same) {
            pauseBeforeMillis = pauseMillis > 0 ? pauseMillis : Long.MAX_VALUE;
            pauseMillis = millis - reportedMillis;
        }
        run = fault.group(1);
        number = next;
        reportedMillis = millis;
        return same;
    }

    /** The text for the page if signs of life are missing; else empty. */
    String blind(long nowNanos) {
        long silentMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - lastNanos);
        long allowedMillis = Math.max(BLIND_MILLIS, (long) (INTERVALS * Math.min(pauseMillis, pauseBeforeMillis)));
        return expected && silentMillis > allowedMillis
                ? "blind: the verifier has reported no planted fault for " + silentMillis / 1_000 + " s"
                : "";
    }
}
