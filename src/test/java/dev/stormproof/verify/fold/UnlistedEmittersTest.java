package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord.Kind;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an emitter writes that may not write there is judged as anybody's, and told. */
class UnlistedEmittersTest {
    private static final long T = 1_700_000_000_000L;

    private final ChainFold fold = fold();
    private final List<Finding> findings = new ArrayList<>();

    private static ChainFold fold() {
        return new ChainFold(new PartitionId("orders", 0), 0, SavedHeads.NOTHING, ChainLog.TIMEOUTS, Bounds.DEFAULT);
    }

    private static Read read(LogRecord record) {
        return new Read(record, DeliveryLink.NO_EPOCH, record.writtenMillis(), null);
    }

    private static CheckpointRecord unlisted(CheckpointRecord record, long writtenMillis) {
        return new CheckpointRecord(record.offset(), record.checkpoint(), record.chainHash(), writtenMillis, true);
    }

    private List<StrayRecord> strays() {
        findings.addAll(fold.drainFindings());
        return findings.stream()
                .filter(StrayRecord.class::isInstance)
                .map(StrayRecord.class::cast)
                .toList();
    }

    @Test
    void itsCheckpointIsToldAndItsIntervalIsVerifiedAllTheSame() {
        CheckpointRecord zero = ALICE.checkpoint(0, 0, 0).by("mallory").at(0);
        fold.take(read(unlisted(zero, T)));
        fold.take(read(ALICE.event(1, 0)));
        fold.take(read(
                unlisted(ALICE.checkpoint(1, 0, 1).by("mallory").after(zero).at(2), T + 2_000)));
        fold.endOfLog();

        assertThat(strays()).hasSize(2).allMatch(stray -> stray.kind() == Kind.UNLISTED_EMITTER && stray.count() == 1);
        assertThat(strays().get(1).offset()).isEqualTo(2);
        assertThat(strays().get(1).detail())
                .isEqualTo("checkpoint 1 of emitter " + ALICE.stream().emitterHex()
                        + " over 1 event is of an emitter named 'mallory', which emitters.allowed does not name");
        assertThat(findings.stream().filter(Verified.class::isInstance)).hasSize(2);
    }

    /** A stranger who takes another emitter id for each checkpoint. */
    @Test
    void aFloodOfStrangersIsOneFindingASecondAndTakesNoMoreMemoryThanAnybodys() {
        int seconds = 20;
        int each = 500;
        ChainFold anybody = fold();
        for (int i = 0; i < seconds * each; i++) {
            SimulatedEmitter stranger = new SimulatedEmitter(new StreamId("orders", 0, 1_000 + i), TreeHash.XXH3, true);
            CheckpointRecord zero = stranger.checkpoint().apply(i);
            fold.take(read(unlisted(zero, T + i * 1_000L / each)));
            anybody.take(read(zero));
            strays();
        }
        assertThat(fold.sizeBytes()).as("as much as of anybody").isEqualTo(anybody.sizeBytes());
        fold.endOfLog();

        assertThat(strays().stream().mapToLong(StrayRecord::count).sum())
                .as("none is dropped")
                .isEqualTo((long) seconds * each);
        assertThat(strays()).hasSizeLessThanOrEqualTo(seconds);
    }
}
