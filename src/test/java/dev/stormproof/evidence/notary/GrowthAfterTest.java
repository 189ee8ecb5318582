package dev.stormproof.evidence.notary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a tree grew behind a note, made of the leaves that were kept. */
class GrowthAfterTest {
    private static final int BYTES = NotedTree.HASH_BYTES;

    private final PaperPartition partition =
            new PaperPartition().append(100).note().append(600).note();
    private final Note earlier = partition.notes.get(0);
    private final Note later = partition.notes.get(1);
    private final List<Long> asked = new ArrayList<>();

    private byte[] leaves(long begin, long end) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        partition.records.values().forEach(text -> {
            byte[] hash = new byte[BYTES];
            PaperPartition.leaf(text).hashTo(hash, 0);
            all.writeBytes(hash);
        });
        asked.add(end - begin);
        return Arrays.copyOfRange(all.toByteArray(), (int) begin * BYTES, (int) end * BYTES);
    }

    /** However many there are: no array holds the leaves of a large tree. */
    @Test
    void keptLeavesAreReadATileAtATime() {
        GrowthAfter growth = new GrowthAfter(earlier);

        assertThat(growth.addKept(this::leaves, 700)).isTrue();
        assertThat(growth.to(later)).isPresent();
        assertThat(asked).containsExactly(156L, 256L, 188L);
    }

    @Test
    void otherLeavesAreNoGrowthOfANote() {
        GrowthAfter growth = new GrowthAfter(earlier);

        assertThat(growth.addKept((begin, end) -> new byte[(int) (end - begin) * BYTES], 700))
                .isTrue();
        assertThat(growth.to(later)).isEmpty();
    }

    @Test
    void aTileThatIsMissingEndsIt() {
        KeptLeaves gone = (begin, end) -> end <= 512 ? leaves(begin, end) : null;

        assertThat(new GrowthAfter(earlier).addKept(gone, 700)).isFalse();
    }
}
