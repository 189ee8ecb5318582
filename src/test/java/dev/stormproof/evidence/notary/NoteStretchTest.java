package dev.stormproof.evidence.notary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.NotesReport;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which notes a range is compared with, in whatever order they are read. */
class NoteStretchTest {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long ALWAYS = Long.MIN_VALUE;
    private static final long TIME = 1_700_000_000_000L;

    /** Notes up to offsets 10, 20, … 100, a millisecond after each other. */
    private final PaperPartition partition = new PaperPartition();

    private Instant notedSince = Instant.EPOCH;

    NoteStretchTest() {
        for (int i = 0; i < 10; i++) {
            partition.append(10).note();
        }
    }

    private static NoteStretch read(List<Note> notes, NoteRange range) {
        NoteStretch stretch = new NoteStretch(range);
        notes.forEach(stretch::add);
        return stretch;
    }

    /** Also where the first so many come last, as of a topic that was given partitions, or are there once more. */
    private void assertNumbers(NoteRange range, Integer... numbers) {
        for (int first = 0; first <= partition.notes.size(); first++) {
            List<Note> notes = new ArrayList<>(partition.notes);
            Collections.rotate(notes, -first);
            assertThat(read(notes, range).notes())
                    .as("with the first %d behind the others", first)
                    .extracting(note -> (int) note.state().number())
                    .containsExactly(numbers);
            notes = new ArrayList<>(partition.notes);
            notes.addAll(partition.notes.subList(0, first));
            assertThat(read(notes, range).notes())
                    .as("with the first %d once more", first)
                    .extracting(note -> (int) note.state().number())
                    .containsSubsequence(numbers)
                    .containsOnly(numbers)
                    .isSorted();
        }
    }

    @Test
    void aRangeOfOffsetsBeginsAtTheNoteBeforeAndEndsWithTheOneThatCoversIt() {
        assertNumbers(new NoteRange(35, 62, NEVER, ALWAYS), 2, 3, 4, 5, 6);
        assertNumbers(new NoteRange(40, 60, NEVER, ALWAYS), 3, 4, 5);
        assertNumbers(new NoteRange(5, 8, NEVER, ALWAYS), 0);
        assertNumbers(new NoteRange(95, NEVER, NEVER, ALWAYS), 8, 9);
        assertNumbers(new NoteRange(100, NEVER, NEVER, ALWAYS), 9);
    }

    @Test
    void itSaysWhereItBeginsAndEnds() {
        NoteStretch amid = read(partition.notes, new NoteRange(35, 62, NEVER, ALWAYS));
        NoteStretch first = read(partition.notes, new NoteRange(5, NEVER, NEVER, ALWAYS));
        NoteStretch behind = read(partition.notes, new NoteRange(100, 105, NEVER, ALWAYS));

        assertThat(amid.before()).isEqualTo(partition.notes.get(2));
        assertThat(amid.end()).isEqualTo(70);
        assertThat(first.before()).isNull();
        assertThat(first.end()).isEqualTo(NEVER);
        assertThat(behind.isNoted()).isFalse();
        assertThat(behind.end()).isEqualTo(105);
    }

    /** A record whose time lies ahead makes a range of time end early, and no note may lie behind that. */
    @Test
    void aRangeThatNoNoteCoversReachesAsFarAsItsNotes() {
        NoteStretch stretch = read(partition.notes, new NoteRange(-1, 15, TIME, NEVER));

        assertThat(stretch.last()).isNull();
        assertThat(stretch.end()).isEqualTo(100);
        NotesCheck.Result result = new NotesCheck(
                        stretch.notes(), partition.upTo(stretch.end()), KeptLeaves.NONE, offset -> {})
                .ofSameLog();
        assertThat(result.isComplete()).isTrue();
        assertThat(result.unaltered()).isEqualTo(100);
    }

    @Test
    void whatAPartitionHeldThatHasLostEverythingIsGone() {
        partition.records.clear();
        NoteStretch stretch = read(partition.notes, new NoteRange(NEVER, ALWAYS, TIME + 3, NEVER));

        NotesCheck.Result result = new NotesCheck(
                        stretch.notes(), partition.upTo(stretch.end()), KeptLeaves.NONE, offset -> {})
                .afterFirstNote();
        assertThat(result.isViolated()).isTrue();
    }

    @Test
    void ofTwoNotesThatCoverARangeBothCountIfTheyBearOneNumber() {
        List<Note> notes = new ArrayList<>(partition.notes);
        Note fork = notes.remove(6);
        notes.add(fork);
        notes.add(fork);

        assertThat(read(notes, new NoteRange(35, 62, NEVER, ALWAYS)).notes())
                .extracting(note -> (int) note.state().number())
                .containsExactly(2, 3, 4, 5, 6, 6);
    }

    private void cut() {
        partition.records.tailMap(20L, true).clear();
        partition.taking().cut(20);
        partition.append(5).note().append(50).note();
    }

    @Test
    void whatWasCutOffSinceATimeBelongsToItsRange() {
        cut();

        assertNumbers(new NoteRange(30, 40, NEVER, ALWAYS), 10, 11);
        assertNumbers(new NoteRange(30, NEVER, TIME + 7, NEVER), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }

    @Test
    void whatWasNotedUntilATimeAndCutOffBelongsToItsRange() {
        cut();

        assertNumbers(new NoteRange(15, 20, TIME, TIME + 8), 0, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    void aNoteThatWasWrittenTwiceIsNoGap() {
        List<Note> all = partition.notes;
        List<Note> twice = List.of(all.get(3), all.get(4), all.get(3), all.get(4), all.get(5));

        assertThat(read(twice, new NoteRange(50, NEVER, NEVER, ALWAYS)).notes())
                .containsExactly(all.get(4), all.get(5));
    }

    @Test
    void theLogIsReadBehindTheNoteBeforeAlone() {
        long[] least = {NEVER};
        NotedLog log = new NotedLog() {
            @Override
            public long begin() {
                return 30;
            }

            @Override
            public long end() {
                return partition.end();
            }

            @Override
            public long writtenEnd() {
                return partition.end();
            }

            @Override
            public void read(long from, long to, LeafTaker taker) {
                least[0] = Math.min(least[0], from);
                partition.read(from, to, taker);
            }
        };
        NoteStretch stretch = read(partition.notes, new NoteRange(35, 62, NEVER, ALWAYS));
        partition.records.put(80L, "altered behind");

        NotesCheck.Result result = new NotesCheck(
                        stretch.notes(), log.upTo(stretch.end()), KeptLeaves.NONE, offset -> {})
                .afterFirstNote();
        partition.records.put(50L, "altered");
        NotesCheck.Result altered = new NotesCheck(
                        stretch.notes(), log.upTo(stretch.end()), KeptLeaves.NONE, offset -> {})
                .afterFirstNote();

        assertThat(result.isComplete()).isTrue();
        assertThat(result.unaltered()).isEqualTo(40);
        assertThat(least[0]).isEqualTo(30);
        assertThat(PaperPartition.texts(altered)).containsExactly("DIFFERENT [50,60) leaf 50 x10");
    }

    private NotesReport report(NoteRange range, StringWriter text) {
        NotesReport report = new NotesReport("orders", null, true, notedSince, Terminal.over(text));
        add(report, 0, range);
        return report;
    }

    private void add(NotesReport report, int number, NoteRange range) {
        NoteStretch stretch = read(partition.notes, range);
        NotesCheck check =
                new NotesCheck(stretch.notes(), partition.upTo(stretch.end()), KeptLeaves.NONE, offset -> {});
        report.add(number, stretch, stretch.before() == null ? check.ofSameLog() : check.afterFirstNote());
    }

    private String printed(NoteRange range) {
        StringWriter text = new StringWriter();
        NotesReport report = report(range, text);
        report.print();
        report.printJson();
        return text.toString();
    }

    @Test
    void aCutBeforeARangeNamesTheLastNoteBeforeItIfThatIsKnown() {
        partition.records.tailMap(50L, true).clear();

        assertThat(printed(new NoteRange(35, NEVER, NEVER, ALWAYS)))
                .contains("noted from offset 50 to 99 are gone; the last note before is 4")
                .doesNotContain("beforeUnknown");
        assertThat(printed(new NoteRange(70, NEVER, NEVER, ALWAYS)))
                .contains(
                        "noted from offset 50 to 99 are gone; the last note before, if there is one, is before the range")
                .contains("\"endOffset\":100,\"beforeUnknown\":true}");
        partition.records.tailMap(5L, true).clear();
        assertThat(printed(new NoteRange(15, NEVER, NEVER, ALWAYS)))
                .contains("noted from offset 5 to 99 are gone; there is no note before")
                .doesNotContain("beforeUnknown");
    }

    @Test
    void soDoesACutToBeforeARangeThatTheNotarySaw() {
        partition.records.tailMap(20L, true).clear();
        partition.taking().cut(20);
        partition.append(60).note();

        assertThat(printed(new NoteRange(70, NEVER, NEVER, ALWAYS)))
                .contains(
                        "noted from offset 20 to 99 are gone; the last note before, if there is one, is before the range");
    }

    @Test
    void whatIsNotNotedYetMakesNothingInconclusiveUnlessTheLastNoteIsOld() {
        NoteRange last = new NoteRange(95, NEVER, NEVER, ALWAYS);
        NoteRange behind = new NoteRange(100, NEVER, NEVER, ALWAYS);
        StringWriter text = new StringWriter();
        NotesReport report = report(last, text);
        partition.append(2);
        add(report, 1, behind);
        report.print();

        assertThat(report.exitCode()).isEqualTo(ExitCode.VERIFIED);
        assertThat(text.toString())
                .contains("-1: 0 records as they were noted; 0 notes, the last of ")
                .contains("not noted yet: 2 records at offsets 100 to 101");

        StringWriter late = new StringWriter();
        Note lastNote = partition.notes.get(partition.notes.size() - 1);
        notedSince = Instant.ofEpochMilli(lastNote.state().timeMillis() + 1);
        NotesReport dead = report(last, late);
        add(dead, 1, behind);
        dead.print();
        dead.printJson();
        assertThat(dead.exitCode())
                .as("the notary is dead, or its last notes are gone")
                .isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(late.toString())
                .contains("INCONCLUSIVE: records follow a last note of before " + notedSince)
                .contains("\"notedBefore\":\"" + notedSince);
        notedSince = Instant.EPOCH;

        StringWriter alone = new StringWriter();
        NotesReport nothing = report(behind, alone);
        nothing.print();
        assertThat(nothing.exitCode()).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(alone.toString()).contains("INCONCLUSIVE: nothing was noted in the range");
    }
}
