package dev.stormproof.verify.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.stormproof.testing.ChainLog;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the {@linkplain ChainVerifier chain of heads} answers otherwise than a search of the log did: one drawn log for each changed
 * answer.
 */
class ChangedAnswersTest {
    static Stream<Arguments> changedAnswers() {
        return Stream.of(
                arguments("a violated interval has one verdict, once its stream goes on", """
                        #0 e0 #1 ► Verified 0 @0..0 · 1
                        e2 · 1
                        e3 #2 ► Verified 2 @3..5 ► Violated 1 @2: LOST 1 · 6
                        """),
                arguments("it has one, too, if its stream is overdue", """
                        #0 e0 #1 ► Verified 0 @0..0 · 1
                        ⏳ ► Violated 1 @2: LOST 1 · 3
                        """),
                arguments("a lost checkpoint is named once another one continues its successor", """
                        #0 e0 e1 #1 e2 e3 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        e6 e7 #4 ► Violated 3 @8: CHECKPOINT_LOST 2 @8 ► Verified 4 @9..11 by the log · 12
                        """),
                arguments("or once the successor is overdue", """
                        #0 e0 e1 #1 e2 e3 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► Violated 3 @8: CHECKPOINT_LOST 2 @8 · 9
                        """),
                arguments("of two checkpoints in the wrong order the one that came early is violated", """
                        #0 e0 e1 #1 #3 e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @5..7 ► Violated 3~ @4: CHAIN_BROKEN 3 @4 · 8
                        e4 e5 e6 e7 #4 · 8
                        e8 e9 #5 ► Verified 5 @13..15 ► Violated 4 @12: REORDERED 4 @8, REORDERED 5 @9 · 16
                        """),
                arguments(
                        "the copy of a checkpoint before its predecessor takes its place, and the other one is repeated",
                        """
                        #0 #2 e0 e1 #1 e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @2..4 ► Violated 2~ @1: CHAIN_BROKEN 2 @1 ► REPEATED_CHECKPOINT @7 · 5
                        e4 e5 #3 · 5
                        e6 e7 #4 ► Verified 4 @11..13 ► Violated 3 @10: REORDERED 2 @5, REORDERED 3 @6 · 14
                        """),
                arguments("a stretch that was written again is duplicated", """
                        #0 e0 e1 #1 e2 e3 #2 e0 e1 #1 e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 ► REPEATED_CHECKPOINT @9 ► REPEATED_CHECKPOINT @12 · 7
                        e4 e5 #3 · 7
                        e6 e7 #4 ► Verified 4 @16..18 ► Violated 3 @15: DUPLICATED 0 @7, DUPLICATED 1 @8, DUPLICATED 2 @10, DUPLICATED 3 @11 · 19
                        """),
                arguments("also if it was written far before, as long as everything was verified", """
                        #0 e0 e1 #1 e2 e3 #2 e4 e5 #3 e6 e7 #4 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 ► Verified 3 @7..9 ► Verified 4 @10..12 · 13
                        e0 e8 e9 #5 · 13
                        e10 e11 #6 ► Verified 6 @17..19 ► Violated 5 @16: DUPLICATED 0 @13 · 20
                        """),
                arguments("else it is out of reach", """
                        #0 e0 #1 e2 e3 #2 e4 e5 #3 e6 e7 #4 ► Verified 0 @0..0 ► Verified 2 @3..5 ► Violated 1 @2: LOST 1 ► Verified 3 @6..8 ► Verified 4 @9..11 · 12
                        e0 e8 e9 #5 · 12
                        e10 e11 #6 ► Verified 6 @16..18 ► Violated 5 @15: OUT_OF_REACH 0 @12 · 19
                        """),
                arguments("copies are counted in the interval and beside it", """
                        #0 e0 e0 e1 #1 e2 e3 #2 e4 e5 #3 e4 e4 e6 e7 #4 e4 e8 e9 #5 ► Verified 0 @0..0 ► Verified 2 @5..7 ► Violated 1 @4: DUPLICATED 0 @2 ► Verified 3 @8..10 ► Violated 4 @15: DUPLICATED 4 @11 x4 · 16
                        e10 e11 #6 ► Verified 6 @20..22 ► Violated 5 @19: OUT_OF_REACH 4 @16 · 23
                        """),
                arguments("after a restart a stream goes on as if the verifier had never stopped", """
                        #0 e0 e1 #1 e2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        │ · 4
                        e3 #2 ► Verified 2 @4..6 · 7
                        e0 e1 #1 ► REPEATED_CHECKPOINT @9 · 7
                        │ ► REPEATED_CHECKPOINT @9 · 7
                        #2 e4 e5 #3 ► REPEATED_CHECKPOINT @10 · 7
                        #4 ► Violated 3 @13: DUPLICATED 0 @7, DUPLICATED 1 @8 · 14
                        """),
                arguments("of a stream of which nothing is known the first interval is unanchored", """
                        x ► UNSIGNED @0 · 1
                        │ nothing · 1
                        e2 e3 #2 ► UNANCHORED 2 @3 · 4
                        e4 e5 #3 ► Verified 3 @4..6 · 7
                        """),
                arguments("the copy of a stream that lies before what is known is verified", """
                        #0 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        │ nothing · 4
                        #0 e0 e1 #1 ► Verified 0 @4..4 ► Verified 1 @5..7 · 8
                        """),
                arguments("of two checkpoints of one number the first one in its place counts", """
                        #0 e0 e1 #1 #1' ► Verified 0 @0..0 ► Verified 1 @1..3 ► FORKED_CHECKPOINT @4 · 5
                        e2 e3 #2 ► Verified 2 @5..7 · 8
                        """),
                arguments("the one that came before its place is off the chain", """
                        #0 #3' e0 e1 #1 e2 e3 #2 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @2..4 ► Violated 3~ @1: CHAIN_BROKEN 3 @1 ► Verified 2 @5..7 ► Verified 3 @8..10 · 11
                        """),
                arguments("a forged checkpoint is off the chain", """
                        #0 e0 e1 #1 #7' e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @5..7 ► Violated 7~ @4: CHAIN_BROKEN 7 @4 · 8
                        e4 e5 #3 ► Verified 3 @8..10 · 11
                        """),
                arguments("two that continue one another divert it", """
                        #0 e0 e1 #1 #2" #3" e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Violated 2 @4: LOST 2..4 ► LATE_CHECKPOINT @8 · 5
                        e4 e5 #3 ► FORKED_CHECKPOINT @11 · 5
                        """),
                arguments("what was off the chain beside a forged one is a repetition where it lies once more", """
                        #0 e0 e1 #1 #3 e2 e3 #2' e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @5..7 ► Violated 3~ @4: CHAIN_BROKEN 3 @4 ► REPEATED_CHECKPOINT @10 · 8
                        """),
                arguments("after a closing checkpoint every checkpoint is a stray, and the events are counted", """
                        #0 e0 e1 #1. e1 e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► LATE_CHECKPOINT @7 · 4
                        ⏳ ► UNSEALED 2 @6 of 2 · 8
                        """),
                arguments(
                        "an end in doubt that names no head that is known is uncertain, and nothing is compared with it",
                        """
                        x ► UNSIGNED @0 · 1
                        │ nothing · 1
                        #3 e6 e7 #4 ~e8 ► UNANCHORED 3 @1 ► Verified 4 @2..4 · 5
                        #2?4 ► UNCERTAIN 2~ @6 · 7
                        """),
                arguments("an end in doubt takes back what is missing", """
                        #0 e0 e1 #1 e2 #2 e4 #3<3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #2?3 ► UNCERTAIN 2 @5 ► UNCERTAIN 3 @7 ► UNCERTAIN 2~ @8 · 9
                        """),
                arguments("also of candidates, and of one that came early", """
                        #0 e0 e1 #1 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #2?3 ► UNCERTAIN 3~ @6 ► UNCERTAIN 2 @7 · 8
                        """),
                arguments("a verdict of such an end, which is closed after one that came early", """
                        #0 #2 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @2..4 ► Violated 2~ @1: CHAIN_BROKEN 2 @1 · 5
                        #2? ► UNCERTAIN 2~ @5 · 6
                        """),
                arguments(
                        "after an unclean election that cut more heads than are kept, a stream is unanchored once",
                        """
                        #0 e0 e1 #1 e2 e3 #2 e4 e5 #3 e6 e7 #4 e8 e9 #5 e10 e11 #6 e12 e13 #7 e14 e15 #8 e16 e17 #9 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 ► Verified 3 @7..9 ► Verified 4 @10..12 ► Verified 5 @13..15 ► Verified 6 @16..18 ► Verified 7 @19..21 ► Verified 8 @22..24 ► Verified 9 @25..27 · 28
                        │ · 28
                        ✂ 4 · 4
                        e2 e3 #2 ► UNANCHORED 2 @6 · 7
                        e4 e5 #3 ► Verified 3 @7..9 · 10
                        """),
                arguments("of an interval that begins in what expired nothing is compared", """
                        #0 e0 e1 #1 e2 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✝ 5 · 4
                        e4 e5 #3 ► Verified 3 @6..8 ► EXPIRED 2 @5 · 9
                        """),
                arguments("but it is verified at first sight, whatever expires", """
                        #0 e0 e1 #1 e2 e3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✝ 5 · 4
                        #2 ► Verified 2 @4..6 · 7
                        """),
                arguments("open events whose content contradicts their headers are violated", """
                        #0 e0 e1 #1 ~e2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► Violated 2 @4? ALTERED 2 @4 · 5
                        """));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changedAnswers")
    void ofEachDrawnLogThisIsFound(String row, String drawn) {
        assertThat(ChainLog.played(drawn)).as(row).isEqualTo(drawn);
    }
}
