package dev.stormproof.verify;

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

    @Test
    void eachStreamAndEachAuditTakesItsShareOfTheMemory() {
        Bounds bounds = new Bounds(2, 8, 1, 1);
        assertThat(new Bounds(3, 8, 1, 1).mostBytes() - bounds.mostBytes())
                .isEqualTo(new Bounds(2, 9, 1, 1).mostBytes() - bounds.mostBytes())
                .isEqualTo(bounds.mostBytes() / 10);
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
