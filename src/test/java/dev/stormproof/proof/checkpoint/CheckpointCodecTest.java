package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.CheckpointFields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CheckpointCodecTest {

    @Test
    void aRootOnlyCheckpointIsSmall() {
        Format2Checkpoint checkpoint = checkpoint(TreeHash.SHA256, 100, false, List.of());
        assertThat(CheckpointCodec.encode(checkpoint)).hasSizeLessThanOrEqualTo(200);
    }

    @Test
    void theMagicTellsFormat2() {
        byte[] bytes = CheckpointCodec.encode(checkpoint(TreeHash.XXH3, 0, false, List.of()));
        assertThat(CheckpointCodec.hasMagic(bytes)).isTrue();
        assertThat(CheckpointCodec.hasMagic("SPCP".getBytes(StandardCharsets.US_ASCII)))
                .isTrue();
        assertThat(CheckpointCodec.hasMagic("SPC".getBytes(StandardCharsets.US_ASCII)))
                .isFalse();
        assertThat(CheckpointCodec.hasMagic("SPCQ".getBytes(StandardCharsets.US_ASCII)))
                .isFalse();
    }

    @Test
    void nothingLargerThanTheLimitIsWrittenOrRead() {
        Format2Checkpoint small = checkpoint(TreeHash.XXH3, 1, true, List.of());
        int limit = CheckpointCodec.MAX_SIZE_BYTES;
        int most = limit - CheckpointCodec.encodedSizeBytes(small) + 32;
        Format2Checkpoint largest = withSignaturesOfOneByte(small, most);
        assertThat(CheckpointCodec.encodedSizeBytes(largest)).isEqualTo(limit);
        assertThat(CheckpointCodec.encode(largest)).hasSize(limit);
        Format2Checkpoint tooLarge = withSignaturesOfOneByte(small, most + 1);
        assertThatThrownBy(() -> CheckpointCodec.encode(tooLarge)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CheckpointCodec.decode(new byte[limit + 1]))
                .isInstanceOfSatisfying(
                        MalformedCheckpointException.class,
                        e -> assertThat(e.position()).isEqualTo(limit));
    }

    @Test
    void whatIsNoCheckpointHasNoChainHash() {
        for (byte[] bytes : List.of(new byte[0], new byte[76], CheckpointVerifierTest.signedWithoutTrailer())) {
            assertThatThrownBy(() -> CheckpointCodec.chainHash(TreeHash.XXH3, bytes))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static Format2Checkpoint withSignaturesOfOneByte(Format2Checkpoint from, int count) {
        return CheckpointFields.changed(from, c -> {
            c.eventCount = count;
            c.signatureAlgorithm = EventSigners.FIRST_SUPPLIED;
            c.signatureSizeBytes = 1;
            c.leaves = Optional.of(Leaves.within(new byte[count], 0, count, 1));
        });
    }

    static Format2Checkpoint checkpoint(
            TreeHash treeHash, int eventCount, boolean withLeaves, List<SequenceRange> uncertain) {
        Interval interval = new Interval(treeHash, 100, true);
        EventSigner signer = new Sha256Signer();
        long sequence = 100;
        while (interval.count() < eventCount) {
            long candidate = sequence++;
            if (uncertain.stream().noneMatch(range -> range.contains(candidate))) {
                byte[] value = ("event-" + candidate).getBytes(StandardCharsets.UTF_8);
                interval.add(candidate, signer.sign(null, value));
            }
        }
        Leaves leaves = interval.leaves();
        return CheckpointFields.checkpoint(new StreamId("orders", 3, 0x0123456789abcdefL), c -> {
            c.over(interval);
            c.emitterName = "billing";
            c.number = 7;
            c.previousHash = Hash.copyOf(new byte[treeHash.sizeBytes()]);
            c.createdAtMillis = 1_700_000_000_000L;
            c.deadlineMillis = 10_000;
            c.closing = true;
            c.uncertain = uncertain;
            c.previousOffsetHint = 42;
            c.leaves = withLeaves ? Optional.of(leaves) : Optional.empty();
        });
    }
}
