package dev.stormproof.chaos.testing;

import dev.stormproof.log.audit.OfflineVerifier;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;

/** What audits of two logs name, of which one may begin later or have other offsets than the other, and how that differs. */
public final class AuditNames {
    private AuditNames() {}

    /** All that an audit of a partition says, from where its log begins. */
    public static List<Finding> audit(TopicPartition partition, PartitionReader ahead, PartitionReader back) {
        List<Finding> found = new ArrayList<>();
        PartitionReader.Bounds bounds = ahead.bounds();
        new OfflineVerifier(
                        ahead,
                        back,
                        RangeCase.Origin.NONE,
                        new OfflineVerifier.Range(
                                partition,
                                bounds.begin(),
                                bounds.end(),
                                bounds.end(),
                                bounds.end(),
                                System.currentTimeMillis()),
                        InactivityTimeouts.DEFAULT,
                        found::add,
                        found::add,
                        (offset, bytes) -> {})
                .run();
        return found;
    }

    /** What is named, each event and each checkpoint by itself: an audit may tell several of them in one, and another one not. */
    public static Set<String> of(List<Finding> findings) {
        Set<String> named = new TreeSet<>();
        for (Finding finding : findings) {
            if (finding instanceof Violated violated) {
                violated.anomalies()
                        .forEach(anomaly -> LongStream.range(anomaly.begin(), anomaly.end())
                                .forEach(number -> named.add(anomaly.kind() + " "
                                        + anomaly.stream().partition() + "/"
                                        + anomaly.stream().emitterHex() + " " + number)));
            }
        }
        return named;
    }

    /** The names that one audit gives and the other does not. */
    public static Set<String> differences(Set<String> input, Set<String> output, boolean deleted) {
        Set<String> differences = new TreeSet<>();
        input.stream()
                .filter(one -> !output.contains(one))
                .filter(one -> !deleted || !isNamedOtherwise(one, output))
                .forEach(one -> differences.add("not in the output: " + one));
        if (!deleted) {
            output.stream()
                    .filter(one -> !input.contains(one))
                    .forEach(one -> differences.add("in the output: " + one));
        }
        return differences;
    }

    private static boolean isNamedOtherwise(String anomaly, Set<String> others) {
        String outOfReach = Anomaly.Kind.OUT_OF_REACH + " ";
        return anomaly.startsWith(outOfReach)
                && others.stream().anyMatch(other -> other.endsWith(anomaly.substring(outOfReach.length() - 1)));
    }
}
