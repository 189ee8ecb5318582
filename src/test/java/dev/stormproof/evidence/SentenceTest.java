package dev.stormproof.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a proof says to people who are no engineers, of each verdict and each strength; a checker derives the same. */
class SentenceTest {
    private static final String WHOLE =
            "The verifier \"auditor-1\" states that in topic \"orders\", partition 0, in the"
                    + " offsets below, as read at 2026-01-31T08:00:00Z, ";
    private static final String UNALTERED = " proven to have arrived once, in order, with key and value unaltered";
    private static final String SIGNED = ", as signed by their producers against tampering.";
    private static final String WEAK =
            ", under seals that protect against accidents only: anyone who may write to the topic can forge them.";
    private static final String VERIFIED = " The range is verified.";
    private static final String BESIDES = " Not covered: other headers, and events whose producer never sealed them.";

    /** The sentence on so many events, which a check takes. */
    private static String of(String demanded, long events, long proven, Outcome verdict, String... lines)
            throws Exception {
        List<String> all = new ArrayList<>(List.of(lines));
        if (all.stream().noneMatch(line -> line.startsWith("partition "))) {
            all.add("partition 0 log=0-9 audited=0-9");
        }
        Statement statement = new Statement("2026-01-31T08:00:00Z", "stormproof 1", "c", "orders", "t", demanded);
        for (String name : List.of("since", "until", "partition", "stream", "more-streams", "not-judged")) {
            statement.add(
                    name,
                    all.stream()
                            .filter(line -> line.startsWith(name + " "))
                            .map(line -> line.substring(name.length() + 1))
                            .toList());
        }
        return Proofs.check()
                .check(statement.signed(events, proven, verdict, "s", Proofs.VERIFIER))
                .sentence();
    }

    private static String ofStreams(String... lines) throws Exception {
        return of("accidents", 5, 5, Outcome.VERIFIED, lines);
    }

    @Test
    void aStatementSaysHowManyEventsAreProvenAndWhatBecameOfTheRest() throws Exception {
        assertThat(of("tampering", 1_204_900, 1_204_900, Outcome.VERIFIED))
                .isEqualTo(WHOLE + "1,204,900 of 1,204,900 events are" + UNALTERED + SIGNED + VERIFIED + BESIDES);
        assertThat(of("tampering", 1, 1, Outcome.VERIFIED)).contains(" 1 of 1 event is proven ");
        assertThat(of("tampering", 5, 3, Outcome.VERIFIED))
                .isEqualTo(WHOLE + "3 of 5 events are" + UNALTERED + SIGNED
                        + " The range is verified, but for the other events: no checkpoint seals them yet." + BESIDES);
        assertThat(of("tampering", 5, 1, Outcome.VIOLATED))
                .isEqualTo(WHOLE + "1 of 5 events is" + UNALTERED + SIGNED
                        + " The range is violated: the findings below name what is wrong." + BESIDES);
        assertThat(of("tampering", 5, 0, Outcome.INCONCLUSIVE))
                .isEqualTo(WHOLE + "0 of 5 events are" + UNALTERED
                        + ". The range is inconclusive: of the rest, that could not be decided." + BESIDES);
    }

    @Test
    void itSaysHowStrongTheWeakestProofIs() throws Exception {
        String strong = Proofs.STREAM.formatted("5", "tampering", "a");
        String weak = Proofs.STREAM.formatted("5", "accidents", "b strength=tampering ");
        assertThat(ofStreams("stream " + strong)).contains(UNALTERED + SIGNED);
        assertThat(ofStreams("stream " + strong, "stream " + weak)).contains(UNALTERED + WEAK);
        assertThat(ofStreams("stream " + weak)).contains(UNALTERED + WEAK);
        assertThat(ofStreams("stream " + strong, "more-streams 1")).contains(UNALTERED + WEAK);
        assertThat(ofStreams()).contains(UNALTERED + WEAK);
        String nothing = "stream partition=0 emitter=01 events=5 proven=0 verified=0 violated=1 inconclusive=0";
        assertThat(ofStreams("stream " + strong, nothing, nothing + " name=a b strength=accidents"))
                .contains(UNALTERED + SIGNED);
    }

    @Test
    void itNamesPartitionsTimesAndWhatWasNotJudged() throws Exception {
        assertThat(ofStreams("partition 3 a", "partition 4 a", "partition 5 a", "since S", "until U", "not-judged x"))
                .contains(
                        "in topic \"orders\", 3 partitions from 3 to 5, from S to U, as read at ",
                        " Not covered: other headers, events whose producer never sealed them, and what the not-judged"
                                + " lines below name.");
        assertThat(ofStreams("partition 0 a", "partition 2 a", "since S"))
                .contains(", 2 partitions from 0 to 2, from S on, ");
        assertThat(ofStreams("partition 0 a", "until U")).contains(", partition 0, until U, ");
    }

    @Test
    void aReceiptSaysWhoSignedTheEventAndWhatTheVerifierStates() throws Exception {
        String signed =
                "At 2023-11-14T22:13:20Z by its own clock, the producer with key \"test-1\" signed event number 103"
                        + " of its stream in topic \"orders\", partition 2, with the key and value below, against tampering.";
        assertThat(golden("receipt-unjudged"))
                .isEqualTo(signed + " Not covered: whether a log holds it, other events, and other headers.");
        assertThat(golden("receipt-without-content")).contains(" with the signature below, ");
        assertThat(golden("receipt-of-a-far-time")).startsWith("At a time after the year 9999 by its own clock, ");
        String read =
                signed + " The verifier \"auditor-1\" states that it read this event at 2026-01-31T08:00:00Z at offset"
                        + " 4711 of topic \"orders\", and that ";
        assertThat(golden("receipt"))
                .isEqualTo(read + "of its interval, 6 of 6 events are" + UNALTERED
                        + ". Not covered: other events, and other headers.");
        assertThat(judged(Outcome.VIOLATED))
                .startsWith(read + "its interval is violated: the finding below names what is wrong. Not covered: ");
        assertThat(judged(Outcome.INCONCLUSIVE))
                .startsWith(read + "its interval is inconclusive: the finding below says why. Not covered: ");
    }

    private static String golden(String name) throws Exception {
        return Proofs.check().check(ProofCheckTest.golden(name + ".proof")).sentence();
    }

    private static String judged(Outcome verdict) throws Exception {
        byte[] proof = Proofs.receipt(Proofs.checkpoint(6), 103).judged(Proofs.judgement(verdict), Proofs.VERIFIER);
        return Proofs.check().check(proof).sentence();
    }
}
