package dev.stormproof.evidence;

import dev.stormproof.evidence.Checked.NamedLine;
import dev.stormproof.evidence.ProofReader.Line;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.verify.judge.EnumNames;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A statement over a range: what a verifier read, what it found, and what it did not judge, signed with its own key. Only the signature of it
 * can be checked.
 */
public final class Statement {
    static final String HEAD = "stormproof-statement";

    /** The names of the lines that occur once, in their order. */
    private static final List<String> ONCE = List.of("time", "program", "cluster", "topic", "topic-id", "demanded");

    private static final List<String> ANY = List.of(
            "since",
            "until",
            "key",
            "partition",
            "stream",
            "more-streams",
            "open",
            "finding",
            "more-findings",
            "not-judged");

    private final List<NamedLine> lines = new ArrayList<>();
    private int place;

    /**
     * @param time when the audit began, in the form of RFC 3339, by the verifier's clock
     * @param program the verifier's name and version
     * @param cluster Kafka's id of the cluster
     * @param topicId Kafka's id of the topic
     * @param demanded the demanded protection of streams
     */
    public Statement(String time, String program, String cluster, String topic, String topicId, String demanded) {
        List<String> values = List.of(time, program, cluster, topic, topicId, demanded);
        for (int i = 0; i < ONCE.size(); i++) {
            lines.add(new NamedLine(ONCE.get(i), values.get(i)));
        }
    }

    /** Adds lines of one name. Names must be added in the order of the specification. */
    public Statement add(String name, Iterable<String> texts) {
        int at = ANY.indexOf(name);
        if (at < place) {
            throw new IllegalArgumentException("'" + name + "' comes too late, or is no name");
        }
        place = at;
        texts.forEach(text -> lines.add(new NamedLine(name, text)));
        return this;
    }

    /**
     * The signed bytes.
     *
     * @throws OversizedProofException if they are more than a checker reads
     */
    public byte[] signed(long events, long proven, Outcome verdict, String summary, CheckpointKey verifier) {
        lines.add(new NamedLine("events", Long.toString(events)));
        lines.add(new NamedLine("proven", Long.toString(proven)));
        lines.add(new NamedLine("verdict", verdict.word()));
        lines.add(new NamedLine("summary", summary));
        ProofText text = new ProofText();
        text.add(HEAD, Receipt.VERSION);
        text.add(Sentence.NAME, Sentence.ofStatement(lines, verifier.id()));
        lines.forEach(line -> text.add(line.name(), line.text()));
        return text.signed(verifier);
    }

    /** Reads the lines in their order, each as often as it may occur. */
    static Outcome read(ProofReader in) throws RefusedProofException {
        for (String name : ONCE.subList(0, ONCE.size() - 1)) {
            in.next(name);
        }
        demand(in.next("demanded"));
        in.nextIf("since");
        in.nextIf("until");
        any(in, "key");
        in.next("partition");
        any(in, "partition");
        any(in, "stream");
        more(in, "more-streams");
        any(in, "open");
        any(in, "finding");
        more(in, "more-findings");
        any(in, "not-judged");
        ProofReader.number(in.next("events"));
        ProofReader.number(in.next("proven"));
        Outcome verdict = Outcome.read(in.next("verdict"));
        in.next("summary");
        return verdict;
    }

    private static void demand(Line line) throws RefusedProofException {
        if (Stream.of(Protection.values()).noneMatch(one -> EnumNames.of(one).equals(line.value()))) {
            throw line.refused("it is none of accidents, tampering");
        }
    }

    private static void any(ProofReader in, String name) {
        while (in.nextIf(name) != null) {
            // Any number of them.
        }
    }

    private static void more(ProofReader in, String name) throws RefusedProofException {
        Line line = in.nextIf(name);
        if (line != null) {
            ProofReader.number(line);
        }
    }
}
