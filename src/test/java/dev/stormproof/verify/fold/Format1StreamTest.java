package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.stormproof.testing.ChainLog;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of {@link Format1Stream}, in drawn logs. */
class Format1StreamTest {
    /** A checkpoint states what the last one states, and no event came since. */
    static Stream<Arguments> repeats() {
        return Stream.of(
                arguments("it is a repetition", """
                        pe0 pe1 p#1 p#1 ► Verified p @0..2 ► REPEATED_CHECKPOINT @3 · 4
                        pe2 pe3 p#2 ► Verified p @4..6 · 7
                        """),
                arguments("also after a restart", """
                        pe0 pe1 p#1 ► Verified p @0..2 · 3
                        │ · 3
                        p#1 ► REPEATED_CHECKPOINT @3 · 4
                        """),
                arguments("one that was not read may have come", """
                        pe0 pe1 p#1 ? p#1 ► Verified p @0..2 ► OVERSIZED @3 ► UNANCHORED p @4 · 5
                        pe2 pe3 p#2 ► UNANCHORED p @7 · 8
                        pe4 pe5 p#3 ► Verified p @8..10 · 11
                        """));
    }

    /** Any other is the head. */
    static Stream<Arguments> isTheHead() {
        return Stream.of(
                arguments("it is verified at first sight", """
                        pe0 pe1 p#1 pe2 pe3 p#2 ► Verified p @0..2 ► Verified p @3..5 · 6
                        """),
                arguments("it is in doubt, and what is missing is open until the next one", """
                        pe0 p#1 · 0
                        pe2 pe3 p#2 ► Verified p @2..4 ► Violated p @1: LOST · 5
                        """),
                arguments("something is missing in the first one after a restart", """
                        x ► UNSIGNED @0 · 1
                        │ · 1
                        pe1 p#1 · 1
                        pe2 pe3 p#2 ► Verified p @3..5 ► Violated p @2: LOST · 6
                        """),
                arguments("an event came late", """
                        pe0 p#1 pe1 pe2 pe3 p#2 ► Violated p @1: REORDERED @2 · 2
                        pe4 pe5 p#3 ► Verified p @6..8 ► Violated p @5: REORDERED @2 · 9
                        """),
                arguments("two changed places", """
                        pe1 pe0 p#1 · 0
                        pe2 pe3 p#2 ► Verified p @3..5 ► Violated p @2: REORDERED @0 · 6
                        """),
                arguments("records were not read", """
                        pe0 ? pe1 p#1 ► OVERSIZED @1 ► OVERSIZED_RECORD p @3 · 4
                        pe2 pe3 p#2 ► Verified p @4..6 · 7
                        """),
                arguments("if it is overdue, the doubt is final, and then the rest is unsealed", """
                        pe0 p#1 pe2 · 0
                        ⏳ ► Violated p @1: LOST · 2
                        ⏳ ► UNSEALED p @2 of 1 · 3
                        ⏳ · 3
                        """),
                arguments("a checkpoint that comes after all", """
                        pe0 pe1 p#1 pe2 ► Verified p @0..2 · 3
                        ⏳ ► UNSEALED p @3 of 1 · 4
                        pe3 p#2 ► Verified p @3..5 by the log · 6
                        """),
                arguments("a restart in an interval", """
                        pe0 pe1 p#1 pe2 ► Verified p @0..2 · 3
                        │ · 3
                        pe3 p#2 ► Verified p @3..5 · 6
                        """),
                arguments("what was before may have been of it", """
                        x ► UNSIGNED @0 · 1
                        │ nothing · 1
                        pe0 pe1 p#1 ► UNANCHORED p @3 · 4
                        pe2 pe3 p#2 ► Verified p @4..6 · 7
                        """),
                arguments("it began before other streams", """
                        x be0 pe0 p#1 ► UNSIGNED @0 · 1
                        pe2 pe3 p#2 ► Verified p @4..6 ► Violated p @3: LOST · 1
                        """),
                arguments("some of it expired unread", """
                        pe0 pe1 p#1 ► Verified p @0..2 · 3
                        ✗ pe2 · 3
                        ✝ 4 · 3
                        pe3 p#2 ► Expired 3..4 ► EXPIRED p @5 · 6
                        pe4 pe5 p#3 ► Verified p @6..8 · 9
                        """),
                arguments("the log was cut", """
                        pe0 pe1 p#1 pe2 pe3 p#2 ► Verified p @0..2 ► Verified p @3..5 · 6
                        ✂ 4 · 4
                        pe3 p#2 ► Verified p @3..5 by the log · 6
                        """),
                arguments("a checkpoint is lost", """
                        pe0 pe1 p#1 pe2 pe3 pe4 pe5 p#3 ► Verified p @0..2 · 3
                        pe6 pe7 p#4 ► Verified p @8..10 ► Violated p @7: CHECKPOINT_LOST @3 · 11
                        """),
                arguments("the log was cut among events that were reported as unsealed", """
                        pe0 pe1 p#1 pe2 pe3 ► Verified p @0..2 · 3
                        ⏳ ► UNSEALED p @4 of 2 · 5
                        ✂ 4 · 4
                        pe4 pe5 p#3 · 6
                        pe6 pe7 p#4 ► Verified p @7..9 ► Violated p @6: FOREIGN @3 · 10
                        """),
                arguments("a checkpoint was cut off, before which a record was not read", """
                        … pe0 pe1 p#1 ? pe2 p#2 ► Verified p @0..2 ► OVERSIZED @3 · 4
                        ✂ 5 · 4
                        pe3 p#2 ► OVERSIZED_RECORD p @6 · 7
                        """));
    }

    /** It states what the last one states, though events came since. */
    static Stream<Arguments> statesTheSame() {
        return Stream.of(
                arguments("the log shows that it is no repetition, also the one after it", """
                        pe0 pe1 p#1 pe0 pe1 p#1 ► Verified p @0..2 ► Verified p @3..5 by the log · 6
                        pe2 pe3 p#2 ► Verified p @6..8 by the log · 9
                        """),
                arguments("other events came since: it is a copy, and where the next interval begins is unknown", """
                        pe0 pe1 p#1 pe2 p#1 ► Verified p @0..2 ► UNANCHORED p @4 · 5
                        pe3 p#2 ► UNANCHORED p @6 · 7
                        pe4 pe5 p#3 ► Verified p @7..9 · 10
                        """),
                arguments("a restart after a copy", """
                        pe0 pe1 p#1 pe9 p#1 ► Verified p @0..2 ► UNANCHORED p @4 · 5
                        │ · 5
                        pe2 pe3 p#2 ► UNANCHORED p @7 · 8
                        """),
                arguments("copies of a copy hide where the first one lies", """
                        pe0 pe1 p#1 pe2 p#1 pe3 p#1 ► Verified p @0..2 ► UNANCHORED p @4 ► UNANCHORED p @6 · 7
                        pe4 p#2 ► UNANCHORED p @8 · 9
                        """),
                arguments("the log shows it after its stream went on", """
                        … pe0 pe1 p#1 pe0 pe1 p#1 pe0 pe1 p#1 pe2 pe3 p#2 ► Verified p @0..2 · 3
                        pe4 pe5 p#3 ► Verified p @3..5 by the log ► Verified p @6..8 by the log ► Verified p @9..11 by the log ► Verified p @12..14 · 15
                        """));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"repeats", "isTheHead", "statesTheSame"})
    void ofEachDrawnLogThisIsFound(String row, String drawn) {
        assertThat(ChainLog.played(drawn)).as(row).isEqualTo(drawn);
    }
}
