package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.verify.AuditTask.OfHole;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ranges that were missed: how they grow together, and how they are read. */
class HolesTest {
    private final Holes holes = new Holes(2, 10);

    /** Reads everything and returns what was asked for. */
    private List<OfHole> readAll() {
        List<OfHole> pieces = new ArrayList<>();
        for (Optional<OfHole> piece = holes.ask(); piece.isPresent(); piece = holes.ask()) {
            pieces.add(piece.get());
            assertThat(holes.answered(piece.get(), piece.get().endOffset())).isTrue();
        }
        return pieces;
    }

    @Test
    void anEmptyRangeIsNoHole() {
        holes.add(5, 5);
        holes.add(6, 5);
        assertThat(holes.isEmpty()).isTrue();
        assertThat(holes.count()).isZero();
        assertThat(holes.beginOffset()).isEqualTo(Long.MAX_VALUE);
        assertThat(holes.ask()).isEmpty();
    }

    @Test
    void rangesApartAreReadFromTheLowest() {
        holes.add(20, 22);
        holes.add(1, 3);
        assertThat(holes.isEmpty()).isFalse();
        assertThat(holes.count()).isEqualTo(2);
        assertThat(holes.beginOffset()).isEqualTo(1);
        assertThat(readAll()).containsExactly(new OfHole(1, 3), new OfHole(20, 22));
        assertThat(holes.isEmpty()).isTrue();
    }

    @Test
    void rangesThatTouchAreOne() {
        holes.add(3, 5);
        holes.add(5, 7);
        assertThat(holes.count()).isEqualTo(1);
        holes.add(1, 3);
        assertThat(holes.count()).isEqualTo(1);
        assertThat(readAll()).containsExactly(new OfHole(1, 7));
    }

    @Test
    void rangesThatOverlapAreOne() {
        holes.add(3, 6);
        holes.add(1, 4);
        holes.add(2, 3);
        holes.add(5, 8);
        assertThat(readAll()).containsExactly(new OfHole(1, 8));
    }

    @Test
    void aRangeOverSeveralTakesThemIn() {
        holes.add(3, 4);
        holes.add(6, 7);
        holes.add(1, 9);
        assertThat(readAll()).containsExactly(new OfHole(1, 9));
    }

    @Test
    void beyondTheBoundTheTwoHighestBecomeOneOverWhatLiesBetween() {
        holes.add(1, 2);
        holes.add(8, 9);
        holes.add(5, 6);
        assertThat(holes.count()).isEqualTo(2);
        assertThat(readAll()).containsExactly(new OfHole(1, 2), new OfHole(5, 9));
    }

    @Test
    void aLargeHoleIsReadPieceByPiece() {
        holes.add(0, 25);
        assertThat(readAll()).containsExactly(new OfHole(0, 10), new OfHole(10, 20), new OfHole(20, 25));
    }

    @Test
    void oneIsAskedForAtATime() {
        holes.add(0, 25);
        assertThat(holes.ask()).isPresent();
        assertThat(holes.ask()).isEmpty();
    }

    @Test
    void whatWasNotReadIsAskedForAgain() {
        holes.add(0, 8);
        OfHole piece = holes.ask().orElseThrow();
        assertThat(holes.answered(piece, 5)).isTrue();
        assertThat(holes.beginOffset()).isEqualTo(5);
        assertThat(readAll()).containsExactly(new OfHole(5, 8));
    }

    @Test
    void whatWasAddedBelowWhileReadingStays() {
        holes.add(5, 8);
        OfHole piece = holes.ask().orElseThrow();
        holes.add(2, 5);
        assertThat(holes.answered(piece, 8)).isTrue();
        assertThat(readAll()).containsExactly(new OfHole(2, 5));
    }

    @Test
    void anAnswerThatWasForgottenDoesNotCount() {
        holes.add(5, 8);
        OfHole piece = holes.ask().orElseThrow();
        holes.forgetAnswers();
        assertThat(holes.answered(piece, 8)).isFalse();
        assertThat(readAll()).containsExactly(new OfHole(5, 8));
    }

    @Test
    void ofEqualPiecesOnlyTheLastAnswerCounts() {
        holes.add(5, 8);
        OfHole first = holes.ask().orElseThrow();
        holes.forgetAnswers();
        OfHole second = holes.ask().orElseThrow();
        assertThat(first).isEqualTo(second);
        assertThat(holes.answered(first, 8)).isFalse();
        assertThat(holes.count()).isEqualTo(1);
        assertThat(holes.answered(second, 8)).isTrue();
        assertThat(holes.isEmpty()).isTrue();
    }
}
