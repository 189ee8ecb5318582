package dev.stormproof.evidence.notary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.EpochEnd;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Notes over crashes, hand-overs and cuts, with a topic in memory that commits all of a transaction or nothing. */
class NoteTakingTest {
    private static final int RUNS = 60;

    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());

    /** What Kafka holds: notes, tiles and progress, and the one that may write. */
    private static final class Committed {
        private final List<Note> notes = new ArrayList<>();
        private final Map<Long, Hash> tiles = new HashMap<>();
        private long progress;
        private int owner;
        /** Where the log was cut, under whose leader epoch 1 what follows was written. */
        private long cutTo = Long.MAX_VALUE;
    }

    /** A task: from what is committed on. */
    private static final class Task {
        private final Committed kafka;
        private final int id;
        private final NoteTaking taking;

        Task(Committed kafka) throws MalformedNoteException {
            this.kafka = kafka;
            this.id = ++kafka.owner;
            Note last = kafka.notes.isEmpty() ? null : kafka.notes.get(kafka.notes.size() - 1);
            this.taking = last == null
                    ? NoteTaking.begin(PaperPartition.ORIGIN, 0, true)
                    : NoteTaking.after(last, unfinished(last));
        }

        private Hash unfinished(Note last) {
            Hash tile = kafka.tiles.get(last.head().size() / 256);
            return last.head().size() % 256 == 0 || tile == null ? Hash.empty() : tile;
        }

        void read(PaperPartition log, int most) {
            // As a broker says where the epoch of the last record ended.
            if (taking.leaderEpoch() == 0 && taking.next() > kafka.cutTo) {
                taking.cut(kafka.cutTo);
            }
            int left = most;
            for (var record : log.records.tailMap(taking.next(), true).entrySet()) {
                if (left-- == 0) {
                    return;
                }
                taking.take(
                        record.getKey(), record.getKey() < kafka.cutTo ? 0 : 1, PaperPartition.leaf(record.getValue()));
            }
        }

        /** Commits unless it crashes before, or is fenced; true if it is alone and alive. */
        boolean commit(boolean crashes) {
            if (!taking.hasNews()) {
                return true;
            }
            List<NoteTaking.Tile> tiles = taking.tiles();
            Note note = taking.note(0, NoteState.Place.NONE, PaperPartition.KEY).note();
            if (crashes || kafka.owner != id) {
                return false;
            }
            tiles.forEach(tile -> kafka.tiles.put(tile.index(), tile.hashes()));
            kafka.notes.add(note);
            kafka.progress = note.state().next();
            return true;
        }
    }

    @Test
    void oneChainOfNotesComesOfCrashesHandOversAndFencedTasks() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            PaperPartition log = new PaperPartition();
            Committed kafka = new Committed();
            List<Task> alive = new ArrayList<>();
            boolean cut = false;
            for (int step = 0; step < 60; step++) {
                log.append(random.nextInt(40));
                if (alive.isEmpty() || random.nextInt(6) == 0) {
                    alive.add(new Task(kafka)); // Another one takes over; the one before does not know.
                }
                Task task = alive.get(random.nextInt(alive.size()));
                if (!cut && kafka.progress > 3 && random.nextInt(50) == 0) {
                    kafka.cutTo = kafka.progress - random.nextInt(1, 4);
                    log.records.tailMap(kafka.cutTo, true).clear();
                    log.append("new " + kafka.cutTo, "new again");
                    cut = true;
                }
                task.read(log, random.nextInt(1, 50));
                if (!task.commit(random.nextInt(5) == 0)) {
                    alive.remove(task);
                }
            }
            Task end = new Task(kafka);
            end.read(log, Integer.MAX_VALUE);
            assertThat(end.commit(false)).isTrue();
            holds(log, kafka, cut, seed + run);
        }
    }

    private static void holds(PaperPartition log, Committed kafka, boolean cut, long runSeed) {
        String seedText = "-Dseed=" + runSeed;
        Note before = null;
        for (Note note : kafka.notes) {
            assertThat(note.state().number())
                    .as(seedText)
                    .isEqualTo(before == null ? 0 : before.state().number() + 1);
            before = note;
        }
        KeptLeaves kept = kept(kafka.tiles);
        NotesCheck.Result result = new NotesCheck(kafka.notes, log, kept, offset -> {}).ofSameLog();
        if (!cut) {
            assertThat(result.findings())
                    .as(seedText)
                    .allMatch(finding -> finding.kind() == NotesFinding.Kind.NOT_NOTED_YET);
            assertThat(result.unaltered())
                    .as(seedText)
                    .isEqualTo(before == null ? 0 : before.head().size());
        } else {
            assertThat(PaperPartition.texts(result))
                    .as(seedText)
                    .allMatch(text -> text.startsWith("TRUNCATED") || text.startsWith("NOT_NOTED_YET"));
        }
        if (before != null) {
            assertThat(kept.leaves(0, before.head().size())).as(seedText).isNotNull();
            byte[] all = kept.leaves(0, before.head().size());
            NotedTree whole = new NotedTree();
            for (int at = 0; all != null && at < all.length; at += NotedTree.HASH_BYTES) {
                whole.append(all, at);
            }
            assertThat(whole.root()).as(seedText).isEqualTo(before.root());
            assertThat(kafka.progress).as(seedText).isEqualTo(before.state().next());
        }
    }

    private static KeptLeaves kept(Map<Long, Hash> tiles) {
        return new KeptLeaves() {
            @Override
            public byte @Nullable [] leaves(long begin, long end) {
                byte[] all = new byte[(int) (end - begin) * 32];
                for (long leaf = begin; leaf < end; leaf++) {
                    Hash tile = tiles.get(leaf / 256);
                    int at = (int) (leaf % 256) * 32;
                    if (tile == null || tile.sizeBytes() < at + 32) {
                        return null;
                    }
                    System.arraycopy(tile.toByteArray(), at, all, (int) (leaf - begin) * 32, 32);
                }
                return all;
            }
        };
    }

    @Test
    void anEndOfATransactionIsPassedWithoutALeaf() {
        NoteTaking taking = NoteTaking.begin(PaperPartition.ORIGIN, 5, false);
        taking.take(5, 1, PaperPartition.leaf("a"));
        taking.passedUpTo(7);
        Note note = taking.note(0, NoteState.Place.NONE, PaperPartition.KEY).note();

        assertThat(note.head().size()).isEqualTo(1);
        assertThat(taking.next()).isEqualTo(7);
        assertThat(note.state().next()).isEqualTo(6);
        assertThat(NoteTaking.after(note).next()).isEqualTo(6);
    }

    @Test
    void anEndOfATransactionThatAnotherLeaderWroteIsNoCutAndIsReadAgain() {
        NoteTaking taking = NoteTaking.begin(PaperPartition.ORIGIN, 5, false);
        taking.take(5, 1, PaperPartition.leaf("a"));
        taking.passedUpTo(7);
        Note unused = taking.note(0, NoteState.Place.NONE, PaperPartition.KEY).note();

        assertThat(taking.findOn(0, 9, (offset, epoch) -> new EpochEnd(epoch, 6)))
                .isEqualTo(NoteTaking.Found.GOES_ON);
        assertThat(taking.next()).isEqualTo(6);
        assertThat(taking.hasNews()).isFalse();
        assertThat(taking.findOn(0, 9, (offset, epoch) -> new EpochEnd(epoch, 5)))
                .isEqualTo(NoteTaking.Found.CUT);
    }

    @Test
    void whatAnotherLeaderWroteBehindTheNotedMayHaveExpired() {
        NoteTaking taking = NoteTaking.begin(PaperPartition.ORIGIN, 5, false);
        taking.take(5, 1, PaperPartition.leaf("a"));
        taking.passedUpTo(8);
        Note unused = taking.note(0, NoteState.Place.NONE, PaperPartition.KEY).note();

        assertThat(taking.findOn(7, 9, (offset, epoch) -> new EpochEnd(epoch, 6)))
                .isEqualTo(NoteTaking.Found.EXPIRED);
        assertThat(taking.next()).isEqualTo(7);
    }

    @Test
    void aCutBeforeTheLogsBeginGoesOnAtTheBegin() {
        NoteTaking taking = noted(8, 8);

        assertThat(taking.findOn(5, 9, (offset, epoch) -> new EpochEnd(epoch, 3)))
                .isEqualTo(NoteTaking.Found.CUT);
        assertThat(taking.next()).isEqualTo(5);
    }

    /** Two elections: one that cut off what an earlier leader wrote, and one that brought that back. */
    @Test
    void aLogThatHoldsNothingOfTheLastLeaderThatWasNotedWasCutWhereThatOneBegan() {
        NoteTaking taking = NoteTaking.begin(PaperPartition.ORIGIN, 0, false);
        for (int i = 0; i < 8; i++) {
            taking.take(i, i / 4 + 1, PaperPartition.leaf("a"));
        }
        Note note = taking.note(0, NoteState.Place.NONE, PaperPartition.KEY).note();

        assertThat(taking.findOn(3, 12, (offset, epoch) -> new EpochEnd(1, offset)))
                .isEqualTo(NoteTaking.Found.CUT);
        assertThat(taking.next()).isEqualTo(4);

        NoteTaking later = NoteTaking.after(note);
        assertThat(later.findOn(3, 12, (offset, epoch) -> new EpochEnd(1, offset)))
                .isEqualTo(NoteTaking.Found.CUT);
        assertThat(later.next()).isEqualTo(4);
    }

    /** Of that one it has the beginning alone: another leader wrote where its last records were. */
    @Test
    void neitherIsTheLeaderBeforeBelievedToBeThereWithoutAQuestion() {
        NoteTaking taking = NoteTaking.begin(PaperPartition.ORIGIN, 0, false);
        for (int i = 0; i < 8; i++) {
            taking.take(i, i < 4 ? 1 : 3, PaperPartition.leaf("a"));
        }
        Note unused = taking.note(0, NoteState.Place.NONE, PaperPartition.KEY).note();

        // Epoch 2 wrote from 3 on, and to 12.
        assertThat(taking.findOn(0, 12, (offset, epoch) -> epoch == 1 ? new EpochEnd(1, 3) : new EpochEnd(2, offset)))
                .isEqualTo(NoteTaking.Found.CUT);
        assertThat(taking.next()).isEqualTo(3);
    }

    @Test
    void nothingIsCutIfAllThatWasNotedHasExpired() {
        NoteTaking taking = NoteTaking.begin(PaperPartition.ORIGIN, 5, false);
        taking.take(5, 1, PaperPartition.leaf("a"));
        Note unused = taking.note(0, NoteState.Place.NONE, PaperPartition.KEY).note();

        assertThat(taking.findOn(6, 9, (offset, epoch) -> new EpochEnd(epoch, 0)))
                .isEqualTo(NoteTaking.Found.GOES_ON);
        assertThat(taking.next()).isEqualTo(6);
        assertThat(taking.hasNews()).isFalse();
    }

    @Test
    void whatWasPassedBeforeTheFirstRecordIsReadAgain() {
        NoteTaking taking = NoteTaking.begin(PaperPartition.ORIGIN, 0, false);
        taking.passedUpTo(10);

        assertThat(taking.findOn(0, 20, (offset, epoch) -> new EpochEnd(epoch, offset)))
                .isEqualTo(NoteTaking.Found.GOES_ON);
        assertThat(taking.next()).isEqualTo(0);
    }

    @Test
    void recordsThatAreNotReadHavePlaces() {
        NoteTaking taking = NoteTaking.begin(PaperPartition.ORIGIN, 0, false);
        taking.take(0, 1, PaperPartition.leaf("a"));
        taking.takeUnread(9, 3, 1, new RecordLeaf());

        assertThat(taking.size()).isEqualTo(4);
        assertThat(taking.next()).isEqualTo(10);
    }

    @Test
    void aTreeWhoseUnfinishedTileIsGoneGoesOnWithTheNextOne() throws Exception {
        PaperPartition partition = new PaperPartition().append(300).note();
        NoteTaking taking = NoteTaking.afterLostTile(partition.notes.get(0));
        partition.append(100).note();
        takeFrom(partition, taking, 300);
        assertThat(taking.tiles()).isEmpty();
        Note note = taking.note(0, NoteState.Place.NONE, PaperPartition.KEY).note();
        assertThat(note.root()).isEqualTo(partition.notes.get(1).root());

        NoteTaking again = NoteTaking.afterLostTile(note);
        partition.append(200).note();
        takeFrom(partition, again, 400);
        assertThat(again.tiles()).containsExactly(new NoteTaking.Tile(2, Hash.copyOf(partition.tile(2))));
    }

    private static void takeFrom(PaperPartition partition, NoteTaking taking, long offset) {
        assertThat(taking.next()).isEqualTo(offset);
        partition.records.tailMap(offset, true).forEach((at, text) -> taking.take(at, 3, PaperPartition.leaf(text)));
    }

    @Test
    void anotherTilesHashesAreRefused() {
        PaperPartition partition = new PaperPartition().append(300).note();
        Note last = partition.notes.get(0);
        byte[] tile = partition.tile(1);
        tile[40] ^= 1;

        assertThatThrownBy(() -> NoteTaking.after(last, Hash.copyOf(tile))).isInstanceOf(MalformedNoteException.class);
        assertThatThrownBy(() -> NoteTaking.after(last, Hash.empty())).isInstanceOf(MalformedNoteException.class);
    }

    @Test
    void aTreeWhoseLostTileLacksOneHashGoesOnWithTheNextOne() throws Exception {
        PaperPartition partition = new PaperPartition().append(255).note();
        NoteTaking taking = NoteTaking.afterLostTile(partition.notes.get(0));
        partition.append(257).note();
        takeFrom(partition, taking, 255);

        assertThat(taking.tiles()).containsExactly(new NoteTaking.Tile(1, Hash.copyOf(partition.tile(1))));
    }

    @Test
    void whatExpiredBeforeItWasNotedIsPassedAndNews() {
        NoteTaking taking = noted(1, 1);

        assertThat(taking.origin()).isEqualTo(PaperPartition.ORIGIN);
        assertThat(taking.hasNews()).isFalse();
        assertThat(taking.findOn(20, 30, (offset, epoch) -> new EpochEnd(epoch, offset)))
                .isEqualTo(NoteTaking.Found.EXPIRED);
        assertThat(taking.next()).isEqualTo(20);
        assertThat(taking.hasNews()).isTrue();
    }

    @Test
    void ofALogThatHoldsItsLastLeaderNoneBeforeIsAsked() {
        NoteTaking taking = noted(8, 4);

        assertThat(taking.findOn(0, 12, (offset, epoch) -> new EpochEnd(epoch, epoch == 1 ? 4 : 8)))
                .isEqualTo(NoteTaking.Found.GOES_ON);
        assertThat(taking.next()).isEqualTo(8);
    }

    @Test
    void aCutOrAnExpiryGoesElsewhereThanOn() {
        NoteTaking taking = noted(4, 4);

        assertThatThrownBy(() -> taking.cut(4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> taking.expired(4)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLeafOfARecordThatIsNotReadIsTheSameForAll() {
        NoteTaking inARow = NoteTaking.begin(PaperPartition.ORIGIN, 0, false);
        inARow.takeUnread(1, 2, 1, PaperPartition.leaf("large"));
        NoteTaking single = NoteTaking.begin(PaperPartition.ORIGIN, 0, false);
        single.take(0, 1, PaperPartition.leaf(PaperPartition.UNREAD));
        single.take(1, 1, PaperPartition.leaf(PaperPartition.UNREAD));

        assertThat(noteOf(inARow).root()).isEqualTo(noteOf(single).root());
    }

    /** After records each so many of which another leader wrote, from epoch 1 on. */
    private static NoteTaking noted(int records, int ofALeader) {
        NoteTaking taking = NoteTaking.begin(PaperPartition.ORIGIN, 0, false);
        for (int i = 0; i < records; i++) {
            taking.take(i, i / ofALeader + 1, PaperPartition.leaf("a"));
        }
        assertThat(taking.hasNews()).isTrue();
        assertThat(noteOf(taking).state().next()).isEqualTo(records);
        return taking;
    }

    private static Note noteOf(NoteTaking taking) {
        return taking.note(0, NoteState.Place.NONE, PaperPartition.KEY).note();
    }
}
