package dev.stormproof.evidence.notary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.Leaders;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Notes of a month are compared in as many steps as there are notes. */
@Timeout(300)
class NoteChainTest {
    private static final int NOTES = 500_000;
    private static final Note FIRST =
            new PaperPartition().append(1).note().notes.get(0);

    /** Notes, and how often one was asked for. */
    private static final class Counted extends AbstractList<Note> implements RandomAccess {
        private final List<Note> notes =
                IntStream.range(0, NOTES).mapToObj(NoteChainTest::note).toList();
        private long steps;

        @Override
        public int size() {
            return NOTES;
        }

        @Override
        public Note get(int index) {
            steps++;
            if (steps > 10L * NOTES) {
                fail("more than %d steps", steps - 1);
            }
            return notes.get(index);
        }
    }

    /** A note on one more record than the one before, of a tree that nobody has. */
    private static Note note(int number) {
        long size = number + 1L;
        Hash root = Hash.copyOf(new byte[NotedTree.HASH_BYTES]);
        return new Note(
                FIRST.origin(),
                FIRST.signed(),
                new TreeHead(FIRST.origin().text(), size, root),
                new NoteState(
                        number,
                        size,
                        0,
                        number,
                        size,
                        Leaders.NONE,
                        number,
                        NoteState.Place.NONE,
                        Hash.copyOf(new byte[NotedTree.peaksBytes(size)])));
    }

    private static NotedLog log(long begin) {
        return new NotedLog() {
            @Override
            public long begin() {
                return begin;
            }

            @Override
            public long end() {
                return NOTES;
            }

            @Override
            public long writtenEnd() {
                return NOTES;
            }

            @Override
            public void read(long from, long to, LeafTaker taker) {
                byte[] hash = new byte[NotedTree.HASH_BYTES];
                for (long offset = from; offset < to; offset++) {
                    taker.take(offset, hash, 0);
                }
            }
        };
    }

    private static NotesCheck check(long begin) {
        return new NotesCheck(new NoteChain(new Counted(), List.of()), log(begin), KeptLeaves.NONE, offset -> {});
    }

    @Test
    void aLogIsComparedInAsManyStepsAsThereAreNotes() {
        assertThat(check(NOTES - 10).ofSameLog().findings().size()).isEqualTo(NOTES);
    }

    @Test
    void soIsACopy() {
        assertThat(check(0).ofCopy().findings().size()).isEqualTo(NOTES - 1); // The first one's root is right.
    }

    @Test
    void aCutIsThatOfAnyLaterNote() {
        PaperPartition partition =
                new PaperPartition().append(10).note().append(5).note();
        partition.records.tailMap(12L, true).clear();
        partition.taking().cut(12);
        partition.append(4).note();
        NoteChain chain = NoteChain.of(List.of(partition.notes.get(2), partition.notes.get(0), partition.notes.get(1)));

        assertThat(chain.notes()).containsExactlyElementsOf(partition.notes);
        assertThat(List.of(chain.cutAfter(0), chain.cutAfter(1), chain.cutAfter(2)))
                .containsExactly(10L, 12L, Long.MAX_VALUE);
    }

    @Test
    void placesOfRecordsThatNoNoteIsOfAreFound() {
        NoteChain chain = NoteChain.of(List.of(note(0), note(1), note(4), note(5), note(8)));

        for (long leaf = 0; leaf < 10; leaf++) {
            assertThat(chain.unnoted().isBefore(leaf))
                    .as("leaf %d", leaf)
                    .isEqualTo((leaf >= 2 && leaf <= 5) || (leaf >= 6 && leaf <= 9));
        }
    }
}
