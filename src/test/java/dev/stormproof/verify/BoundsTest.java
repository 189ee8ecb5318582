package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** How much is kept at once. */
class BoundsTest {
    @Test
    void boundsLeaveRoomForAPieceOfAHoleBesideAsManyAudits() {
        assertThat(new Bounds(1, 20, 2, 10).audits()).isEqualTo(20);
        assertThat(new Bounds(1, 2, 2, 1).holeOffsets()).isEqualTo(1);
        assertThatThrownBy(() -> new Bounds(0, 20, 2, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Bounds(1, 19, 2, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Bounds(1, 20, 1, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Bounds(1, 20, 2, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
