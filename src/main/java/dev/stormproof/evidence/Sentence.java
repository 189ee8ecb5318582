package dev.stormproof.evidence;

import dev.stormproof.evidence.Checked.Judged;
import dev.stormproof.evidence.Checked.NamedLine;
import dev.stormproof.evidence.ProofReader.Line;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The sentence of a proof for people who are no engineers: who states what of which topic and time, how strongly, and what is not covered. It
 * follows from the other lines, and a checker refuses any other.
 */
final class Sentence {
    static final String NAME = "sentence";

    private static final long YEAR_10000_MILLIS = 253_402_300_800_000L;

    /** A line on a stream that has nothing proven, or nothing weaker; the emitter's name follows both. */
    private static final Pattern STRONG =
            Pattern.compile("(?:[^ ]+ ){3}proven=0 .*|(?:[^ ]+ ){9}strength=tampering .*", Pattern.DOTALL);

    private Sentence() {}

    static String ofReceipt(long sequence, boolean withContent, Format2Checkpoint checkpoint, Optional<Judged> judged) {
        long made = checkpoint.createdAtMillis();
        return "At "
                + (made < YEAR_10000_MILLIS
                        ? Instant.ofEpochMilli(made).truncatedTo(ChronoUnit.SECONDS)
                        : "a time after the year 9999")
                + " by its own clock, the producer with key \""
                + checkpoint.keyId().orElse("") + "\" signed event number " + sequence + " of its stream in topic \""
                + checkpoint.stream().topic() + "\", partition "
                + checkpoint.stream().partition() + ", with the " + (withContent ? "key and value" : "signature")
                + " below, against tampering."
                + judged.map(one -> of(one, checkpoint.eventCount())).orElse("") + " Not covered: "
                + (judged.isEmpty() ? "whether a log holds it, " : "") + "other events, and other headers.";
    }

    private static String of(Judged judged, long events) {
        Judgement judgement = judged.judgement();
        return " The verifier \"" + judged.verifier() + "\" states that it read this event at " + judgement.time()
                + " at offset " + judgement.offset() + " of topic \"" + judgement.topic() + "\", and that "
                + switch (judgement.verdict()) {
                    case VERIFIED -> "of its interval, " + proven(events, events) + ".";
                    case VIOLATED -> "its interval is violated: the finding below names what is wrong.";
                    case INCONCLUSIVE -> "its interval is inconclusive: the finding below says why.";
                };
    }

    private static String proven(long proven, long events) {
        return String.format(
                Locale.ROOT,
                "%,d of %,d event%s %s proven to have arrived once, in order, with key and value unaltered",
                proven,
                events,
                events == 1 ? "" : "s",
                proven == 1 ? "is" : "are");
    }

    /** @param lines those after it, up to the verifier's */
    static String ofStatement(List<NamedLine> lines, String verifier) {
        long events = Long.parseLong(one(lines, "events"));
        long proven = Long.parseLong(one(lines, "proven"));
        return "The verifier \"" + verifier + "\" states that in topic \"" + one(lines, "topic") + "\", "
                + partitions(all(lines, "partition")) + ", " + period(one(lines, "since"), one(lines, "until"))
                + ", as read at " + one(lines, "time") + ", " + proven(proven, events)
                + (proven == 0 ? "" : strength(lines)) + "."
                + switch (one(lines, "verdict")) {
                    case "violated" -> " The range is violated: the findings below name what is wrong.";
                    case "inconclusive" -> " The range is inconclusive: of the rest, that could not be decided.";
                    default ->
                        " The range is verified"
                                + (proven == events
                                        ? "."
                                        : ", but for the other events: no checkpoint seals them yet.");
                }
                + " Not covered: other headers, "
                + (all(lines, "not-judged").isEmpty()
                        ? "and events whose producer never sealed them."
                        : "events whose producer never sealed them, and what the not-judged lines below name.");
    }

    private static String partitions(List<String> texts) {
        List<String> numbers = texts.stream().map(text -> text.split(" ", 2)[0]).toList();
        String first = numbers.get(0);
        return numbers.size() == 1
                ? "partition " + first
                : numbers.size() + " partitions from " + first + " to " + numbers.get(numbers.size() - 1);
    }

    private static String period(String since, String until) {
        if (since.isEmpty()) {
            return until.isEmpty() ? "in the offsets below" : "until " + until;
        }
        return "from " + since + (until.isEmpty() ? " on" : " to " + until);
    }

    private static String strength(List<NamedLine> lines) {
        boolean strong = one(lines, "demanded").equals("tampering")
                || (all(lines, "more-streams").isEmpty()
                        && !all(lines, "stream").isEmpty()
                        && all(lines, "stream").stream()
                                .allMatch(line -> STRONG.matcher(line).matches()));
        return strong
                ? ", as signed by their producers against tampering"
                : ", under seals that protect against accidents only: anyone who may write to the topic can forge them";
    }

    private static List<String> all(List<NamedLine> lines, String name) {
        return lines.stream()
                .filter(line -> line.name().equals(name))
                .map(NamedLine::text)
                .toList();
    }

    private static String one(List<NamedLine> lines, String name) {
        List<String> all = all(lines, name);
        return all.isEmpty() ? "" : all.get(0);
    }

    static void demand(Line stated, String derived) throws RefusedProofException {
        if (!stated.value().equals(derived)) {
            throw stated.refused("it does not follow from the other lines, which say: " + derived);
        }
    }
}
