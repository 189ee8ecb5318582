package dev.stormproof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.merkle.Hash;
import dev.stormproof.merkle.Leaves;
import dev.stormproof.merkle.TreeHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CheckpointCodecTest {
    @ParameterizedTest
    @EnumSource(names = {"XXH3", "SHA256"})
    void everyFieldComesBack(TreeHash treeHash) throws Exception {
        Format2Checkpoint checkpoint = checkpoint(treeHash, 5, true, List.of(new SequenceRange(101, 104)));
        assertThat(CheckpointCodec.decode(CheckpointCodec.encode(checkpoint))).isEqualTo(checkpoint);
        assertThat(checkpoint.leavesMatchRoot()).isTrue();
        assertThat(checkpoint.nextSequence()).isEqualTo(108);
    }

    @Test
    void aRootOnlyCheckpointIsSmall() {
        Format2Checkpoint checkpoint = checkpoint(TreeHash.SHA256, 100, false, List.of());
        assertThat(CheckpointCodec.encode(checkpoint)).hasSizeLessThanOrEqualTo(200);
    }

    static Format2Checkpoint checkpoint(
            TreeHash treeHash, int eventCount, boolean withLeaves, List<SequenceRange> uncertain) {
        Interval interval = new Interval(treeHash, 100, true);
        EventSigner signer = EventSigners.sha256();
        long sequence = 100;
        while (interval.count() < eventCount) {
            long candidate = sequence++;
            if (uncertain.stream().noneMatch(range -> range.contains(candidate))) {
                byte[] value = ("event-" + candidate).getBytes(StandardCharsets.UTF_8);
                interval.add(candidate, EventSigners.signatureOf(signer, value));
            }
        }
        Leaves leaves = interval.leaves();
        return new Format2Checkpoint(
                new StreamId("orders", 3, 0x0123456789abcdefL),
                "billing",
                7,
                100,
                eventCount,
                treeHash,
                EventSigners.SHA256,
                32,
                interval.root(),
                Hash.copyOf(new byte[treeHash.sizeBytes()]),
                1_700_000_000_000L,
                10_000,
                true,
                uncertain,
                42,
                withLeaves ? Optional.of(leaves) : Optional.empty(),
                Optional.empty());
    }
}
