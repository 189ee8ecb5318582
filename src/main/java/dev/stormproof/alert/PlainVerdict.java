package dev.stormproof.alert;

import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * A verdict on everything that was read, in one sentence for people who know neither checkpoints nor offsets.
 *
 * @param subject the topic, or the topics
 * @param events the number of events that checkpoints state, or should state
 * @param proven the number of these in verified intervals
 * @param anomalies the anomalies, each once
 * @param unnamed the number of further anomalies
 * @param records the number of records of no stream
 * @param unlisted the number of checkpoints of emitters that are not allowed there
 * @param expired true if records expired before they were read
 * @param notJudged what was not judged, a clause each
 */
public record PlainVerdict(
        String subject,
        long events,
        long proven,
        Collection<Anomaly> anomalies,
        long unnamed,
        long records,
        long unlisted,
        boolean expired,
        List<String> notJudged) {
    private static final String ARRIVED = "arrived once, in order, with key and value unaltered";

    /** A verdict without a list of allowed emitters. */
    public PlainVerdict(
            String subject,
            long events,
            long proven,
            Collection<Anomaly> anomalies,
            long unnamed,
            long records,
            boolean expired,
            List<String> notJudged) {
        this(subject, events, proven, anomalies, unnamed, records, 0, expired, notJudged);
    }

    public PlainVerdict {
        anomalies = List.copyOf(anomalies);
        notJudged = List.copyOf(notJudged);
    }

    /** A sentence for each thing that was not judged; empty if there is none. */
    public String reservation() {
        return notJudged.stream()
                .map(clause -> clause.substring(0, 1).toUpperCase(Locale.ROOT) + clause.substring(1) + ".")
                .collect(Collectors.joining(" "));
    }

    /** The sentence. */
    public String result() {
        Map<Kind, Long> counts = new EnumMap<>(Kind.class);
        anomalies.forEach(anomaly -> counts.merge(anomaly.kind(), anomaly.end() - anomaly.begin(), PlainVerdict::sum));
        List<String> fates = fates(counts);
        List<String> others = others(counts);
        if (!fates.isEmpty()) {
            long wrong = count(counts, Kind.LOST, Kind.DUPLICATED, Kind.REORDERED, Kind.ALTERED, Kind.DIVERTED);
            // Lost checkpoints stated events that no other checkpoint states.
            String text = text(
                    "%,d of %s did not arrive once, in order, with key and value unaltered: %s",
                    wrong, ofSubject(Math.max(events, sum(proven, wrong))), String.join(", ", fates));
            return others.isEmpty() ? text + "." : text + "; and " + String.join(", ", others) + ".";
        }
        if (!others.isEmpty()) {
            return events == proven && anomalies.isEmpty() && unnamed == 0 && events > 0
                    ? whole() + ", but " + String.join(", ", others) + "."
                    : text("Something is wrong with the %s: %s.", ofSubject(events), String.join(", ", others));
        }
        if (events == 0) {
            return "Nothing is known of " + subject + " yet: no verdict on its events was read.";
        }
        if (proven == 0) {
            return text("None of the %s is proven to have %s.", ofSubject(events), ARRIVED);
        }
        if (proven < events) {
            return text(
                    "%,d of %s %s proven to have %s; undecided: %,d.",
                    proven, ofSubject(events), proven == 1 ? "is" : "are", ARRIVED, events - proven);
        }
        return whole() + (expired ? "; others expired before they were read." : ".");
    }

    private String whole() {
        return text("%s %s proven to have %s", ofSubject(events), events == 1 ? "is" : "are", ARRIVED);
    }

    private String ofSubject(long count) {
        return text("%,d %s of %s", count, count == 1 ? "event" : "events", subject);
    }

    private static List<String> fates(Map<Kind, Long> counts) {
        List<String> fates = new ArrayList<>();
        BiConsumer<Kind, String> add = (kind, word) -> {
            if (counts.containsKey(kind)) {
                fates.add(text("%,d %s", counts.get(kind), word));
            }
        };
        add.accept(Kind.LOST, "lost");
        add.accept(Kind.DUPLICATED, "duplicated");
        add.accept(Kind.REORDERED, "out of order");
        add.accept(Kind.ALTERED, "altered");
        add.accept(Kind.DIVERTED, "set aside since the transform failed on them");
        return fates;
    }

    private List<String> others(Map<Kind, Long> counts) {
        List<String> others = new ArrayList<>();
        addOther(
                others,
                count(counts, Kind.FOREIGN, Kind.OUT_OF_REACH),
                "event does not belong there",
                "events do not belong there");
        addOther(
                others,
                count(counts, Kind.UNLOCATED),
                "event is among records that differ",
                "events are among records that differ");
        addOther(others, count(counts, Kind.CHECKPOINT_LOST), "checkpoint is missing", "checkpoints are missing");
        addOther(
                others,
                count(counts, Kind.CHAIN_BROKEN),
                "checkpoint does not continue the one before",
                "checkpoints do not continue the ones before");
        addOther(others, records, "record belongs to no stream", "records belong to no stream");
        addOther(
                others,
                unlisted,
                "checkpoint is of an emitter that may not write there",
                "checkpoints are of emitters that may not write there");
        addOther(others, unnamed, "more thing is wrong", "more things are wrong");
        return others;
    }

    private static void addOther(List<String> others, long count, String one, String many) {
        if (count > 0) {
            others.add(text("%,d %s", count, count == 1 ? one : many));
        }
    }

    private static long count(Map<Kind, Long> counts, Kind... kinds) {
        long sum = 0;
        for (Kind kind : kinds) {
            sum = sum(sum, counts.getOrDefault(kind, 0L));
        }
        return sum;
    }

    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
