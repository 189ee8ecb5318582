package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.tree.Hash;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class SavedStreamTest {
    private static final Head HEAD = new Head(9, 3, 40, Hash.empty(), 0, false, "", -1, 5, true, true);

    @Test
    void itHoldsOneToEightHeadsAndSixteenDroppedCheckpoints() {
        SavedStream most = stream(8, 16);

        assertThat(most.heads()).hasSize(8);
        assertThat(most.dropped()).hasSize(16);
        assertThat(stream(1, 0).heads()).containsExactly(HEAD);
        assertThatThrownBy(() -> stream(0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("0 heads and 0 dropped checkpoints");
        assertThatThrownBy(() -> stream(9, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> stream(1, 17)).isInstanceOf(IllegalArgumentException.class);
    }

    private static SavedStream stream(int heads, int dropped) {
        return new SavedStream(
                7,
                Collections.nCopies(heads, HEAD),
                true,
                false,
                false,
                false,
                Collections.nCopies(dropped, new SavedStream.Dropped(7, Hash.empty())));
    }
}
