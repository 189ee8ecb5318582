package dev.stormproof.evidence.notary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.compare.Differences;
import dev.stormproof.proof.tree.Hash;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What notes say of a log that is not what it was. */
class NotesCheckTest {
    private final PaperPartition partition =
            new PaperPartition().append(10).note().append(5).note().append(300).note();

    private static String texts(NotesCheck.Result result) {
        return String.join("; ", PaperPartition.texts(result));
    }

    @Test
    void anUnalteredLogIsComplete() {
        for (NotesCheck.Result result : List.of(partition.named(), partition.unnamed())) {
            assertThat(texts(result)).isEmpty();
            assertThat(result.unaltered()).isEqualTo(315);
            assertThat(result.isComplete()).isTrue();
        }
    }

    @Test
    void anAlteredRecordIsNamedByItsHashAndElseByItsInterval() {
        partition.records.put(12L, "another");

        assertThat(texts(partition.named())).isEqualTo("ALTERED [12,13) leaf 12 x1");
        assertThat(partition.named().unaltered()).isEqualTo(314);
        assertThat(texts(partition.unnamed())).isEqualTo("DIFFERENT [10,15) leaf 10 x5");
        assertThat(partition.unnamed().isViolated()).isTrue();
    }

    @Test
    void aRemovedRecordIsNamed() {
        partition.records.remove(200L);

        assertThat(texts(partition.named())).isEqualTo("LOST [201,201) leaf 200 x1");
        assertThat(texts(partition.unnamed())).isEqualTo("DIFFERENT [15,315) leaf 15 x300");
    }

    @Test
    void anInsertedRecordIsNamed() {
        PaperPartition gaps = new PaperPartition();
        for (long offset = 0; offset < 20; offset += 2) {
            gaps.records.put(offset, "record " + offset);
        }
        gaps.note();
        gaps.records.put(7L, "more");

        assertThat(texts(gaps.named())).isEqualTo("INSERTED [7,8) leaf 4 x1");
    }

    @Test
    void recordsInAnotherOrderAreNamed() {
        partition.records.put(20L, "record 30");
        partition.records.put(30L, "record 20");

        assertThat(PaperPartition.texts(partition.named()))
                .isNotEmpty()
                .allMatch(text -> text.matches("REORDERED \\[[23]0,[23]1\\).*"));
    }

    @Test
    void aLogThatEndsBeforeANoteIsTruncated() {
        partition.records.tailMap(15L, true).clear();

        assertThat(texts(partition.unnamed())).isEqualTo("TRUNCATED [15,315) leaf -1 x-1");
        assertThat(partition.unnamed().findings().get(0).before()).isEqualTo(partition.notes.get(1));
    }

    @Test
    void aLogThatEndsAmidAnIntervalSaysHowManyAreGone() {
        partition.records.tailMap(100L, true).clear();

        assertThat(texts(partition.named())).isEqualTo("TRUNCATED [100,315) leaf 100 x215");
        assertThat(texts(partition.unnamed()))
                .isEqualTo("NOT_COMPARED [15,100) leaf 15 x-1; TRUNCATED [100,315) leaf -1 x-1");
    }

    @Test
    void aCutThatTheNotarySawIsToldAgainstTheNoteBefore() {
        partition.records.tailMap(310L, true).clear();
        partition.taking().cut(310);
        partition.append("new 310", "new 311").note();

        assertThat(texts(partition.named())).isEqualTo("TRUNCATED [310,315) leaf 310 x5");
        assertThat(texts(partition.unnamed()))
                .isEqualTo("NOT_COMPARED [15,310) leaf 15 x-1; TRUNCATED [310,315) leaf -1 x-1");
        assertThat(partition.named().unaltered()).isEqualTo(312);
        assertThat(partition.named().isViolated()).isTrue();
    }

    @Test
    void ofACutTheLastNoteBeforeItIsNamedWhetherOrNotTheNotarySawIt() {
        partition.records.tailMap(310L, true).clear();
        assertThat(notesBeforeACut()).containsExactly(1L);

        partition.taking().cut(310);
        partition.append("new 310", "new 311").note();
        assertThat(notesBeforeACut()).containsExactly(1L);
    }

    private List<Long> notesBeforeACut() {
        return partition.unnamed().findings().stream()
                .filter(finding -> finding.kind() == NotesFinding.Kind.TRUNCATED)
                .map(finding -> Objects.requireNonNull(finding.before()).state().number())
                .toList();
    }

    @Test
    void aLogThatEndsBeforeSeveralNotesLosesTheLaterOnesToo() {
        partition.append(5).note();
        partition.records.tailMap(100L, true).clear();

        assertThat(texts(partition.named()))
                .isEqualTo("TRUNCATED [100,315) leaf 100 x215; TRUNCATED [100,320) leaf -1 x-1");
    }

    @Test
    void whatExpiredIsNotCompared() {
        partition.begin = 12;
        partition.records.headMap(12L).clear();

        assertThat(texts(partition.named())).isEqualTo("EXPIRED [0,10) leaf 0 x10; EXPIRED [12,12) leaf 10 x2");
        assertThat(partition.named().unaltered()).isEqualTo(303);
        assertThat(partition.named().isViolated()).isFalse();
        assertThat(partition.named().isComplete()).isFalse();
        assertThat(texts(partition.unnamed()))
                .isEqualTo("EXPIRED [0,10) leaf 0 x10; EXPIRED [10,12) leaf 10 x-1; NOT_COMPARED [12,15) leaf 10 x-1");
    }

    /** Heartbeats of one millisecond: nobody can tell which of them is there, and retention takes the first. */
    @Test
    void whatExpiredAmongEqualRecordsIsNotLost() {
        for (String text : List.of("x x y", "x z x z y", "x x z x z y")) {
            for (int gone = 1; gone < text.split(" ").length; gone++) {
                PaperPartition equal =
                        new PaperPartition().append(text.split(" ")).note();
                int held = equal.records.size() - gone;
                equal.begin = gone;
                equal.records.headMap((long) gone).clear();
                NotesCheck.Result log = equal.named();
                equal.append("w");
                NotesCheck.Result copy = new NotesCheck(equal.notes, equal, equal.kept(), offset -> {}).ofCopy();

                String expired = "EXPIRED [" + gone + "," + gone + ") leaf 0 x" + gone;
                assertThat(texts(log)).as(text).isEqualTo(expired);
                assertThat(texts(copy)).as(text).startsWith(expired + "; NOT_NOTED_YET");
                assertThat(List.of(log, copy)).as(text).allMatch(one -> one.unaltered() == held && !one.isViolated());
            }
        }
    }

    @Test
    void whatExpiredBeforeItWasNotedIsTold() {
        PaperPartition late = new PaperPartition().append(5).note();
        late.append(5);
        late.begin = 8;
        late.records.headMap(8L).clear();
        late.taking().expired(8);
        late.note();

        assertThat(texts(late.named())).isEqualTo("EXPIRED [0,5) leaf 0 x5; NEVER_NOTED [5,8) leaf 5 x-1");
        assertThat(late.named().unaltered()).isEqualTo(2);
    }

    @Test
    void whatIsNotNotedYetIsNoReasonToDoubt() {
        partition.append(3);

        assertThat(texts(partition.named())).isEqualTo("NOT_NOTED_YET [315,318) leaf 315 x3");
        assertThat(partition.named().isComplete()).isTrue();
    }

    @Test
    void twoNotesOfOneNumberAreAFork() {
        PaperPartition other =
                new PaperPartition().append(10).note().append("x", "y").note();
        partition.notes.add(other.notes.get(1));

        assertThat(texts(partition.named())).startsWith("FORKED");
        assertThat(partition.named().isViolated()).isTrue();
    }

    /** The next note is on a tree of the same size over other leaves, which later notes then continue. */
    @Test
    void aTreeThatWasReplacedByOneOfItsSizeIsAFork() throws Exception {
        PaperPartition honest = new PaperPartition().append(10).note();
        NotedTree other = new NotedTree();
        byte[] leaf = new byte[NotedTree.HASH_BYTES];
        for (int i = 0; i < 10; i++) {
            leaf[0] = (byte) i;
            other.append(leaf, 0);
        }
        NoteState state = new NoteState(
                1,
                10,
                0,
                10,
                10,
                honest.notes.get(0).state().leaders(),
                1_700_000_000_000L,
                NoteState.Place.NONE,
                Hash.copyOf(other.peaks()));
        honest.notes.add(Note.write(PaperPartition.ORIGIN, other, state, PaperPartition.KEY)
                .note());

        for (NotesCheck.Result result : List.of(
                honest.named(),
                honest.unnamed(),
                new NotesCheck(honest.notes, honest, honest.kept(), offset -> {}).ofCopy(),
                new NotesCheck(honest.notes, honest, KeptLeaves.NONE, offset -> {}).ofCopy())) {
            assertThat(texts(result)).contains("FORKED");
            assertThat(result.isViolated()).isTrue();
        }
    }

    @Test
    void whatAnOpenTransactionOfTheLogMayHideIsNotTruncated() {
        partition.records.tailMap(100L, true).clear();
        partition.heldBack = 215;

        assertThat(texts(partition.named())).isEqualTo("HELD_BACK [100,315) leaf 100 x215");
        assertThat(texts(partition.unnamed()))
                .isEqualTo("NOT_COMPARED [15,100) leaf 15 x-1; HELD_BACK [100,315) leaf -1 x-1");
        assertThat(partition.named().isViolated()).isFalse();
        assertThat(partition.named().isComplete()).isFalse();
        partition.heldBack = 214;
        assertThat(texts(partition.named())).isEqualTo("TRUNCATED [100,315) leaf 100 x215");
    }

    @Test
    void whatAnOpenTransactionOfACopyMayHideIsNotLost() {
        PaperPartition copy = new PaperPartition();
        copy.records.putAll(partition.records.headMap(300L));
        copy.heldBack = 15;

        for (KeptLeaves kept : List.of(partition.kept(), KeptLeaves.NONE)) {
            NotesCheck.Result result = new NotesCheck(partition.notes, copy, kept, offset -> {}).ofCopy();
            assertThat(texts(result)).contains("HELD_BACK [300,300) leaf 300 x15");
            assertThat(result.isViolated()).isFalse();
            assertThat(result.isComplete()).isFalse();
        }
        copy.heldBack = 14;
        for (KeptLeaves kept : List.of(partition.kept(), KeptLeaves.NONE)) {
            assertThat(texts(new NotesCheck(partition.notes, copy, kept, offset -> {}).ofCopy()))
                    .contains("LOST [300,300) leaf 300 x15");
        }
    }

    @Test
    void missingNotesLeaveTheRestComparable() {
        partition.notes.remove(0);

        assertThat(texts(partition.named())).isEqualTo("NOTES_MISSING [0,15) leaf 0 x15");
        assertThat(partition.named().unaltered()).isEqualTo(300);
        assertThat(partition.named().isComplete()).isFalse();
    }

    @Test
    void whatExpiredWhereNotesAreMissingIsNotLost() {
        partition.notes.remove(1);
        partition.begin = 12;
        partition.records.headMap(12L).clear();

        assertThat(texts(partition.named()))
                .isEqualTo("EXPIRED [0,10) leaf 0 x10; NOTES_MISSING [10,315) leaf 10 x-1; EXPIRED [12,12) leaf 10 x2");
        assertThat(partition.named().isViolated()).isFalse();
    }

    @Test
    void hashesThatAreNotThoseOfTheNoteNameNothing() {
        partition.records.put(12L, "another");
        partition.tile(0)[12 * 32 + 5] ^= 1;

        assertThat(texts(partition.named())).isEqualTo("DIFFERENT [10,15) leaf 10 x5");
    }

    @Test
    void aCopyIsComparedByOrderWhateverItsOffsets() {
        PaperPartition copy = new PaperPartition();
        partition.records.values().forEach(text -> copy.records.put(copy.records.size() * 3L, text));
        NotesCheck.Result whole = new NotesCheck(partition.notes, copy, partition.kept(), offset -> {}).ofCopy();
        NotesCheck.Result bySize = new NotesCheck(partition.notes, copy, KeptLeaves.NONE, offset -> {}).ofCopy();

        assertThat(whole.isComplete()).isTrue();
        assertThat(bySize.isComplete()).isTrue();
        assertThat(bySize.unaltered()).isEqualTo(315);
    }

    /** A mirror goes on, and so may a backup: its source was noted some seconds ago. */
    @Test
    void whatACopyHoldsBehindTheLastNoteIsNotNotedYet() {
        PaperPartition copy = new PaperPartition();
        copy.records.putAll(partition.records);
        copy.append(3);
        NotesCheck.Result named = new NotesCheck(partition.notes, copy, partition.kept(), offset -> {}).ofCopy();
        NotesCheck.Result bySize = new NotesCheck(partition.notes, copy, KeptLeaves.NONE, offset -> {}).ofCopy();

        assertThat(texts(named)).isEqualTo("NOT_NOTED_YET [315,318) leaf 315 x3");
        assertThat(texts(bySize)).isEqualTo(texts(named));
        assertThat(named.isComplete()).isTrue();
        assertThat(bySize.isComplete()).isTrue();
    }

    @Test
    void aRecordThatWasNotReadIsNotCompared() {
        PaperPartition large = new PaperPartition()
                .append("a", PaperPartition.UNREAD, "c", "d")
                .note();

        for (NotesCheck.Result result : List.of(large.named(), large.unnamed())) {
            assertThat(texts(result)).isEqualTo("UNREAD [1,2) leaf 1 x1");
            assertThat(result.unaltered()).isEqualTo(3);
            assertThat(result.isViolated()).isFalse();
            assertThat(result.isComplete()).isFalse();
        }
        large.records.put(3L, "another");
        assertThat(texts(large.named())).isEqualTo("UNREAD [1,2) leaf -1 x1; ALTERED [3,4) leaf 3 x1");
        assertThat(large.named().unaltered()).isEqualTo(2);
    }

    /** A mirror batches anew: which of many records are beyond what is unpacked differs. */
    @Test
    void aCopyOfRecordsThatWereNotReadIsNotDifferent() {
        String unread = PaperPartition.UNREAD;
        PaperPartition large = new PaperPartition()
                .append("a", "b", unread, unread, "e")
                .note()
                .append("f", unread)
                .note();
        PaperPartition copy = new PaperPartition().append("a", unread, "c", unread, "e", "f", "g", "h");
        NotesCheck.Result named = new NotesCheck(large.notes, copy, large.kept(), offset -> {}).ofCopy();

        assertThat(texts(named))
                .isEqualTo("UNREAD [1,4) leaf 1 x3; UNREAD [6,7) leaf 6 x1; NOT_NOTED_YET [7,8) leaf 7 x1");
        assertThat(named.unaltered()).isEqualTo(3);
        assertThat(named.isViolated()).isFalse();
        assertThat(named.isComplete()).isFalse();
        assertThat(texts(new NotesCheck(large.notes, copy, KeptLeaves.NONE, offset -> {}).ofCopy()))
                .startsWith("NOT_COMPARED [0,5) leaf 0 x5");
    }

    @Test
    void whatIsAlteredBesideARecordThatWasNotReadIsNamedInACopy() {
        String unread = PaperPartition.UNREAD;
        PaperPartition large =
                new PaperPartition().append("a", "b", unread, "d", "e").note();
        PaperPartition copy = new PaperPartition().append("a", "x", "c", "y", "e");

        assertThat(texts(new NotesCheck(large.notes, copy, large.kept(), offset -> {}).ofCopy()))
                .isEqualTo("ALTERED [1,2) leaf 1 x1; UNREAD [2,3) leaf 2 x1; ALTERED [3,4) leaf 3 x1");
    }

    private static PaperPartition copyOf(PaperPartition source, int more) {
        PaperPartition copy = new PaperPartition().append(more);
        source.records.values().forEach(copy::append);
        return copy;
    }

    /** A mirror may be older than what its source holds when the notary begins. */
    @Test
    void whatACopyHoldsFromBeforeTheFirstNoteWasNeverNoted() {
        PaperPartition late = new PaperPartition();
        late.begin = 7;
        late.records.put(7L, "record 7");
        late.append(2).note().append(5).note();
        PaperPartition copy = copyOf(late, 7);
        NotesCheck.Result named = new NotesCheck(late.notes, copy, late.kept(), offset -> {}).ofCopy();
        NotesCheck.Result bySize = new NotesCheck(late.notes, copy, KeptLeaves.NONE, offset -> {}).ofCopy();

        assertThat(texts(named)).isEqualTo("NEVER_NOTED [0,7) leaf 0 x7");
        assertThat(named.unaltered()).isEqualTo(8);
        assertThat(named.isComplete()).isFalse();
        assertThat(texts(bySize)).startsWith("NOT_COMPARED [0,3) leaf 0 x3; NOT_COMPARED [3,8) leaf 3 x5");
        assertThat(bySize.isViolated()).isFalse();
        assertThat(bySize.isComplete()).isFalse();
        PaperPartition whole = copyOf(late, 0);
        assertThat(new NotesCheck(late.notes, whole, KeptLeaves.NONE, offset -> {})
                        .ofCopy()
                        .isComplete())
                .isTrue();
    }

    @Test
    void whatACopyHoldsThatExpiredBeforeItWasNotedWasNeverNoted() {
        PaperPartition late = new PaperPartition().append(5).note().append(5);
        PaperPartition copy = copyOf(late, 0);
        late.begin = 8;
        late.records.headMap(8L).clear();
        late.taking().expired(8);
        late.note();
        NotesCheck.Result named = new NotesCheck(late.notes, copy, late.kept(), offset -> {}).ofCopy();
        NotesCheck.Result bySize = new NotesCheck(late.notes, copy, KeptLeaves.NONE, offset -> {}).ofCopy();

        assertThat(texts(named)).isEqualTo("NEVER_NOTED [5,8) leaf 5 x3");
        assertThat(texts(bySize)).startsWith("NOT_COMPARED [5,7) leaf 5 x2");
        assertThat(bySize.isViolated()).isFalse();
        copy.records.put(2L, "another");
        assertThat(texts(new NotesCheck(late.notes, copy, KeptLeaves.NONE, offset -> {}).ofCopy()))
                .startsWith("DIFFERENT [0,5) leaf 0 x5");
    }

    @Test
    void whereNotesAreMissingWhatWasNeverNotedIsNotInserted() {
        PaperPartition late = new PaperPartition().append(5).note().append(5);
        PaperPartition copy = copyOf(late, 0);
        late.begin = 8;
        late.records.headMap(8L).clear();
        late.taking().expired(8);
        late.note().append(5).note();
        late.records.tailMap(10L).values().forEach(copy::append);
        late.notes.remove(1);

        assertThat(texts(new NotesCheck(late.notes, copy, late.kept(), offset -> {}).ofCopy()))
                .isEqualTo("NEVER_NOTED [5,8) leaf 5 x3");
    }

    @Test
    void whatACopyLacksIsNamed() {
        PaperPartition copy = new PaperPartition();
        partition.records.forEach((offset, text) -> {
            if (offset != 12) {
                copy.records.put(offset, text);
            }
        });
        NotesCheck.Result named = new NotesCheck(partition.notes, copy, partition.kept(), offset -> {}).ofCopy();
        NotesCheck.Result bySize = new NotesCheck(partition.notes, copy, KeptLeaves.NONE, offset -> {}).ofCopy();

        assertThat(texts(named)).isEqualTo("LOST [13,13) leaf 12 x1");
        assertThat(texts(bySize)).startsWith("DIFFERENT [10,16) leaf 10 x5");
        assertThat(bySize.isViolated()).isTrue();
    }

    @Test
    void whatWasComparedIsToldNoteByNote() {
        List<Long> progress = new ArrayList<>();
        NotesCheck.Result unused =
                new NotesCheck(partition.notes, partition, KeptLeaves.NONE, progress::add).ofSameLog();

        assertThat(progress).containsExactly(10L, 15L, 315L);
    }

    @Test
    void whereAllNotesThatAreMissingAreOnNothingNothingIsMissing() {
        PaperPartition empty = new PaperPartition().note().note();
        empty.notes.remove(0);

        assertThat(texts(empty.named())).isEmpty();
    }

    @Test
    void afterAForkWhatFollowsIsComparedWithTheLaterTree() {
        PaperPartition other =
                new PaperPartition().append(10).note().append("x", "y").note();
        other.notes.add(1, new PaperPartition().append(9).note().note().notes.get(1));
        other.append(2);

        assertThat(texts(other.named())).startsWith("FORKED").endsWith("NOT_NOTED_YET [9,14) leaf 9 x5");
    }

    @Test
    void aNoteOnNoMoreRecordsHasNoneThatExpired() {
        PaperPartition late = new PaperPartition().append(5).note();
        late.begin = 9;
        late.records.clear();
        late.taking().expired(8);
        late.note();

        assertThat(texts(late.named())).isEqualTo("EXPIRED [0,5) leaf 0 x5; NEVER_NOTED [5,8) leaf 5 x-1");
    }

    @Test
    void ofEqualRecordsOfALaterNoteNoMoreExpireThanThereWereOffsets() {
        PaperPartition equal = new PaperPartition()
                .append(3)
                .note()
                .append("x", "x", "x", "x", "y")
                .note();
        equal.begin = 4;
        equal.records.headMap(4L).clear();
        equal.records.remove(5L);

        assertThat(equal.named().isViolated()).isTrue();
    }

    @Test
    void aCutThatTheNotarySawIsNoneThatATransactionHides() {
        partition.records.tailMap(310L, true).clear();
        partition.taking().cut(310);
        partition.append("new 310", "new 311").note();
        partition.heldBack = 3;

        assertThat(texts(partition.named())).isEqualTo("TRUNCATED [310,315) leaf 310 x5");
    }

    @Test
    void beyondAThousandDifferencesTheRestIsDifferent() {
        PaperPartition many = new PaperPartition().append(2_100).note();
        many.records.keySet().removeIf(offset -> offset % 2 == 0);
        List<String> texts = PaperPartition.texts(many.named());

        assertThat(texts).hasSize(Differences.MOST_NAMED + 1);
        assertThat(texts.get(Differences.MOST_NAMED - 1)).isEqualTo("LOST [1999,1999) leaf 1998 x1");
        assertThat(texts.get(Differences.MOST_NAMED)).isEqualTo("DIFFERENT [1999,2100) leaf 0 x-1");
    }

    @Test
    void oneLostFurtherDownIsNotTakenForOneOfThoseThatExpired() {
        PaperPartition gaps = new PaperPartition();
        for (long offset = 0; offset < 20; offset += 2) {
            gaps.records.put(offset, "record " + offset);
        }
        gaps.note();
        gaps.begin = 3;
        gaps.records.headMap(3L).clear();
        gaps.records.remove(6L);

        assertThat(texts(gaps.named())).isEqualTo("EXPIRED [4,4) leaf 0 x2; LOST [8,8) leaf 3 x1");
    }

    @Test
    void theFirstRecordIsLostIfNoneExpired() {
        partition.records.remove(0L);
        assertThat(texts(partition.named())).isEqualTo("LOST [1,1) leaf 0 x1");

        PaperPartition copy = copyOf(partition, 0);
        PaperPartition whole = new PaperPartition().append(315).note();
        assertThat(texts(new NotesCheck(whole.notes, copy, whole.kept(), offset -> {}).ofCopy()))
                .isEqualTo("LOST [0,0) leaf 0 x1");
    }

    @Test
    void whatExpiredBesideAnAlteredRecordIsNotLost() {
        partition.begin = 12;
        partition.records.headMap(12L).clear();
        partition.records.put(13L, "another");

        assertThat(texts(partition.named()))
                .isEqualTo("EXPIRED [0,10) leaf 0 x10; EXPIRED [12,12) leaf 10 x2; ALTERED [13,14) leaf 13 x1");
    }

    @Test
    void oneRecordInThePlaceOfTwoIsNoneOfThem() {
        partition.records.remove(100L);
        partition.records.put(101L, "another");

        assertThat(texts(partition.named())).isEqualTo("LOST [101,101) leaf 100 x2; INSERTED [101,102) leaf 102 x1");
    }

    @Test
    void whatStandsBesideARecordInAnotherOrderIsNamedForItself() {
        partition.records.put(20L, "record 21");
        partition.records.put(21L, "record 20");
        partition.records.remove(22L);

        assertThat(PaperPartition.texts(partition.named())).hasSize(2).noneMatch(text -> text.startsWith("ALTERED"));
    }

    @Test
    void withoutHashesACopyThatBeginsLateIsNotCompared() {
        PaperPartition copy = copyOf(partition, 0);
        copy.begin = 3;
        copy.records.headMap(3L).clear();

        assertThat(texts(new NotesCheck(partition.notes, copy, KeptLeaves.NONE, offset -> {}).ofCopy()))
                .isEqualTo("NOT_COMPARED [3,315) leaf 0 x315");
    }

    @Test
    void aCopyOfWhatNobodyNotedHasNoFindings() {
        NotesCheck.Result result = new NotesCheck(List.of(), partition, KeptLeaves.NONE, offset -> {}).ofCopy();

        assertThat(result.findings()).isEmpty();
        assertThat(result.unaltered()).isZero();
    }
}
