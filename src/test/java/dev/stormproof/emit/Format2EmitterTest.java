package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Xxh3Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.CheckpointFields;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Named for the transitions of {@link CheckpointEmitter} from NEW and OPEN to OPEN. */
class Format2EmitterTest extends Format2Fixture {
    @Test
    void newToOpenWritesNumber0WithAnEmptyIntervalAndAnEmptyChain() throws Exception {
        Format2Emitter emitter = emitter(EmitterConfig.EMITTER_NAME, "shop", EmitterConfig.DEADLINE_MS, 5_000L);
        assertThat(emitter.needsOpening()).isTrue();
        assertThat(emitter.isDue(START)).isFalse();
        assertThat(emitter.lastNumber()).isEqualTo(-1);

        Format2Checkpoint first = sent(emitter, emitter.seal(START, -1), START);

        assertThat(first).isEqualTo(CheckpointFields.checkpoint(STREAM, c -> {
            c.emitterName = "shop";
            c.signatureAlgorithm = EventSigners.XXH3_KEY_VALUE;
            c.signatureSizeBytes = 16;
            c.createdAtMillis = START;
            c.deadlineMillis = 5_000;
            c.leaves = first.leaves();
        }));
        assertThat(first.leaves().orElseThrow().count()).isZero();
        assertThat(emitter.needsOpening()).isFalse();
        assertThat(emitter.lastNumber()).isZero();
    }

    @Test
    void newToOpenByAnEventIsIllegal() {
        assertThatThrownBy(() -> events(emitter(), 1, START))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("cannot go from NEW to OPEN");
    }

    @Test
    void openToOpenByEventsCountsSequencesFrom0() throws Exception {
        Format2Emitter emitter = opened();
        Hash signature = new Xxh3Signer().sign(null, new byte[] {1});
        for (long sequence = 0; sequence < 5; sequence++) {
            EventHeader header = EventHeader.decode(
                    emitter.eventHeader(signature.toByteArray()).value());
            assertThat(header)
                    .isEqualTo(new EventHeader(
                            STREAM.emitter(), sequence, TreeHash.XXH3, EventSigners.XXH3_KEY_VALUE, signature));
            // A header for an event that was then refused changes nothing.
            assertThat(emitter.eventHeader(signature.toByteArray()).value()).isEqualTo(header.encode());
            emitter.eventSent(header.encode(), START);
        }
        assertThat(emitter.eventCount()).isEqualTo(5);
    }

    @Test
    void openToOpenByCheckpointsContinuesTheChain() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 3, START);
        PendingCheckpoint pending = emitter.seal(START + 1, 17).orElseThrow();
        // A checkpoint that was refused is handed out again.
        assertThat(emitter.seal(START + 1, 17).orElseThrow().bytes).isEqualTo(pending.bytes);
        Format2Checkpoint second = sent(emitter, Optional.of(pending), START + 1);
        events(emitter, 2, START + 2);
        Format2Checkpoint third = sent(emitter, emitter.seal(START + 3, -1), START + 3);
        Format2Checkpoint heartbeat = sent(emitter, emitter.seal(START + 4, -1), START + 4);

        assertThat(second.number()).isEqualTo(1);
        assertThat(second.firstSequence()).isZero();
        assertThat(second.root()).isEqualTo(root(0, 1, 2));
        assertThat(second.previousOffsetHint()).isEqualTo(17);
        assertThat(third.number()).isEqualTo(2);
        assertThat(third.firstSequence()).isEqualTo(3);
        assertThat(third.eventCount()).isEqualTo(2);
        assertThat(third.root()).isEqualTo(root(3, 4));
        assertThat(third.previousHash()).isEqualTo(CheckpointCodec.chainHash(TreeHash.XXH3, pending.bytes));
        assertThat(third.leavesMatchRoot()).isTrue();
        assertThat(heartbeat.number()).isEqualTo(3);
        assertThat(heartbeat.firstSequence()).isEqualTo(5);
        assertThat(heartbeat.eventCount()).isZero();
    }

    @Test
    void aCheckpointIsDueByCount() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.MAX_EVENTS, 3);
        events(emitter, 2, START);
        assertThat(emitter.isFull()).isFalse();
        assertThat(emitter.isDue(START)).isFalse();
        events(emitter, 1, START);
        assertThat(emitter.isFull()).isTrue();
        assertThat(emitter.isDue(START)).isTrue();
        sent(emitter, emitter.seal(START, -1), START);
        assertThat(emitter.isDue(START)).isFalse();
    }

    @Test
    void aCheckpointIsDueByTimeSinceItsFirstEvent() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.MAX_INTERVAL_MS, 100L);
        events(emitter, 1, START + 50);
        events(emitter, 1, START + 140);
        assertThat(emitter.isDue(START + 149)).isFalse();
        assertThat(emitter.isDue(START + 150)).isTrue();
        assertThat(emitter.isFull()).isFalse();
    }

    @Test
    void aCheckpointIsDueBySizeAndStaysBelowIt() throws Exception {
        int maxBytes = 5_000;
        Format2Emitter emitter = opened(EmitterConfig.MAX_BYTES, maxBytes, EmitterConfig.MAX_EVENTS, 1_000_000);
        while (!emitter.isFull()) {
            events(emitter, 1, START);
        }
        assertThat(emitter.seal(START, -1).orElseThrow().bytes).hasSizeBetween(3_900, maxBytes);
    }

    @Test
    void aHeartbeatIsDueAtHalfTheDeadline() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.DEADLINE_MS, 1_000L);
        assertThat(emitter.isDue(START + 499)).isFalse();
        assertThat(emitter.isDue(START + 500)).isTrue();
        Format2Checkpoint heartbeat = sent(emitter, emitter.seal(START + 500, -1), START + 500);
        assertThat(heartbeat.deadlineMillis()).isEqualTo(1_000);
        assertThat(emitter.isDue(START + 999)).isFalse();
        assertThat(emitter.isDue(START + 1_000)).isTrue();
    }

    @Test
    void afterAClockThatJumpsBackTimeCountsFromTheJump() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.DEADLINE_MS, 1_000L, EmitterConfig.MAX_INTERVAL_MS, 100L);
        events(emitter, 1, START);
        long earlier = START - 500_000;
        assertThat(emitter.isDue(earlier)).isFalse();
        assertThat(emitter.isDue(earlier + 100)).isTrue();
        sent(emitter, emitter.seal(earlier + 100, -1), earlier + 100);
        assertThat(emitter.isDue(earlier + 600)).isTrue();
    }

    @Test
    void detailRootKeepsNoLeaves() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.DETAIL, "root", EmitterConfig.MAX_EVENTS, 100_000);
        events(emitter, 1_000, START);
        PendingCheckpoint pending = emitter.seal(START, -1).orElseThrow();
        assertThat(pending.bytes.length).isLessThan(200);
        assertThat(CheckpointCodec.decode(pending.bytes).leaves()).isEmpty();
    }

    @Test
    void restoreReturnsToTheSavedState() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 3, START);
        StreamState saved = emitter.savedState();
        byte[] header = emitter.eventHeader(signatures.get(0).toByteArray()).value();
        byte[] checkpoint = emitter.seal(START + 9, -1).orElseThrow().bytes;
        long count = emitter.eventCount();

        events(emitter, 2, START + 1);
        sent(emitter, emitter.seal(START + 2, -1), START + 2);
        events(emitter, 2, START + 3);
        emitter.restore(saved);

        assertThat(emitter.eventHeader(signatures.get(0).toByteArray()).value()).isEqualTo(header);
        assertThat(emitter.seal(START + 9, -1).orElseThrow().bytes).isEqualTo(checkpoint);
        assertThat(emitter.eventCount()).isEqualTo(count);
    }

    @Test
    void openToNewByRestore() throws Exception {
        Format2Emitter emitter = emitter();
        StreamState saved = emitter.savedState();
        sent(emitter, emitter.seal(START, -1), START);
        events(emitter, 2, START);
        emitter.restore(saved);
        assertThat(emitter.needsOpening()).isTrue();
        assertThat(emitter.eventCount()).isZero();
        assertThat(emitter.lastNumber()).isEqualTo(-1);
    }

    @Test
    void aSavedStateHasThePositionOfTheNextCheckpoint() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 3, START);
        PendingCheckpoint second = emitter.seal(START, -1).orElseThrow();
        emitter.checkpointSent(second, START);
        StreamState saved = emitter.savedState();
        events(emitter, 3, START);
        sent(emitter, emitter.seal(START, -1), START);
        assertThat(saved.position()).isEqualTo(new CheckpointPosition(2, 3, second.chainHash));
    }
}
