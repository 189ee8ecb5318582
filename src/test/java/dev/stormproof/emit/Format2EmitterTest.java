package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.EventSigners;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Interval;
import dev.stormproof.checkpoint.SequenceRange;
import dev.stormproof.checkpoint.StreamId;
import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.TreeHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Named for the transitions of {@link CheckpointEmitter}. */
class Format2EmitterTest {
    private static final StreamId STREAM = new StreamId("orders", 3, 0xabcdef);
    private static final long START = 1_000_000;

    private final List<Hash> signatures = new ArrayList<>();

    private static Format2Emitter emitter(Object... settings) {
        Map<String, Object> all = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            all.put((String) settings[i], settings[i + 1]);
        }
        return new Format2Emitter(STREAM, new EmitterConfig(all));
    }

    private static Format2Emitter opened(Object... settings) throws Exception {
        Format2Emitter emitter = emitter(settings);
        sent(emitter, emitter.seal(START, -1), START);
        return emitter;
    }

    private static Format2Checkpoint sent(Format2Emitter emitter, Optional<Draft> draft, long nowMillis)
            throws Exception {
        emitter.checkpointSent(draft.orElseThrow(), nowMillis);
        return decoded(draft);
    }

    private static Format2Checkpoint decoded(Optional<Draft> draft) throws Exception {
        return CheckpointCodec.decode(draft.orElseThrow().bytes);
    }

    private void events(Format2Emitter emitter, int count, long nowMillis) {
        for (int i = 0; i < count; i++) {
            byte[] value = ("value " + signatures.size()).getBytes(StandardCharsets.UTF_8);
            Hash signature = EventSigners.signatureOf(EventSigners.sha256(), value);
            signatures.add(signature);
            emitter.eventSent(signature, nowMillis);
        }
    }

    private Hash root(long... sequences) {
        Interval interval = new Interval(TreeHash.XXH3, 0, false);
        for (long sequence : sequences) {
            interval.add(sequence, signatures.get((int) sequence));
        }
        return interval.root();
    }

    private static Doubt failed(long begin, long end) {
        return new Doubt(List.of(new SequenceRange(begin, end)), Optional.empty());
    }

    @Test
    void newToOpenWritesNumber0WithAnEmptyIntervalAndAnEmptyChain() throws Exception {
        Format2Emitter emitter = emitter(EmitterConfig.EMITTER_NAME, "shop", EmitterConfig.PROMISE_MS, 5_000L);
        assertThat(emitter.needsOpening()).isTrue();
        assertThat(emitter.isDue(START)).isFalse();
        assertThat(emitter.lastNumber()).isEqualTo(-1);

        Format2Checkpoint first = sent(emitter, emitter.seal(START, -1), START);

        assertThat(first)
                .isEqualTo(new Format2Checkpoint(
                        STREAM,
                        "shop",
                        0,
                        0,
                        0,
                        TreeHash.XXH3,
                        EventSigners.SHA256,
                        32,
                        TreeHash.XXH3.emptyRoot(),
                        Hash.empty(),
                        START,
                        5_000,
                        false,
                        List.of(),
                        -1,
                        first.leaves(),
                        Optional.empty()));
        assertThat(first.leaves().orElseThrow().count()).isZero();
        assertThat(emitter.needsOpening()).isFalse();
        assertThat(emitter.lastNumber()).isZero();
    }

    @Test
    void anEventBeforeNumber0IsAProgrammersError() {
        assertThatThrownBy(() -> events(emitter(), 1, START)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void openToOpenByEventsCountsSequencesFrom0() throws Exception {
        Format2Emitter emitter = opened();
        Hash signature = EventSigners.signatureOf(EventSigners.sha256(), new byte[] {1});
        for (long sequence = 0; sequence < 5; sequence++) {
            EventHeader header = EventHeader.decode(emitter.eventHeader(signature));
            assertThat(header)
                    .isEqualTo(
                            new EventHeader(STREAM.emitter(), sequence, TreeHash.XXH3, EventSigners.SHA256, signature));
            // A header for an event that was then refused changes nothing.
            assertThat(emitter.eventHeader(signature)).isEqualTo(header.encode());
            emitter.eventSent(signature, START);
        }
        assertThat(emitter.eventCount()).isEqualTo(5);
    }

    @Test
    void openToOpenByCheckpointsContinuesTheChain() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 3, START);
        Draft draft = emitter.seal(START + 1, 17).orElseThrow();
        // A draft that was refused is drafted again.
        assertThat(emitter.seal(START + 1, 17).orElseThrow().bytes).isEqualTo(draft.bytes);
        Format2Checkpoint second = sent(emitter, Optional.of(draft), START + 1);
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
        assertThat(third.previousHash()).isEqualTo(CheckpointCodec.chainHash(TreeHash.XXH3, draft.bytes));
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
    void aHeartbeatIsDueAtHalfThePromise() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.PROMISE_MS, 1_000L);
        assertThat(emitter.isDue(START + 499)).isFalse();
        assertThat(emitter.isDue(START + 500)).isTrue();
        Format2Checkpoint heartbeat = sent(emitter, emitter.seal(START + 500, -1), START + 500);
        assertThat(heartbeat.promiseMillis()).isEqualTo(1_000);
        assertThat(emitter.isDue(START + 999)).isFalse();
        assertThat(emitter.isDue(START + 1_000)).isTrue();
    }

    @Test
    void afterAClockThatJumpsBackTimeCountsFromTheJump() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.PROMISE_MS, 1_000L, EmitterConfig.MAX_INTERVAL_MS, 100L);
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
        Draft draft = emitter.seal(START, -1).orElseThrow();
        assertThat(draft.bytes.length).isLessThan(200);
        assertThat(CheckpointCodec.decode(draft.bytes).leaves()).isEmpty();
    }

    @Test
    void sha256AndSha1AreStatedAndUsed() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.TREE_HASH, "sha256", EmitterConfig.EVENT_SIGNER, "sha1");
        Hash signature = EventSigners.signatureOf(EventSigners.sha1(), new byte[] {1});
        emitter.eventSent(signature, START);
        Format2Checkpoint checkpoint = sent(emitter, emitter.seal(START, -1), START);
        assertThat(checkpoint.treeHash()).isEqualTo(TreeHash.SHA256);
        assertThat(checkpoint.signatureAlgorithm()).isEqualTo(EventSigners.SHA1);
        Interval interval = new Interval(TreeHash.SHA256, 0, false);
        interval.add(0, signature);
        assertThat(checkpoint.root()).isEqualTo(interval.root());
    }

    @Test
    void openToEndedWritesAClosingCheckpoint() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 2, START);
        Format2Checkpoint closing = sent(emitter, emitter.closing(START, -1, Doubt.NONE), START);
        assertThat(closing.closing()).isTrue();
        assertThat(closing.number()).isEqualTo(1);
        assertThat(closing.root()).isEqualTo(root(0, 1));
        assertThat(closing.promiseMillis()).isZero();
        assertThat(closing.uncertain()).isEmpty();
        assertThat(emitter.lastNumber()).isEqualTo(1);
        assertThat(emitter.hasUnsealed()).isFalse();
        assertThat(emitter.isDue(START + 1_000_000)).isFalse();
        assertThatThrownBy(() -> events(emitter, 1, START)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void endedToEndedStatesTheSameAtALaterTime() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 3, START);
        Doubt doubt = failed(1, 2);
        Format2Checkpoint first = sent(emitter, emitter.closing(START, -1, doubt), START);
        // The clock stands still, and then goes back.
        Format2Checkpoint second = sent(emitter, emitter.closing(START, -1, doubt), START);
        Format2Checkpoint third = sent(emitter, emitter.closing(START - 10, -1, doubt), START - 10);
        assertThat(List.of(second, third))
                .allSatisfy(again -> assertThat(again)
                        .usingRecursiveComparison()
                        .usingOverriddenEquals()
                        .ignoringFields("createdAtMillis")
                        .isEqualTo(first));
        assertThat(List.of(first, second, third))
                .extracting(Format2Checkpoint::createdAtMillis)
                .containsExactly(START, START + 1, START + 2);
        assertThat(emitter.lastNumber()).isEqualTo(1);
        assertThat(emitter.checkpointCount()).isEqualTo(4);
    }

    @Test
    void newToEndedWritesNothing() {
        assertThat(emitter().closing(START, -1, Doubt.NONE)).isEmpty();
    }

    @Test
    void openToEndedLeavesOutTheEventsInDoubt() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 6, START);
        Doubt doubt = new Doubt(List.of(new SequenceRange(1, 3), new SequenceRange(5, 6)), Optional.empty());
        Format2Checkpoint closing = sent(emitter, emitter.closing(START, -1, doubt), START);
        assertThat(closing.uncertain()).isEqualTo(doubt.events());
        assertThat(closing.eventCount()).isEqualTo(3);
        assertThat(closing.root()).isEqualTo(root(0, 3, 4));
        assertThat(closing.leavesMatchRoot()).isTrue();
        assertThat(closing.nextSequence()).isEqualTo(6);
    }

    @Test
    void openToEndedCannotTakeBackWhatACheckpointThatArrivedStates() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 4, START);
        sent(emitter, emitter.seal(START, -1), START);
        events(emitter, 4, START);
        Format2Checkpoint closing = decoded(emitter.closing(START, -1, failed(2, 6)));
        assertThat(closing.firstSequence()).isEqualTo(4);
        assertThat(closing.uncertain()).containsExactly(new SequenceRange(4, 6));
        assertThat(closing.root()).isEqualTo(root(6, 7));
        assertThat(decoded(emitter.closing(START, -1, failed(2, 3))).uncertain())
                .isEmpty();
    }

    @Test
    void openToEndedWithoutLeavesDoubtsTheWholeInterval() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.DETAIL, "root");
        events(emitter, 6, START);
        Format2Checkpoint closing = decoded(emitter.closing(START, -1, failed(2, 3)));
        assertThat(closing.uncertain()).containsExactly(new SequenceRange(0, 6));
        assertThat(closing.eventCount()).isZero();
        assertThat(closing.root()).isEqualTo(TreeHash.XXH3.emptyRoot());
    }

    @Test
    void openToEndedWithTooManyDoubtsDoubtsTheWholeInterval() throws Exception {
        Format2Emitter emitter = opened(EmitterConfig.MAX_EVENTS, 10_000);
        events(emitter, 2 * Format2Checkpoint.MAX_UNCERTAIN + 2, START);
        List<SequenceRange> everySecond = new ArrayList<>();
        for (int i = 0; i <= Format2Checkpoint.MAX_UNCERTAIN; i++) {
            everySecond.add(new SequenceRange(2L * i, 2L * i + 1));
        }
        Format2Checkpoint closing = decoded(emitter.closing(START, -1, new Doubt(everySecond, Optional.empty())));
        assertThat(closing.uncertain()).containsExactly(new SequenceRange(0, emitter.eventCount()));
        everySecond.remove(0);
        assertThat(decoded(emitter.closing(START, -1, new Doubt(everySecond, Optional.empty())))
                        .uncertain())
                .isEqualTo(everySecond);
    }

    @Test
    void openToEndedTakesThePlaceOfTheFirstCheckpointInDoubt() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 3, START);
        Draft second = emitter.seal(START, -1).orElseThrow();
        emitter.checkpointSent(second, START);
        events(emitter, 2, START);
        Draft third = emitter.seal(START, -1).orElseThrow();
        emitter.checkpointSent(third, START);
        events(emitter, 1, START);

        Doubt doubt = new Doubt(List.of(new SequenceRange(4, 5)), Optional.of(Restatement.of(third)));
        Format2Checkpoint closing = sent(emitter, emitter.closing(START, 99, doubt), START);

        assertThat(closing.number()).isEqualTo(2);
        assertThat(closing.previousHash()).isEqualTo(second.chainHash);
        assertThat(closing.firstSequence()).isEqualTo(3);
        assertThat(closing.uncertain()).containsExactly(new SequenceRange(3, 6));
        assertThat(closing.eventCount()).isZero();
        assertThat(closing.nextSequence()).isEqualTo(6);
    }

    @Test
    void aLostNumber0IsRestatedAsNumber0() throws Exception {
        Format2Emitter emitter = emitter();
        Draft first = emitter.seal(START, -1).orElseThrow();
        emitter.checkpointSent(first, START);
        Doubt doubt = new Doubt(List.of(), Optional.of(Restatement.of(first)));
        Format2Checkpoint closing = decoded(emitter.closing(START, -1, doubt));
        assertThat(closing.number()).isZero();
        assertThat(closing.previousHash()).isEqualTo(Hash.empty());
        assertThat(closing.uncertain()).isEmpty();
    }

    @Test
    void rollbackReturnsToTheMark() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 3, START);
        emitter.mark();
        byte[] header = emitter.eventHeader(signatures.get(0));
        byte[] checkpoint = emitter.seal(START + 9, -1).orElseThrow().bytes;
        long count = emitter.checkpointCount();

        events(emitter, 2, START + 1);
        sent(emitter, emitter.seal(START + 2, -1), START + 2);
        events(emitter, 2, START + 3);
        emitter.rollback();

        assertThat(emitter.eventHeader(signatures.get(0))).isEqualTo(header);
        assertThat(emitter.seal(START + 9, -1).orElseThrow().bytes).isEqualTo(checkpoint);
        assertThat(emitter.checkpointCount()).isEqualTo(count);
        assertThatThrownBy(emitter::rollback).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void rollbackOfTheTransactionThatOpenedReturnsToNew() throws Exception {
        Format2Emitter emitter = emitter();
        emitter.mark();
        sent(emitter, emitter.seal(START, -1), START);
        events(emitter, 2, START);
        emitter.rollback();
        assertThat(emitter.needsOpening()).isTrue();
        assertThat(emitter.eventCount()).isZero();
        assertThat(emitter.lastNumber()).isEqualTo(-1);
    }

    @Test
    void restatementIsThePlaceOfTheMark() throws Exception {
        Format2Emitter emitter = opened();
        events(emitter, 3, START);
        Draft second = emitter.seal(START, -1).orElseThrow();
        emitter.checkpointSent(second, START);
        emitter.mark();
        events(emitter, 3, START);
        sent(emitter, emitter.seal(START, -1), START);
        assertThat(emitter.restatement()).isEqualTo(new Restatement(2, 3, second.chainHash));
    }
}
