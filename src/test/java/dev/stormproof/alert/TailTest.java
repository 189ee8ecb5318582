package dev.stormproof.alert;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.Tail;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of the events that no checkpoint seals, by what there is of them. */
class TailTest {
    private static final int UNKNOWN_ALGORITHM = 200;

    /** Sequences as they lie in the log; {@code ~7} has another content than was signed, that of {@code ?7} cannot be compared. */
    @ParameterizedTest(name = "behind {0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            7    | ''             | no new event after the last checkpoint
            7    | 7              | 1 event, sequence 7, no gap, content as signed
            7    | 7 8 9          | 3 events, sequences 7 to 9, no gap, contents as signed
            7    | 7 8 10 11 14   | 5 events, sequences 7 to 14, 3 missing from 9 on, contents as signed
            7    | 9 10           | 2 events, sequences 9 to 10, 2 missing from 7 on, contents as signed
            -1   | 9 10           | 2 events, sequences 9 to 10, no gap, contents as signed
            7    | 7 ~8 9         | 3 events, sequences 7 to 9, no gap, 1 not as signed
            7    | ~7             | 1 event, sequence 7, no gap, 1 not as signed
            7    | 7 ?8 ~9        | 3 events, sequences 7 to 9, no gap, 1 not as signed, 1 not compared with what was signed
            7    | 7 8 8 7        | 4 events, sequences 7 to 8, no gap, 2 repeated, contents as signed
            7    | 7 9 8          | 3 events, sequences 7 to 9, at most 1 missing, 1 repeated or out of order, contents as signed
            7    | 7 11 8         | 3 events, sequences 7 to 11, 2 to 3 missing, 1 repeated or out of order, contents as signed
            1904 | 1904 5000      | 2 events, sequences 1,904 to 5,000, 3,095 missing from 1,905 on, contents as signed
            0    | 0 9223372036854775807 | 2 events, sequences 0 to 9,223,372,036,854,775,807, 9,223,372,036,854,775,806 missing from 1 on, contents as signed
            """)
    void itIsCountedFromTheEventsThatAreThere(long next, String events, String text) throws IOException {
        List<Event> drawn = Stream.of(events.split(" ", -1))
                .filter(one -> !one.isEmpty())
                .map(TailTest::event)
                .toList();
        assertSaid(ALICE.stream(), Math.max(0, next), Tail.of(drawn, next), text);
    }

    @Test
    void eventsOfFormat1HaveNoSequences() throws IOException {
        Tail tail = Tail.of(List.of(PLAIN.plainEvent(1, 5), PLAIN.plainEvent(2, 6)), 0);
        assertSaid(PLAIN.stream(), 0, tail, "2 events, without sequences, contents as signed");
    }

    private static Event event(String drawn) {
        long sequence = Long.parseLong(drawn.replaceAll("[~?]", ""));
        return switch (drawn.charAt(0)) {
            case '~' -> ALICE.altered(1, sequence);
            case '?' ->
                StreamRecords.event(
                        1,
                        ALICE.stream().emitter(),
                        sequence,
                        UNKNOWN_ALGORITHM,
                        Hash.copyOf(new byte[16]),
                        Hash.empty(),
                        Event.Content.UNTRANSFORMED);
            default -> ALICE.event(1, sequence);
        };
    }

    private static void assertSaid(StreamId stream, long firstSequence, Tail tail, String text) throws IOException {
        IntervalId interval = new IntervalId(
                stream, 4, 12, firstSequence, tail.events(), Hash.empty(), "", LogRecord.NO_TIME, Seal.NONE, tail);
        Inconclusive unsealed = new Inconclusive(interval, Inconclusive.Reason.UNSEALED, "no checkpoint for too long");

        assertThat(AlertText.tail(interval)).isEqualTo(text);
        assertThat(AlertText.summary(unsealed)).contains(": " + text + ", in ");
        assertThat(AlertJson.read(AlertJson.write(new Alert("/stormproof/g", 0, unsealed)))
                        .finding())
                .isEqualTo(unsealed);
    }
}
