package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.CheckpointFields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class Format2CheckpointTest {
    /** A checkpoint in the making, with nothing wrong. */
    private static CheckpointFields fields() {
        CheckpointFields fields = new CheckpointFields(new StreamId("orders", 0, 5));
        fields.emitterName = "billing";
        fields.number = 1;
        fields.firstSequence = 10;
        fields.eventCount = 2;
        fields.signatureAlgorithm = EventSigners.XXH3_KEY_VALUE;
        fields.signatureSizeBytes = 16;
        fields.root = Hash.copyOf(new byte[8]);
        fields.previousHash = Hash.copyOf(new byte[8]);
        fields.uncertain = new ArrayList<>();
        fields.leaves = Optional.of(Leaves.within(new byte[32], 0, 2, 16));
        fields.keyId = Optional.of("k");
        return fields;
    }

    static Stream<Named<Consumer<CheckpointFields>>> mistakes() {
        return Stream.of(
                named("emitter 0", f -> f.stream = new StreamId("orders", 0, 0)),
                named("topic with a space", f -> f.stream = new StreamId("a b", 0, 5)),
                named("topic too long", f -> f.stream = new StreamId("t".repeat(250), 0, 5)),
                named("topic .", f -> f.stream = new StreamId(".", 0, 5)),
                named("topic ..", f -> f.stream = new StreamId("..", 0, 5)),
                named("name with a line feed", f -> f.emitterName = "a\nb"),
                named("name with a next line", f -> f.emitterName = "a\u0085b"),
                named("name with half a character", f -> f.emitterName = "a\ud83c"),
                named("name with the other half", f -> f.emitterName = "\udfedb"),
                named("name with halves in the wrong order", f -> f.emitterName = "\udfed\ud83c"),
                named("name of 256 bytes in ASCII", f -> f.emitterName = "n".repeat(256)),
                named("name of 256 bytes in two each", f -> f.emitterName = "ü".repeat(128)),
                named("name of 258 bytes in three each", f -> f.emitterName = "倉".repeat(86)),
                named("name of 256 bytes in four each", f -> f.emitterName = "🏭".repeat(64)),
                named("number -1", f -> f.number = -1),
                named("first sequence -1", f -> f.firstSequence = -1),
                named("number 0 beyond sequence 0", f -> {
                    f.number = 0;
                    f.previousHash = Hash.empty();
                }),
                named("event count -1", f -> f.eventCount = -1),
                named("event count beyond 31 bits", f -> {
                    f.eventCount = 1L << 31;
                    f.leaves = Optional.empty();
                }),
                named("sequences beyond 63 bits", f -> f.firstSequence = Long.MAX_VALUE - 1),
                named("tree hash of format 1", f -> f.treeHash = TreeHash.ADLER32),
                named("reserved algorithm", f -> f.signatureAlgorithm = 3),
                named("algorithm 256", f -> f.signatureAlgorithm = 256),
                named("SHA-1 of other size", f -> f.signatureSizeBytes = 21),
                named("supplied signature of 0 bytes", f -> {
                    f.signatureAlgorithm = 128;
                    f.signatureSizeBytes = 0;
                    f.leaves = Optional.empty();
                }),
                named("supplied signature of 256 bytes", f -> {
                    f.signatureAlgorithm = 128;
                    f.signatureSizeBytes = 256;
                    f.leaves = Optional.empty();
                }),
                named("root of other size", f -> f.root = Hash.copyOf(new byte[9])),
                named("no previous hash", f -> f.previousHash = Hash.empty()),
                named("a previous hash of number 0", f -> {
                    f.number = 0;
                    f.firstSequence = 0;
                }),
                named("created before 1970", f -> f.createdAtMillis = -1),
                named("negative deadline", f -> f.deadlineMillis = -1),
                named("hint -2", f -> f.previousOffsetHint = -2),
                named("uncertain before the interval", f -> f.uncertain.add(new SequenceRange(9, 10))),
                named("uncertain beyond the interval", f -> f.uncertain.add(new SequenceRange(13, 14))),
                named("uncertain ranges that touch", f -> {
                    f.uncertain.add(new SequenceRange(10, 11));
                    f.uncertain.add(new SequenceRange(11, 12));
                }),
                named("uncertain ranges in another order", f -> {
                    f.uncertain.add(new SequenceRange(12, 13));
                    f.uncertain.add(new SequenceRange(10, 11));
                }),
                named("1001 uncertain ranges", f -> {
                    for (long i = 0; i <= 1_000; i++) {
                        f.uncertain.add(new SequenceRange(10 + 2 * i, 11 + 2 * i));
                    }
                    f.eventCount = 2_000;
                    f.leaves = Optional.empty();
                }),
                named("too few leaves", f -> f.leaves = Optional.of(Leaves.within(new byte[16], 0, 1, 16))),
                named("leaves of other size", f -> f.leaves = Optional.of(Leaves.within(new byte[40], 0, 2, 19))),
                named("empty key id", f -> f.keyId = Optional.of("")),
                named("key id too long", f -> f.keyId = Optional.of("k".repeat(65))),
                named("key id beyond ASCII", f -> f.keyId = Optional.of("schlüssel")));
    }

    static Stream<Named<Consumer<CheckpointFields>>> extremes() {
        return Stream.of(
                named("nothing", f -> {}),
                named("longest topic", f -> f.stream = new StreamId("azAZ09._-" + "t".repeat(240), 0, 5)),
                named("topic ...", f -> f.stream = new StreamId("...", 0, 5)),
                named("name of 255 bytes in ASCII", f -> f.emitterName = "n".repeat(255)),
                named("name of 254 bytes in two each", f -> f.emitterName = "\u07ff".repeat(127)),
                named("name of 255 bytes in three each", f -> f.emitterName = "\u0800".repeat(85)),
                named("name of 252 bytes in four each", f -> f.emitterName = "🏭".repeat(63)),
                named("no name", f -> f.emitterName = ""),
                named("last sequences", f -> f.firstSequence = Long.MAX_VALUE - 2),
                named("most events", f -> {
                    f.eventCount = Integer.MAX_VALUE;
                    f.leaves = Optional.empty();
                }),
                named("supplied signatures of 255 bytes", f -> {
                    f.signatureAlgorithm = 255;
                    f.signatureSizeBytes = 255;
                    f.leaves = Optional.empty();
                }),
                named("supplied signatures of 1 byte", f -> {
                    f.signatureAlgorithm = 128;
                    f.signatureSizeBytes = 1;
                    f.leaves = Optional.empty();
                }),
                named("1000 uncertain ranges", f -> {
                    for (long i = 0; i < 1_000; i++) {
                        f.uncertain.add(new SequenceRange(10 + 2 * i, 11 + 2 * i));
                    }
                    f.eventCount = 999;
                    f.leaves = Optional.empty();
                }),
                named("longest key id", f -> f.keyId = Optional.of("k".repeat(64))),
                named("hint 0", f -> f.previousOffsetHint = 0));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsRefused(Consumer<CheckpointFields> mistake) {
        CheckpointFields fields = fields();
        mistake.accept(fields);
        assertThatThrownBy(fields::make)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("null");
    }

    @ParameterizedTest
    @MethodSource("extremes")
    void anExtremeIsAllowedAndComesBack(Consumer<CheckpointFields> extreme) throws Exception {
        CheckpointFields fields = fields();
        extreme.accept(fields);
        fields.make();
        fields.keyId = Optional.empty();
        Format2Checkpoint checkpoint = fields.make();
        assertThat(CheckpointCodec.decode(CheckpointCodec.encode(checkpoint))).isEqualTo(checkpoint);
    }

    @Test
    void uncertainSequencesAreCountedBesidesTheEvents() {
        CheckpointFields fields = fields();
        Collections.addAll(fields.uncertain, new SequenceRange(10, 13), new SequenceRange(14, 15));
        Format2Checkpoint checkpoint = fields.make();
        assertThat(checkpoint.uncertainCount()).isEqualTo(4);
        assertThat(checkpoint.nextSequence()).isEqualTo(16);
        fields.uncertain.clear();
        assertThat(checkpoint.uncertain()).hasSize(2);
    }

    @Test
    void inShortItsUncertainRangesAreOneAndItsLeavesAreLeftOut() {
        CheckpointFields fields = fields();
        Collections.addAll(fields.uncertain, new SequenceRange(10, 13), new SequenceRange(14, 15));
        Format2Checkpoint inShort = fields.make().inShort();
        assertThat(inShort.uncertain()).containsExactly(new SequenceRange(10, 14));
        assertThat(inShort.nextSequence()).isEqualTo(16);
        assertThat(inShort.leaves()).isEmpty();

        fields.uncertain.clear();
        assertThat(fields.make().inShort()).isEqualTo(fields.make().withoutLeaves());
        assertThat(fields.make().withoutLeaves().leaves()).isEmpty();
        assertThat(fields.make().withoutLeaves().root()).isEqualTo(fields.root);
    }

    @Test
    void itsRecordIsKeptInShortOrWithoutLeavesAtTheSamePlace() {
        CheckpointFields fields = fields();
        CheckpointRecord record = new CheckpointRecord(7, fields.make(), fields.previousHash, 9);
        assertThat(record.withoutLeaves().checkpoint()).isEqualTo(fields.make().withoutLeaves());
        assertThat(record.inShort().checkpoint()).isEqualTo(fields.make().inShort());
        assertThat(record.inShort().offset()).isEqualTo(7);
        assertThat(record.withoutLeaves().withoutLeaves()).isEqualTo(record.withoutLeaves());
    }

    @Test
    void rangesOfSequencesAreNotEmptyAndAreWrittenAsFarAsTheNext() {
        assertThat(new SequenceRange(0, 1)).hasToString("[0, 1)");
        assertThatThrownBy(() -> new SequenceRange(3, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SequenceRange(-1, 3)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void leavesMatchOnlyTheRootOverTheirSequences() {
        Format2Checkpoint matching =
                CheckpointCodecTest.checkpoint(TreeHash.XXH3, 5, true, List.of(new SequenceRange(100, 102)));
        assertThat(matching.leavesMatchRoot()).isTrue();
        CheckpointFields fields = fields();
        assertThat(fields.make().leavesMatchRoot()).isFalse();
        fields.leaves = Optional.empty();
        assertThat(fields.make().leavesMatchRoot()).isFalse();
    }

    @Test
    void aSignedCheckpointIsNotWrittenWithoutItsKey() {
        assertThatThrownBy(() -> CheckpointCodec.encode(fields().make()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("k");
    }

    private static Named<Consumer<CheckpointFields>> named(String name, Consumer<CheckpointFields> change) {
        return Named.of(name, change);
    }
}
