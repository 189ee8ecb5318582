package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoundsTest {
    @Test
    void oneOfEachIsEnough() {
        assertThat(new Bounds(1, 1, 1, 1).streams()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1, 1", "1, 0, 1, 1", "1, 1, 0, 1", "1, 1, 1, 0"})
    void noneIsNot(int streams, int audits, int pieceRecords, long pieceBytes) {
        assertThatThrownBy(() -> new Bounds(streams, audits, pieceRecords, pieceBytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("streams " + streams + ", audits " + audits + ", records of a piece " + pieceRecords
                        + ", bytes of a piece " + pieceBytes);
    }
}
