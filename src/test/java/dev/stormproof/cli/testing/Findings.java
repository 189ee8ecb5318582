package dev.stormproof.cli.testing;

import dev.stormproof.alert.Alert;
import dev.stormproof.cli.text.Circumstances;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.time.Instant;
import java.util.List;

/** Findings are made up here about a topic {@code t}, whose partition p was written by the emitter p + 1. */
public final class Findings {
    private static final Hash SIGNATURE = Hash.fromHex("0123456789abcdef0123456789abcdef");

    public static final Circumstances CIRCUMSTANCES = new Circumstances(
            "Qm7rAkM5SF2hS1Q4TqLkCw",
            "kXcLaTrsR0y8p9gIXqV0Zw",
            Instant.parse("2026-01-31T08:00:00Z"),
            "stormproof 1",
            List.of("billing-1:MCowBQYDK2VwAyEAtruUNpyiQ3y+J96x7a7NuuY4WGrC7g8tDcs8WB/m5/c="),
            Protection.TAMPERING);

    private Findings() {}

    public static Alert alert(Finding finding) {
        return new Alert("/stormproof/test", 0, finding);
    }

    public static IntervalId interval(int partition, long number) {
        return Intervals.interval(stream(partition), number, 100 * number, 100 * number, 100);
    }

    public static StreamId stream(int partition) {
        return new StreamId("t", partition, partition + 1);
    }

    public static Alert verified(int partition, long number) {
        return alert(new Verified(interval(partition, number), Verified.Basis.MATCH, 0));
    }

    public static Alert inconclusive(int partition, long number) {
        return alert(new Inconclusive(interval(partition, number), Inconclusive.Reason.EXPIRED, "gone"));
    }

    /** Of an interval whose checkpoint did not come, with the id that its verdict will have. */
    public static Alert unsealed(int partition, long number) {
        return alert(new Inconclusive(interval(partition, number), Inconclusive.Reason.UNSEALED, "silent"));
    }

    public static Alert violated(int partition, long number, boolean open, Anomaly... anomalies) {
        return alert(
                new Violated(interval(partition, number), open, true, anomalies.length, List.of(anomalies), Hop.LOG));
    }

    public static Anomaly anomaly(Anomaly.Kind kind, int partition, long begin, long end) {
        return new Anomaly(kind, stream(partition), begin, end, -1, 0, SIGNATURE, Hash.empty());
    }
}
