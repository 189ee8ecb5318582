package dev.stormproof.verify.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DeliveryLinkTest {
    @Test
    void aRecordLiesBehindTheOneBeforeIt() {
        assertThat(new DeliveryLink(5, 4, 0).previous()).isEqualTo(4);
        assertThatThrownBy(() -> new DeliveryLink(5, 5, 0)).hasMessage("offset 5 after 5");
        assertThatThrownBy(() -> new DeliveryLink(5, 6, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void offsetsBeginAt0() {
        assertThat(new DeliveryLink(0, -1, 0).offset()).isZero();
        assertThatThrownBy(() -> new DeliveryLink(-1, -2, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
