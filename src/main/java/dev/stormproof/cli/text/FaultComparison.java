package dev.stormproof.cli.text;

import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.verify.judge.Anomaly;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * A comparison sets the injected faults against the named anomalies.
 *
 * <p>A swap counts as named when either of its two events is: the log does not show which of them left its place.
 *
 * @param named faults that an anomaly of the right kind names
 * @param missed faults that none names
 * @param others anomalies that no fault explains, or not all of whose events one does
 */
public record FaultComparison(List<InjectedFault> named, List<InjectedFault> missed, List<Anomaly> others) {
    public static FaultComparison of(List<InjectedFault> injected, List<Anomaly> anomalies) {
        Predicate<InjectedFault> isNamed = fault -> anomalies.stream()
                .anyMatch(anomaly -> sameKindAndStream(fault, anomaly)
                        && sequences(fault).anyMatch(sequence -> contains(anomaly, sequence)));
        return new FaultComparison(
                injected.stream().filter(isNamed).toList(),
                injected.stream().filter(isNamed.negate()).toList(),
                anomalies.stream()
                        .filter(anomaly -> !isExplained(anomaly, injected))
                        .toList());
    }

    private static boolean isExplained(Anomaly anomaly, List<InjectedFault> injected) {
        long explained = injected.stream()
                .filter(fault -> sameKindAndStream(fault, anomaly))
                .flatMapToLong(FaultComparison::sequences)
                .filter(sequence -> contains(anomaly, sequence))
                .distinct()
                .count();
        return explained == anomaly.end() - anomaly.begin();
    }

    private static LongStream sequences(InjectedFault fault) {
        return fault.kind() == FaultKind.SWAP
                ? LongStream.of(fault.sequence(), fault.otherSequence())
                : LongStream.of(fault.sequence());
    }

    private static boolean contains(Anomaly anomaly, long sequence) {
        return anomaly.begin() <= sequence && sequence < anomaly.end();
    }

    private static boolean sameKindAndStream(InjectedFault fault, Anomaly anomaly) {
        return fault.partition() == anomaly.stream().partition()
                && fault.emitter() == anomaly.stream().emitter()
                && fault.topic().equals(anomaly.stream().topic())
                && anomaly.kind()
                        == switch (fault.kind()) {
                            case LOSE -> Anomaly.Kind.LOST;
                            case DUPLICATE -> Anomaly.Kind.DUPLICATED;
                            case SWAP, MOVE -> Anomaly.Kind.REORDERED;
                            case ALTER -> Anomaly.Kind.ALTERED;
                        };
    }
}
