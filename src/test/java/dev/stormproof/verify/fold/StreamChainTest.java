package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.stormproof.testing.ChainLog;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@link StreamChain}: of each row drawn logs, with what is found of them and how far the progress comes. */
class StreamChainTest {
    /** A checkpoint continues the head. */
    static Stream<Arguments> continuesTheHead() {
        return Stream.of(
                arguments("it is verified at first sight, also without events", """
                        #0 ► Verified 0 @0..0 · 1
                        e0 e1 #1 ► Verified 1 @1..3 · 4
                        #1. ► Verified 1~ @1..4 by the log · 5
                        e2 e3 #2 ► LATE_CHECKPOINT @7 · 5
                        #3' ► LATE_CHECKPOINT @8 · 5
                        """),
                arguments("it is in doubt, and what is missing is open until the next one", """
                        #0 e0 #1 ► Verified 0 @0..0 · 1
                        e2 · 1
                        e3 #2 ► Verified 2 @3..5 ► Violated 1 @2: LOST 1 · 6
                        e4 e5 #3 ► Verified 3 @6..8 · 9
                        """),
                arguments("what is missing came late, and is named in both intervals", """
                        #0 e0 #1 e1 e2 e3 #2 ► Verified 0 @0..0 ► Violated 1 @2: REORDERED 1 @3 · 3
                        e4 e5 #3 ► Verified 3 @7..9 ► Violated 2 @6: REORDERED 1 @3 · 10
                        """),
                arguments("what is altered may be a copy", """
                        #0 e0 ~e1 #1 ► Verified 0 @0..0 · 1
                        e1 e2 e3 #2 ► Violated 1 @3: REORDERED 1 @4, FOREIGN 1 @2 · 4
                        e4 e5 #3 ► Verified 3 @8..10 ► Violated 2 @7: REORDERED 1 @4 · 11
                        """),
                arguments("what is missing comes far later while that is in doubt", """
                        #0 e0 e1 #1 e2 #2 e4 e5 #3<3 e6 e7 #4<3 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 3 @6..8 ► Verified 4 @9..11 · 4
                        e3 e8 e9 #5<3 e10 e11 #6<3 ► Verified 6 @16..18 ► Violated 5 @15: OUT_OF_REACH 3 @12 · 4
                        e12 e13 #7 ► Verified 7 @19..21 ► Violated 2 @5: LOST 3 · 22
                        """),
                arguments("events change places", """
                        #0 e1 e0 #1 ► Verified 0 @0..0 · 1
                        e2 e3 #2 ► Verified 2 @4..6 ► Violated 1 @3: REORDERED 1 @1 · 7
                        """),
                arguments("an event comes twice", """
                        #0 e0 e1 e1 #1 e1 ► Verified 0 @0..0 · 1
                        e2 e3 #2 ► Violated 1 @4: DUPLICATED 1 @3 · 5
                        e4 e5 #3 ► Verified 3 @9..11 ► Violated 2 @8: DUPLICATED 1 @5 x3 · 12
                        """),
                arguments("an event that was never sent", """
                        #0 e0 ^e0 e1 #1 ► Verified 0 @0..0 · 1
                        e2 e3 #2 ► Verified 2 @5..7 ► Violated 1 @4: FOREIGN 0 @2 · 8
                        """),
                arguments("a forged one takes its place", """
                        #0 e0 e1 #1" #1 e2 e3 #2 ► Verified 0 @0..0 ► FORKED_CHECKPOINT @4 · 1
                        e4 e5 #3 ► Violated 1 @3: ALTERED 0 @1, ALTERED 1 @2 ► Violated 2 @7: CHAIN_BROKEN 2 @7 ► Verified 3 @8..10 by the log · 11
                        """),
                arguments("an end needs no next one, but a moment", """
                        #0 e0 e1 #1 e2 #2. ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► Violated 2 @5: LOST 3 · 6
                        """),
                arguments("what is missing in it may come after it", """
                        #0 e0 e1 #1 e2 #2. e3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► Violated 2 @5: REORDERED 3 @6 · 7
                        ⏳ · 7
                        """),
                arguments("and with it what belongs to no interval", """
                        #0 e0 e1 #1 e2 #2. e3 e4 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► Violated 2 @5: REORDERED 3 @6 · 6
                        ⏳ ► UNSEALED 3 @7 of 1 · 8
                        """),
                arguments("copies are counted in its interval and beside it", """
                        #0 e0 e1 #1 e2 e3 #2 e4 e5 #3 e4 e4 e6 e7 #4 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 ► Verified 3 @7..9 · 10
                        e4 e8 e9 #5 ► Violated 4 @14: DUPLICATED 4 @10 x4 · 15
                        """));
    }

    /** A checkpoint continues a candidate. */
    static Stream<Arguments> continuesACandidate() {
        return Stream.of(
                arguments("a checkpoint is lost", """
                        #0 e0 e1 #1 e2 e3 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        e6 e7 · 4
                        #4 ► Violated 3 @8: CHECKPOINT_LOST 2 @8 ► Verified 4 @9..11 by the log · 12
                        e8 e9 #5 ► Verified 5 @12..14 · 15
                        """),
                arguments("everything that it seals is lost with it", """
                        #0 e0 e1 #1 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        e6 e7 #4 ► Violated 3 @6: CHECKPOINT_LOST 2 @6, LOST 2..4 ► Verified 4 @7..9 by the log · 10
                        """),
                arguments("two checkpoints are lost apart from one another", """
                        #0 e0 e1 #1 e2 e3 e4 e5 #3 e6 e7 e8 e9 #5 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        e10 e11 #6 ► Violated 3 @8: CHECKPOINT_LOST 2 @8 ► Violated 5 @13: CHECKPOINT_LOST 4 @13 ► Verified 6 @14..16 by the log · 17
                        """),
                arguments("the first two are lost", """
                        e0 e1 e2 e3 #2 · 0
                        e4 e5 #3 ► Violated 2 @4: CHECKPOINT_LOST 0..2 @4 ► Verified 3 @5..7 by the log · 8
                        """),
                arguments("a forged one beside it is off the chain", """
                        #0 e0 e1 #1 #3' e2 e3 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        e6 e7 #4 ► Violated 3~ @4: CHAIN_BROKEN 3 @4 ► Violated 3 @9: CHECKPOINT_LOST 2 @9 ► Verified 4 @10..12 by the log · 13
                        """),
                arguments("what is missing before it came after it", """
                        #0 e0 e1 #1 e2 #2 e6 e7 #4 e3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        e8 e9 #5 ► Violated 2 @5: LOST 3 ► Violated 4 @8: CHECKPOINT_LOST 3 @8, LOST 4..6 · 9
                        e10 e11 #6 ► Verified 6 @13..15 ► Violated 5 @12: OUT_OF_REACH 3 @9 · 16
                        """),
                arguments("a forged one of a smaller number after it", """
                        #0 e0 e1 #1 e2 e3 e4 e5 e6 e7 #4 #3' ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        e8 e9 #5 ► Violated 3~ @11: CHAIN_BROKEN 3 @11 ► Violated 4 @10: CHECKPOINT_LOST 2..4 @10 ► Verified 5 @12..14 by the log · 15
                        """),
                arguments("a forged one after it, and another one of a smaller number", """
                        #0 e0 e1 #1 #2" e2 e3 e4 e5 #3 #3' ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        e6 e7 #4 ► Violated 3~ @10: CHAIN_BROKEN 3 @10 ► Violated 2 @4: ALTERED 2 @5, ALTERED 3 @6 ► Violated 3 @9: CHAIN_BROKEN 3 @9, ALTERED 2 @5, ALTERED 3 @6 ► Verified 4 @11..13 by the log · 14
                        """));
    }

    /** A checkpoint was read before. */
    static Stream<Arguments> wasReadBefore() {
        return Stream.of(
                arguments("the head and earlier ones", """
                        #0 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #1 ► REPEATED_CHECKPOINT @4 · 5
                        #0 ► REPEATED_CHECKPOINT @5 · 6
                        e2 e3 #2 ► Verified 2 @6..8 · 9
                        """),
                arguments("a candidate", """
                        #0 e0 e1 #1 #3 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 ► REPEATED_CHECKPOINT @5 · 4
                        """),
                arguments("one that was off the chain", """
                        #0 e0 e1 #1 #4' e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @5..7 ► Violated 4~ @4: CHAIN_BROKEN 4 @4 · 8
                        #4' ► REPEATED_CHECKPOINT @8 · 9
                        e4 e5 #3 ► Verified 3 @9..11 · 12
                        """),
                arguments("a whole stretch is there once more", """
                        #0 e0 e1 #1 e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 · 7
                        e0 e1 #1 e2 e3 #2 ► REPEATED_CHECKPOINT @9 ► REPEATED_CHECKPOINT @12 · 7
                        e4 e5 #3 · 7
                        e6 e7 #4 ► Verified 4 @16..18 ► Violated 3 @15: DUPLICATED 0 @7, DUPLICATED 1 @8, DUPLICATED 2 @10, DUPLICATED 3 @11 · 19
                        """));
    }

    /** A checkpoint has a greater number than the head, and does not continue it. */
    static Stream<Arguments> hasAGreaterNumber() {
        return Stream.of(
                arguments("it is a candidate, which holds the progress", """
                        #0 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #9' · 4
                        """),
                arguments("it is off the chain once the head moves", """
                        #0 e0 e1 #1 #9' ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        e2 e3 #2 ► Verified 2 @5..7 ► Violated 9~ @4: CHAIN_BROKEN 9 @4 · 8
                        """),
                arguments("of a fifth one the first one is off the chain", """
                        #0 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #3' #4' #5' #6' · 4
                        #7' ► Violated 3~ @4: CHAIN_BROKEN 3 @4 · 5
                        e2 e3 #2 ► Verified 2 @9..11 ► Violated 4~ @5: CHAIN_BROKEN 4 @5 ► Violated 5~ @6: CHAIN_BROKEN 5 @6 ► Violated 6~ @7: CHAIN_BROKEN 6 @7 ► Violated 7~ @8: CHAIN_BROKEN 7 @8 · 12
                        """),
                arguments("of a stream of which nothing is known it is the head", """
                        │ nothing · 0
                        #0 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        │ nothing · 4
                        e2 e3 #2 ► UNANCHORED 2 @6 · 7
                        e4 e5 #3 ► Verified 3 @7..9 · 10
                        #3 ► REPEATED_CHECKPOINT @10 · 11
                        """),
                arguments("then no event is known to lie in the log before", """
                        x ► UNSIGNED @0 · 1
                        │ nothing · 1
                        #5 e0 e10 e11 #6 ► UNANCHORED 5 @1 · 2
                        e12 e13 #7 ► Verified 7 @6..8 ► Violated 6 @5: OUT_OF_REACH 0 @2 · 9
                        """),
                arguments("the first one of a stream that begins with it is a candidate", """
                        e2 e3 #2 · 0
                        e4 e5 #3 ► Violated 2 @2: CHECKPOINT_LOST 0..2 @2, LOST 0..2 ► Verified 3 @3..5 by the log · 6
                        """));
    }

    /** A checkpoint closes, and names an earlier head. */
    static Stream<Arguments> closes() {
        return Stream.of(
                arguments("the end is stated again", """
                        #0 e0 e1 #1 e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 · 7
                        #2. ► Verified 2~ @4..7 by the log · 8
                        e4 · 8
                        """),
                arguments("an end is stated again, and once more", """
                        #0 e0 e1 #1 e2 e3 #2. #2! #2. ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 ► Verified 2~ @4..7 by the log ► REPEATED_CHECKPOINT @8 · 9
                        """),
                arguments("the first one is stated again", """
                        #0 #0. ► Verified 0 @0..0 ► Verified 0~ @1..1 by the log · 2
                        """),
                arguments("it is stated again, and a forged one before that is off the chain", """
                        #0 e0 e1 #1 e2 e3 #2 #9' ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 · 7
                        #2. ► Violated 9~ @7: CHAIN_BROKEN 9 @7 ► Verified 2~ @4..8 by the log · 9
                        """),
                arguments("it is stated again, and nothing before is known", """
                        x ► UNSIGNED @0 · 1
                        │ nothing · 1
                        e2 e3 #2. #2! ► UNANCHORED 2 @3 ► UNANCHORED 2~ @4 · 5
                        │ · 5
                        #2' #2! ► FORKED_CHECKPOINT @5 ► REPEATED_CHECKPOINT @6 · 7
                        """),
                arguments("it is stated again after other events", """
                        #0 e0 e1 #1 e2 e3 #2 e4 e5 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 · 7
                        #2. ► Violated 2~ @9: FOREIGN 4 @7, FOREIGN 5 @8 · 10
                        ⏳ · 10
                        ⏳ · 10
                        """),
                arguments("it leaves its own events in doubt", """
                        #0 e0 e1 #1 e2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #2? ► UNCERTAIN 2 @5 · 6
                        """),
                arguments("it leaves out an event that brokers refused", """
                        #0 e0 e1 #1 e3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #2-2 ► Verified 2 @4..5 by the log · 6
                        """),
                arguments("it leaves out the last one, which brokers refused", """
                        #0 e0 e1 #1 e2 #2-3 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..5 · 6
                        """),
                arguments("it leaves out an event as refused, which is there", """
                        #0 e0 e1 #1 e2 e3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #2-2 ► UNCERTAIN 2 @6 · 7
                        """),
                arguments("it leaves in doubt a refused checkpoint that another one followed", """
                        #0 e0 e1 #1 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #2?3 ► UNCERTAIN 3~ @6 ► UNCERTAIN 2 @7 · 8
                        """),
                arguments("it leaves in doubt what arrived", """
                        #0 e0 e1 #1 e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 · 7
                        #2? ► Verified 2~ @4..7 by the log · 8
                        ⏳ · 8
                        """),
                arguments("it leaves in doubt what arrived, and more", """
                        #0 e0 e1 #1 e2 e3 #2 e4 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 · 7
                        #2?3 ► UNCERTAIN 2~ @8 · 9
                        """),
                arguments("it leaves in doubt that others arrived, of which something is missing", """
                        #0 e0 e1 #1 e2 #2 e4 e5 #3<3 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 3 @6..8 · 4
                        #2?3 ► UNCERTAIN 2 @5 ► UNCERTAIN 2~ @9 · 10
                        """),
                arguments("it leaves in doubt some of what is missing", """
                        #0 e0 e1 #1 #3 #4<3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #3?4 ► UNCERTAIN 3~ @6 ► Violated 3 @4: CHECKPOINT_LOST 2 @4, LOST 2..4 ► UNCERTAIN 4 @5 · 7
                        """),
                arguments("it leaves candidates in doubt", """
                        #0 e0 e1 #1 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #2?3 ► UNCERTAIN 3~ @6 ► UNCERTAIN 2 @7 · 8
                        """),
                arguments("it leaves the head and a candidate in doubt", """
                        #0 e0 e1 #1 e2 e3 #2 e6 e7 #4 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 · 7
                        #2?4 ► UNCERTAIN 4~ @9 ► UNCERTAIN 2~ @10 · 11
                        """),
                arguments("it continues one candidate, and leaves another in doubt", """
                        e0 e1 #1 e4 e5 #3 · 0
                        #2?3 ► Violated 1 @2: CHECKPOINT_LOST 0 @2 ► UNCERTAIN 3~ @5 ► UNCERTAIN 2 @6 · 7
                        """),
                arguments("and a forged one before that is off the chain", """
                        #3' e0 e1 #1 e4 e5 #3 · 0
                        #2?3 ► Violated 3~ @0: CHAIN_BROKEN 3 @0 ► Violated 1 @3: CHECKPOINT_LOST 0 @3 ► UNCERTAIN 3~ @6 ► UNCERTAIN 2 @7 · 8
                        """),
                arguments("a copy of a candidate that it left in doubt", """
                        #0 e0 e1 #1 e4 e5 #4 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #3?4 ► Violated 4~ @6: CHECKPOINT_LOST 2 @6, LOST 2..4 · 4
                        #4 ► REPEATED_CHECKPOINT @8 · 4
                        """),
                arguments("it leaves in doubt nothing that its emitter knew had arrived", """
                        #0 e0 e1 #1 e2 #2 e4 e5 #3<3 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 3 @6..8 · 4
                        e6 e7 #4<8 ► Verified 4 @9..11 ► Violated 2 @5: LOST 3 · 12
                        #3?4 ► Verified 3~ @6..12 by the log · 13
                        """),
                arguments("it names nothing that is known, but states nothing for certain", """
                        x ► UNSIGNED @0 · 1
                        │ nothing · 1
                        e4 e5 #3 ► UNANCHORED 3 @3 · 4
                        #2?3 ► UNCERTAIN 2~ @4 · 5
                        ⏳ · 5
                        """),
                arguments("it names nothing that is known, and states something", """
                        x ► UNSIGNED @0 · 1
                        │ nothing · 1
                        #5 #4. ► UNANCHORED 5 @1 ► LATE_CHECKPOINT @2 · 3
                        e10 e11 #6 ► Verified 6 @3..5 · 6
                        """),
                arguments("it leaves in doubt several checkpoints that were in flight together", """
                        #0 e0 e1 #1 e5 #3<3 e7 #4<3 e8 e9 #5<3 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 5 @8..10 · 4
                        #2?5 ► UNCERTAIN 3 @5 ► UNCERTAIN 4 @7 ► UNCERTAIN 2~ @11 · 12
                        """),
                arguments("what else differs is named", """
                        #0 e0 e1 #1 e5 e5 #3<3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        #2?3 ► Violated 3~ @6: DUPLICATED 5 @5 · 4
                        ⏳ ► Violated 2 @7: DUPLICATED 5 @5 · 8
                        """),
                arguments("after one that came early", """
                        #0 #2 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @2..4 ► Violated 2~ @1: CHAIN_BROKEN 2 @1 · 5
                        #2? ► UNCERTAIN 2~ @5 · 6
                        """));
    }

    /** Any other checkpoint, or any after a closing one. */
    static Stream<Arguments> offTheChain() {
        return Stream.of(
                arguments("late", """
                        #0 e0 e1 #1 e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 · 7
                        #1' ► LATE_CHECKPOINT @7 · 8
                        #0' ► LATE_CHECKPOINT @8 · 9
                        e4 e5 #3 ► Verified 3 @9..11 · 12
                        """),
                arguments("forked", """
                        #0 e0 e1 #1 e2 e3 #2 #2' ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 ► FORKED_CHECKPOINT @7 · 8
                        e4 e5 #3 ► Verified 3 @8..10 · 11
                        """),
                arguments("after a closing one", """
                        #0 e0 e1 #1. ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        e2 e3 #2 ► LATE_CHECKPOINT @6 · 4
                        #1' ► FORKED_CHECKPOINT @7 · 4
                        #1. ► REPEATED_CHECKPOINT @8 · 4
                        #7. ► LATE_CHECKPOINT @9 · 4
                        ⏳ ► UNSEALED 2 @5 of 2 · 10
                        ⏳ · 10
                        """),
                arguments("of a second emitter of one id", """
                        #0 e0 e1 #1 e2 e3 #2 #0" ^e0 ^e1 #1" ^e2 ^e3 #2" ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 ► LATE_CHECKPOINT @7 ► LATE_CHECKPOINT @10 ► FORKED_CHECKPOINT @13 · 8
                        """));
    }

    /** A candidate came before its predecessor. */
    static Stream<Arguments> comesEarly() {
        return Stream.of(
                arguments("nothing can be said of its interval, and the predecessor is judged by its own", """
                        #0 e0 e1 #1 #3 e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @5..7 ► Violated 3~ @4: CHAIN_BROKEN 3 @4 · 8
                        e4 e5 e6 e7 #4 · 8
                        e8 e9 #5 ► Verified 5 @13..15 ► Violated 4 @12: REORDERED 4 @8, REORDERED 5 @9 · 16
                        """),
                arguments("its events came between", """
                        #0 e0 e1 #1 e2 e3 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        e4 · 4
                        e5 · 4
                        #2 ► Violated 3~ @6: CHAIN_BROKEN 3 @6 · 4
                        e6 e7 #4 ► Violated 2 @9: REORDERED 4 @7, REORDERED 5 @8 ► Verified 4 @10..12 by the log · 13
                        e8 e9 #5 ► Verified 5 @13..15 · 16
                        """),
                arguments("two came early, each before its predecessor", """
                        #0 #3 #2 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @3..5 ► Violated 2~ @2: CHAIN_BROKEN 2 @2 ► Violated 3~ @1: CHAIN_BROKEN 3 @1 · 6
                        e2 e3 e4 e5 e6 e7 #4 · 6
                        e8 e9 #5 ► Verified 5 @13..15 ► Violated 4 @12: OUT_OF_REACH 2 @6, OUT_OF_REACH 3 @7, REORDERED 4 @8, REORDERED 5 @9 · 16
                        """),
                arguments("the copy of one that came early", """
                        #0 #2 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @2..4 ► Violated 2~ @1: CHAIN_BROKEN 2 @1 · 5
                        #2 ► REPEATED_CHECKPOINT @5 · 6
                        e4 e5 #3 ► Verified 3 @6..8 by the log · 9
                        e6 e7 #4 ► Verified 4 @9..11 · 12
                        """),
                arguments("progress never ends between it and its predecessor", """
                        #0 b#0 #2 be0 e0 e1 ► Verified 0 @0..0 ► Verified b0 @1..1 · 2
                        #1 ► Verified 1 @4..6 ► Violated 2~ @2: CHAIN_BROKEN 2 @2 · 2
                        be1 b#1 ► Verified b1 @3..8 · 9
                        be2 · 9
                        e2 e3 e4 e5 #3 · 9
                        e6 e7 #4 ► Verified 4 @15..17 ► Violated 3 @14: REORDERED 2 @10, REORDERED 3 @11 · 9
                        be3 b#2 ► Verified b2 @9..19 · 20
                        """),
                arguments("of two spans that overlap it begins at the first", """
                        #0 e0 e1 #1 b#0 #3 e2 b#2 e3 #2 be0 be1 be2 be3 b#1 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified b0 @4..4 ► Verified 2 @6..9 ► Violated 3~ @5: CHAIN_BROKEN 3 @5 ► Violated b2~ @7: CHAIN_BROKEN 2 @7 · 5
                        e4 · 5
                        """));
    }

    /** A stream is overdue. */
    static Stream<Arguments> isOverdue() {
        return Stream.of(
                arguments("its candidates are heads, and its doubts final; then the rest is unsealed", """
                        #0 e0 e1 #1 e2 e3 e4 #3 e6 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► Violated 3 @7: CHECKPOINT_LOST 2 @7, LOST 5 · 8
                        ⏳ · 8
                        ⏳ ► UNSEALED 4 @8 of 1 · 9
                        ⏳ · 9
                        """),
                arguments("each candidate is a head, the least number first", """
                        #0 e0 e1 #1 #5 #3 #4" #6 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Violated 5~ @4: CHAIN_BROKEN 5 @4 ► Violated 3 @5: CHECKPOINT_LOST 2 @5, LOST 2..6 · 6
                        ⏳ ► Violated 4 @6: LOST 6..8 ► Violated 6 @7: CHECKPOINT_LOST 5 @7, LOST 8..12 · 8
                        ⏳ · 8
                        ⏳ ► UNSEALED 7 @7 of 0 · 8
                        """),
                arguments("one that lies before a lesser number is off the chain", """
                        #0 e0 e1 #1 #5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► Violated 5~ @4: CHAIN_BROKEN 5 @4 ► Violated 3 @5: CHECKPOINT_LOST 2 @5, LOST 2..6 · 6
                        """),
                arguments("a candidate comes after that", """
                        #0 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► UNSEALED 2 @3 of 0 · 4
                        #3 · 4
                        ⏳ ► Violated 3 @4: CHECKPOINT_LOST 2 @4, LOST 2..6 · 5
                        """),
                arguments("of candidates of one number the first one is a head", """
                        #0 e0 e1 #1 #3' e2 e3 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► Violated 3~ @9: CHAIN_BROKEN 3 @9 ► Violated 3 @4: CHECKPOINT_LOST 2 @4, REORDERED 2 @5, REORDERED 3 @6, REORDERED 4 @7, REORDERED 5 @8 · 5
                        ⏳ · 5
                        ⏳ ► UNSEALED 4 @8 of 0 · 10
                        """),
                arguments("a doubt", """
                        #0 e0 #1 ► Verified 0 @0..0 · 1
                        ⏳ ► Violated 1 @2: LOST 1 · 3
                        ⏳ ► UNSEALED 2 @2 of 0 · 3
                        ⏳ · 3
                        """),
                arguments("events without a checkpoint, which comes after all", """
                        #0 e0 e1 #1 e2 e3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► UNSEALED 2 @5 of 2 · 6
                        ⏳ · 6
                        #2 ► Verified 2 @4..6 by the log · 7
                        e4 e5 #3 ► Verified 3 @7..9 · 10
                        """),
                arguments("more events come after that", """
                        #0 e0 e1 #1 e2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► UNSEALED 2 @4 of 1 · 5
                        e3 · 6
                        ⏳ · 6
                        #2 ► Verified 2 @4..6 by the log · 7
                        e4 e5 #3 ► Verified 3 @7..9 · 10
                        """),
                arguments("a checkpoint that was promised", """
                        #0 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► UNSEALED 2 @3 of 0 · 4
                        ⏳ · 4
                        e2 e3 #2 ► Verified 2 @4..6 by the log · 7
                        """),
                arguments("nothing of it was ever sealed", """
                        e0 e2 · 0
                        ⏳ ► UNSEALED -1 @1 of 2 · 2
                        e3 #1 · 3
                        #2 ► Violated 1 @3: CHECKPOINT_LOST 0 @3, LOST 1, REORDERED 2 @1, REORDERED 3 @2 · 4
                        """),
                arguments("nothing is owed after an end", """
                        #0 e0 e1 #1. ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ · 4
                        ⏳ · 4
                        """),
                arguments("the content of events contradicts their headers", """
                        #0 e0 e1 #1 e2 ~e3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► Violated 2 @5? ALTERED 3 @5 · 6
                        #2 · 6
                        e4 e5 #3 ► Verified 3 @7..9 ► Violated 2 @6: ALTERED 3 @5 · 10
                        """),
                arguments("also beside the event itself, and after an end", """
                        #0 e0 e1 #1 e2 ~e2 ~e1 b#0 be0 be1 b#1. ~be2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified b0 @7..7 ► Verified b1 @8..10 · 4
                        ⏳ ► Violated 2 @6? FOREIGN 2 @5, FOREIGN 1 @6 ► Violated b2 @11? ALTERED 2 @11 · 12
                        """),
                arguments("also if no checkpoint is known", """
                        e0 ~e1 · 0
                        ⏳ ► Violated -1 @1? ALTERED 1 @1 · 2
                        """),
                arguments("if it comes after that, its checkpoint shows it", """
                        #0 e0 e1 #1 e2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► UNSEALED 2 @4 of 1 · 5
                        ~e3 · 6
                        ⏳ · 6
                        #2. · 6
                        ⏳ ► Violated 2 @6: ALTERED 3 @5 · 7
                        """));
    }

    /** What was kept at the progress is all that a restart needs. */
    static Stream<Arguments> goesOn() {
        return Stream.of(
                arguments("in the middle of an interval", """
                        #0 e0 e1 #1 e2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        │ · 4
                        e3 #2 ► Verified 2 @4..6 · 7
                        """),
                arguments("with a candidate", """
                        #0 e0 e1 #1 e2 e3 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        │ · 4
                        e6 e7 #4 ► Violated 3 @8: CHECKPOINT_LOST 2 @8 ► Verified 4 @9..11 by the log · 12
                        │ · 12
                        e8 e9 #5 ► Verified 5 @12..14 · 15
                        """),
                arguments("with a doubt", """
                        #0 e0 #1 ► Verified 0 @0..0 · 1
                        │ · 1
                        e2 · 1
                        │ · 1
                        e3 #2 ► Verified 2 @3..5 ► Violated 1 @2: LOST 1 · 6
                        """),
                arguments("with one that comes early", """
                        #0 e0 e1 #1 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        │ · 4
                        e2 · 4
                        │ · 4
                        e3 #2 ► Verified 2 @5..7 ► Violated 3~ @4: CHAIN_BROKEN 3 @4 · 8
                        │ · 8
                        e4 e5 e6 e7 #4 · 8
                        │ · 8
                        e8 e9 #5 ► Verified 5 @13..15 ► Violated 4 @12: REORDERED 4 @8, REORDERED 5 @9 · 16
                        """),
                arguments("after one that was off the chain", """
                        #0 e0 e1 #1 #4' e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @5..7 ► Violated 4~ @4: CHAIN_BROKEN 4 @4 · 8
                        │ · 8
                        #4' ► REPEATED_CHECKPOINT @8 · 9
                        e4 e5 #3 ► Verified 3 @9..11 · 12
                        """),
                arguments("after events were reported as unsealed", """
                        #0 e0 e1 #1 e2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► UNSEALED 2 @4 of 1 · 5
                        │ · 5
                        ⏳ · 5
                        e3 · 6
                        │ · 6
                        #2 ► Verified 2 @4..6 by the log · 7
                        """),
                arguments("while another stream holds the progress before its last heads", """
                        be0 #0 e0 e1 #1 e2 e3 #2 ► Verified 0 @1..1 ► Verified 1 @2..4 ► Verified 2 @5..7 · 0
                        │ ► Verified 0 @1..1 ► Verified 1 @2..4 ► Verified 2 @5..7 · 0
                        e4 #3 · 0
                        │ ► Verified 0 @1..1 ► Verified 1 @2..4 ► Verified 2 @5..7 · 0
                        b#0 b#1 ► Violated b0 @10: REORDERED 0 @0 · 8
                        #4 ► Violated 3 @9: LOST 5 · 11
                        """),
                arguments("with other events between them", """
                        be0 #0 e0 b#0 e1 #1 be1 ► Verified 0 @1..1 ► Verified 1 @2..5 · 0
                        │ ► Verified 0 @1..1 ► Verified 1 @2..5 · 0
                        b#1 e2 e3 #2 ► Violated b0 @3: REORDERED 0 @0 ► Verified 2 @8..10 · 6
                        """),
                arguments("after something was not verified, an earlier event may be missing", """
                        #0 e0 #1 e2 e3 #2 e4 e5 #3 e6 e7 #4 ► Verified 0 @0..0 ► Verified 2 @3..5 ► Violated 1 @2: LOST 1 ► Verified 3 @6..8 ► Verified 4 @9..11 · 12
                        │ · 12
                        e1 e8 e9 #5 · 12
                        e10 e11 #6 ► Verified 6 @16..18 ► Violated 5 @15: OUT_OF_REACH 1 @12 · 19
                        """),
                arguments("and reports the same again if only something later was not verified", """
                        #0 e0 e1 #1 be0 e2 e3 #2 e4 e5 #3 e0 e6 e7 #4 e8 e9 #5 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @5..7 ► Verified 3 @8..10 ► Verified 5 @15..17 ► Violated 4 @14: DUPLICATED 0 @11 · 4
                        │ ► Verified 2 @5..7 ► Verified 3 @8..10 ► Verified 5 @15..17 ► Violated 4 @14: DUPLICATED 0 @11 · 4
                        """),
                arguments("after a record was not read, which may be of another stream", """
                        ? #0 e0 e1 #1 ► OVERSIZED @0 ► Verified 0 @1..1 ► Verified 1 @2..4 · 5
                        │ · 5
                        b#3 ► UNANCHORED b3 @5 · 6
                        │ · 6
                        e2 e3 #2 c#3 ► Verified 2 @6..8 ► UNANCHORED c3 @9 · 10
                        """));
    }

    /** The log was cut. */
    static Stream<Arguments> wasCut() {
        return Stream.of(
                arguments("in the open interval", """
                        #0 e0 e1 #1 e2 e3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✂ 5 · 4
                        e3 #2 ► Verified 2 @4..6 · 7
                        """),
                arguments("before the last heads", """
                        #0 e0 e1 #1 e2 e3 #2 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 ► Verified 3 @7..9 · 10
                        ✂ 5 · 5
                        e3 #2 ► Verified 2 @4..6 by the log · 7
                        """),
                arguments("and other records are there", """
                        #0 e0 e1 #1 e2 e3 #2 e4 e5 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 ► Verified 3 @7..9 · 10
                        ✂ 2 · 2
                        e1 #1 e2 #2 ► Verified 1 @1..3 by the log · 4
                        e4 e5 #3 ► Verified 3 @6..8 ► Violated 2 @5: LOST 3 · 9
                        """),
                arguments("at its beginning", """
                        #0 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✂ 0 · 0
                        #0 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        """),
                arguments("in an interval in doubt", """
                        #0 e0 #1 ► Verified 0 @0..0 · 1
                        ✂ 2 · 1
                        e1 #1 ► Verified 1 @1..3 · 4
                        """),
                arguments("before a candidate", """
                        #0 e0 e1 #1 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✂ 4 · 4
                        e2 e3 #2 ► Verified 2 @4..6 · 7
                        """),
                arguments("before one that was off the chain, which is then unknown", """
                        #0 e0 e1 #1 #4' e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @5..7 ► Violated 4~ @4: CHAIN_BROKEN 4 @4 · 8
                        ✂ 4 · 4
                        #4' e2 e3 #2 ► Verified 2 @5..7 ► Violated 4~ @4: CHAIN_BROKEN 4 @4 · 8
                        """),
                arguments("between one that came early and its predecessor", """
                        #0 e0 e1 #1 #3 e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @5..7 ► Violated 3~ @4: CHAIN_BROKEN 3 @4 · 8
                        ✂ 6 · 4
                        e3 #2 e4 e5 #3 ► Verified 2 @5..7 ► Violated 3~ @4: CHAIN_BROKEN 3 @4 ► REPEATED_CHECKPOINT @10 · 8
                        """),
                arguments("after an end", """
                        #0 e0 e1 #1. be0 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✂ 3 · 3
                        #1 e2 e3 #2 ► Verified 2 @4..6 ► Verified 1 @1..3 by the log · 7
                        """),
                arguments("before more heads than are kept", """
                        #0 e0 e1 #1 e2 e3 #2 e4 e5 #3 e6 e7 #4 e8 e9 #5 e10 e11 #6 e12 e13 #7 e14 e15 #8 e16 e17 #9 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 ► Verified 3 @7..9 ► Verified 4 @10..12 ► Verified 5 @13..15 ► Verified 6 @16..18 ► Verified 7 @19..21 ► Verified 8 @22..24 ► Verified 9 @25..27 · 28
                        │ · 28
                        ✂ 7 · 7
                        e4 e5 #3 ► Verified 3 @7..9 · 10
                        │ · 10
                        ✂ 6 · 6
                        e3 #2 ► UNANCHORED 2 @7 · 8
                        e4 e5 #3 ► Verified 3 @8..10 · 11
                        """),
                arguments("among events that were reported as unsealed", """
                        #0 e0 #1 ► Verified 0 @0..0 · 1
                        ⏳ ► Violated 1 @2: LOST 1 · 3
                        ⏳ ► UNSEALED 2 @2 of 0 · 3
                        e0 x ► UNSIGNED @4 · 5
                        ✂ 4 · 4
                        e2 e3 #2 · 6
                        e4 e5 #3 ► Verified 3 @7..9 ► Violated 2 @6: DUPLICATED 0 @3 · 10
                        """),
                arguments("its last checkpoint, so that it owes that again", """
                        #0 e0 e1 #1 e2 e3 #2 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 · 7
                        ✂ 5 · 5
                        b#0. ► Verified b0 @5..5 · 6
                        ⏳ ► UNSEALED 2 @3 of 0 · 6
                        """));
    }

    /** Records expired before they were read, or while they were in doubt. */
    static Stream<Arguments> hasExpired() {
        return Stream.of(
                arguments("events of the open interval", """
                        #0 e0 e1 #1 e2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✝ 5 · 4
                        │ · 4
                        e3 #2 ► Expired 4..5 ► EXPIRED 2 @6 · 7
                        e4 e5 #3 ► Verified 3 @7..9 · 10
                        """),
                arguments("what may have been the stream's, before it goes on", """
                        #0 e0 e1 #1 be0 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✗ e2 x · 4
                        ✝ 6 · 4
                        e3 #2 ► Expired 4..6 ► UNSIGNED @6 ► EXPIRED 2 @8 · 9
                        e4 e5 #3 ► Verified 3 @9..11 · 12
                        be1 b#1 ► UNANCHORED b1 @13 · 14
                        """),
                arguments("what may have been the stream's, which ended before", """
                        #0 e0 e1 #1. ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✗ x · 4
                        ✝ 5 · 4
                        ⏳ ► Expired 4..5 · 5
                        ⏳ · 5
                        """),
                arguments("what was reported as unsealed", """
                        #0 e0 e1 #1 e2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► UNSEALED 2 @4 of 1 · 5
                        ✗ e3 · 5
                        ✝ 6 · 5
                        e4 ► Expired 5..6 · 6
                        ⏳ ► UNSEALED 2 @6 of 1 · 7
                        """),
                arguments("all events of an interval, after which the stream owes the next one", """
                        #0 e0 e1 #1 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✗ e2 e3 · 4
                        ✝ 6 · 4
                        #2 ► Expired 4..6 ► EXPIRED 2 @6 · 7
                        ⏳ ► UNSEALED 3 @6 of 0 · 7
                        """),
                arguments("a candidate", """
                        #0 e0 e1 #1 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✝ 5 · 4
                        │ · 4
                        e6 e7 #4 ► Expired 4..5 ► UNANCHORED 4 @7 · 8
                        e8 e9 #5 ► Verified 5 @8..10 · 11
                        """),
                arguments("an interval in doubt", """
                        #0 e0 #1 ► Verified 0 @0..0 · 1
                        ✝ 2 · 1
                        e2 e3 #2 ► Verified 2 @3..5 ► EXPIRED 1 @2 · 6
                        e4 e5 #3 ► Verified 3 @6..8 · 9
                        """),
                arguments("the one before it", """
                        #0 e0 e1 #1 e2 e3 #2 e4 e2 #3 ► Verified 0 @0..0 ► Verified 1 @1..3 ► Verified 2 @4..6 · 7
                        ✝ 7 · 7
                        e6 e7 #4 ► Verified 4 @10..12 ► Violated 3 @9: DUPLICATED 2 @8, LOST 5 · 13
                        """),
                arguments("the checkpoint itself", """
                        #0 e0 #1 ► Verified 0 @0..0 · 1
                        ✝ 3 · 1
                        e2 e3 #2 ► Verified 2 @3..5 ► EXPIRED 1 @2 · 6
                        """),
                arguments("an end is overdue no more", """
                        #0 e0 e1 #1 e2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✝ 5 · 4
                        │ · 4
                        ⏳ ► Expired 4..5 · 5
                        ⏳ · 5
                        e3 · 5
                        ⏳ ► UNSEALED 2 @5 of 1 · 6
                        ⏳ · 6
                        """),
                arguments("events of an interval that was read before", """
                        #0 e0 e1 #1 e2 e3 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ✝ 5 · 4
                        #2 ► Verified 2 @4..6 · 7
                        """));
    }

    /** Records were not read. */
    static Stream<Arguments> isUnread() {
        return Stream.of(
                arguments("one, and nothing is missing", """
                        #0 e0 ? e1 #1 ► Verified 0 @0..0 ► OVERSIZED @2 ► OVERSIZED_RECORD 1 @4 · 5
                        e2 e3 #2 ► Verified 2 @5..7 · 8
                        """),
                arguments("one, and one event is missing", """
                        #0 e0 ? #1 ► Verified 0 @0..0 ► OVERSIZED @2 · 1
                        e2 e3 #2 ► Verified 2 @4..6 ► OVERSIZED_RECORD 1 @3 · 7
                        """),
                arguments("one, and two events are missing", """
                        #0 ? #1 ► Verified 0 @0..0 ► OVERSIZED @1 · 2
                        e2 e3 #2 ► Verified 2 @3..5 ► Violated 1 @2: LOST 0..2 · 6
                        """),
                arguments("one, and an event came twice", """
                        #0 e0 e0 ? e1 #1 ► Verified 0 @0..0 ► OVERSIZED @3 · 1
                        e2 e3 #2 ► Verified 2 @6..8 ► Violated 1 @5: DUPLICATED 0 @2 · 9
                        """),
                arguments("before everything", """
                        ? #0 e0 e1 #1 ► OVERSIZED @0 ► Verified 0 @1..1 ► Verified 1 @2..4 · 5
                        e2 e3 #2 ► Verified 2 @5..7 · 8
                        """),
                arguments("before the first checkpoint that came", """
                        ? e2 e3 #2 ► OVERSIZED @0 ► UNANCHORED 2 @3 · 4
                        e4 e5 #3 ► Verified 3 @4..6 · 7
                        """),
                arguments("while events are open that were reported as unsealed", """
                        #0 e0 e1 #1 e2 ► Verified 0 @0..0 ► Verified 1 @1..3 · 4
                        ⏳ ► UNSEALED 2 @4 of 1 · 5
                        ? e3 #2 ► OVERSIZED @5 ► OVERSIZED_RECORD 2 @7 · 8
                        """),
                arguments("one, and a checkpoint is missing", """
                        #0 e0 e1 ? e2 e3 #2 ► Verified 0 @0..0 ► OVERSIZED @3 · 1
                        e4 e5 #3 ► OVERSIZED_RECORD 2 @6 ► Verified 3 @7..9 by the log · 10
                        """),
                arguments("one, and the event that is missing comes late", """
                        #0 e0 ? #1 e1 ► Verified 0 @0..0 ► OVERSIZED @2 · 1
                        e2 e3 #2 ► Violated 1 @3: REORDERED 1 @4 · 4
                        e4 e5 #3 ► Verified 3 @8..10 ► Violated 2 @7: REORDERED 1 @4 · 11
                        """),
                arguments("among the events of two streams", """
                        #0 b#0 e0 be0 ? be1 e1 #1 b#1 c#0 ► Verified 0 @0..0 ► Verified b0 @1..1 ► OVERSIZED @4 ► OVERSIZED_RECORD 1 @7 ► OVERSIZED_RECORD b1 @8 ► Verified c0 @9..9 · 10
                        """),
                arguments("between one that came early and its predecessor, after which the next interval begins", """
                        #0 #2 ? e0 e1 #1 e4 e5 #3 ► Verified 0 @0..0 ► OVERSIZED @2 ► Violated 2~ @1: CHAIN_BROKEN 2 @1 ► OVERSIZED_RECORD 1 @5 ► Verified 3 @6..8 by the log · 9
                        """),
                arguments("before the place where the log was cut, from which the interval is read again", """
                        #0 ? e0 e1 ► Verified 0 @0..0 ► OVERSIZED @1 · 2
                        ✂ 3 · 2
                        e1 #1 ► OVERSIZED_RECORD 1 @4 · 5
                        """));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({
        "continuesTheHead",
        "continuesACandidate",
        "wasReadBefore",
        "hasAGreaterNumber",
        "closes",
        "offTheChain",
        "comesEarly",
        "isOverdue",
        "goesOn",
        "wasCut",
        "hasExpired",
        "isUnread"
    })
    void ofEachDrawnLogThisIsFound(String row, String drawn) {
        assertThat(ChainLog.played(drawn)).as(row).isEqualTo(drawn);
    }

    /** With the beginning of the stream, that is one more than its checkpoints. */
    @ParameterizedTest
    @CsvSource({"1023, Verified 0 @1..1", "1024, UNANCHORED 0 @1"})
    void soManyHeadsAreKeptWhileAnotherStreamHoldsTheProgress(int count, String first) {
        String checkpoints =
                LongStream.range(0, count).mapToObj(number -> "#" + number).collect(Collectors.joining(" "));
        ChainLog log = ChainLog.intervals(new int[count], "be0 " + checkpoints).verify();
        log.findings();

        assertThat(log.restart(log.verifier().saved()).verify().findings())
                .hasSize(count)
                .startsWith(first);
    }

    @Test
    void soManyDroppedCheckpointsAreKept() {
        String forged =
                LongStream.range(0, 17).mapToObj(i -> "#" + (50 + 2 * i)).collect(Collectors.joining(" "));

        ChainLog log = ChainLog.of("#0 " + forged + " e0 e1 #1").verify();
        log.findings();

        assertThat(log.append("#50").verify().findings()).isEmpty();
        assertThat(log.append("#52").verify().findings()).containsExactly("REPEATED_CHECKPOINT @22");
    }

    /** After it there is no number. */
    @Test
    void aCheckpointOfTheGreatestNumberIsOneLikeAnyOther() {
        ChainLog log = ChainLog.of("#0 e0 e1")
                .append(ALICE.checkpoint(Long.MAX_VALUE, 2, 2)::at)
                .append("x #1")
                .verify();

        assertThat(log.findings())
                .containsExactly(
                        "Verified 0 @0..0",
                        "UNSIGNED @4",
                        "Verified 1 @1..5",
                        "Violated 9223372036854775807~ @3: CHAIN_BROKEN 9223372036854775807 @3");
        assertThat(log.append(ALICE.checkpoint(Long.MAX_VALUE, 2, 2)::at)
                        .tick()
                        .passTime()
                        .passTime()
                        .progress())
                .isEqualTo(7);
    }
}
