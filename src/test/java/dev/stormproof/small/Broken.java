package dev.stormproof.small;

import dev.stormproof.small.Faults.Faulty;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What broke a promise: how often, and the shortest logs. Thread-safe. */
final class Broken {
    private static final int MOST_EXAMPLES = 3;

    private record Kind(int count, List<String> examples) {}

    private final Map<String, Kind> kinds = new TreeMap<>();

    synchronized void add(String what, SmallLog small, Faulty faulty, Scenario scenario, Play play) {
        int colon = what.lastIndexOf(": ");
        String kind = colon < 0 ? what : what.substring(0, colon);
        Kind known = kinds.getOrDefault(kind, new Kind(0, List.of()));
        String example = drawn(what, small, faulty, scenario, play);
        List<String> examples = Stream.concat(known.examples.stream(), Stream.of(example))
                .sorted(Comparator.comparingInt(String::length))
                .limit(MOST_EXAMPLES)
                .toList();
        kinds.put(kind, new Kind(known.count + 1, examples));
    }

    private static String drawn(String what, SmallLog small, Faulty faulty, Scenario scenario, Play play) {
        String tokens = faulty.tokens().stream().map(Token::toString).collect(Collectors.joining(" "));
        return tokens + "   (" + faulty.fault() + ")\n      " + scenario + ", " + small + "\n      " + what + "\n      "
                + play.told().stream().map(Broken::text).collect(Collectors.joining("; "));
    }

    private static String text(Play.Told told) {
        String era = "′".repeat(told.era());
        if (told.finding() instanceof Verdict verdict) {
            String detail = verdict instanceof Verdict.Inconclusive other
                    ? " " + other.reason()
                    : verdict instanceof Verdict.Violated violated
                            ? " "
                                    + violated.anomalies().stream()
                                            .map(anomaly ->
                                                    anomaly.kind() + " " + anomaly.begin() + ".." + anomaly.end())
                                            .collect(Collectors.joining(", "))
                            : "";
            return era + verdict.type().label() + " "
                    + SmallLog.stream(verdict.interval().stream().emitter()) + "/"
                    + verdict.interval().number() + "@" + verdict.interval().checkpointOffset() + detail;
        }
        return era + told.finding().type().label() + " " + told.finding().id()
                + (told.finding() instanceof StrayRecord stray ? " " + stray.kind() : "");
    }

    /** What broke, and how often. */
    synchronized String kinds() {
        return kinds.entrySet().stream()
                .map(kind -> kind.getValue().count + " × " + kind.getKey())
                .collect(Collectors.joining("; "));
    }

    synchronized boolean isEmpty() {
        return kinds.isEmpty();
    }

    @Override
    public synchronized String toString() {
        return kinds.entrySet().stream()
                .map(kind -> kind.getValue().count + " × " + kind.getKey() + "\n"
                        + kind.getValue().examples.stream()
                                .map(example -> "    " + example + "\n")
                                .collect(Collectors.joining()))
                .collect(Collectors.joining());
    }
}
