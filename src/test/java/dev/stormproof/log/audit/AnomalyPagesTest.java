package dev.stormproof.log.audit;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What an interval has beyond the anomalies that its verdict names. */
class AnomalyPagesTest {
    private static final int EVENTS = 5_001;

    private final SimulatedLog log = new SimulatedLog();
    private final List<Violated> named = new ArrayList<>();
    private final List<Violated> pages = new ArrayList<>();

    private void audit() {
        Range range = new Range(new TopicPartition("orders", 0), 0, log.endOffset(), log.endOffset(), 1, false);
        var unused = new OfflineVerifier(
                        log,
                        log,
                        OriginAudit.NONE,
                        range,
                        new InactivityTimeouts(0, 1, 1),
                        this::take,
                        pages::add,
                        (offset, bytes) -> {})
                .run();
    }

    private void take(Finding finding) {
        if (finding instanceof Violated violated) {
            named.add(violated);
        }
    }

    /** Every other event of an interval is missing; its checkpoint closes the stream, or another one follows. */
    private CheckpointRecord everyOtherIsMissing(boolean closing) {
        CheckpointRecord zero = log.append(ALICE.checkpoint(0, 0, 0)::at);
        for (long sequence = 1; sequence < EVENTS; sequence += 2) {
            long mine = sequence;
            log.append(offset -> ALICE.event(offset, mine));
        }
        var one = ALICE.checkpoint(1, 0, EVENTS).after(zero);
        return log.append((closing ? one.closing() : one)::at);
    }

    private List<Long> missing() {
        return Stream.concat(named.stream(), pages.stream())
                .flatMap(violated -> violated.anomalies().stream())
                .map(Anomaly::begin)
                .toList();
    }

    private static List<Long> evenNumbers() {
        return LongStream.range(0, EVENTS)
                .filter(sequence -> sequence % 2 == 0)
                .boxed()
                .toList();
    }

    @Test
    void comePageByPage() {
        everyOtherIsMissing(true);
        audit();
        assertThat(named)
                .singleElement()
                .satisfies(violated -> assertThat(violated.anomalies()).hasSize(1_000));
        assertThat(pages).extracting(page -> page.anomalies().size()).containsExactly(1_000, 501);
        assertThat(pages).allSatisfy(page -> {
            assertThat(page.anomalyCount()).isEqualTo(2_501);
            assertThat(page.revisionId()).isEqualTo(named.get(0).revisionId());
        });
        assertThat(missing()).isEqualTo(evenNumbers());
    }

    @Test
    void comeOnceThoughTheVerdictWasProvisionalFirst() {
        CheckpointRecord one = everyOtherIsMissing(false);
        log.append(ALICE.checkpoint(2, EVENTS, EVENTS).after(one)::at);
        audit();
        assertThat(missing()).isEqualTo(evenNumbers());
    }

    @Test
    void comeWithAVerdictThatStaysProvisional() {
        everyOtherIsMissing(false);
        audit();
        assertThat(missing()).isEqualTo(evenNumbers());
        assertThat(pages)
                .isNotEmpty()
                .allSatisfy(page ->
                        assertThat(page.revisionId()).isEqualTo(named.get(0).revisionId()));
    }
}
