package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The place of a record in the chain of offsets. */
class LinkTest {
    @Test
    void aRecordLiesBehindItsPreviousOneUnlessAReaderStarts() {
        assertThatThrownBy(() -> new Link(-1, -2, false, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Link(5, 5, false, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Link(5, 6, false, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new Link(5, 6, true, 0, 0).previous()).isEqualTo(6);
        assertThat(new Link(0, -1, false, 0, 0).offset()).isZero();
        assertThat(Link.start(5)).isEqualTo(new Link(5, 4, true, Link.NO_EPOCH, 0));
        assertThat(Link.contiguous(5)).isEqualTo(new Link(5, 4, false, Link.NO_EPOCH, 0));
    }
}
