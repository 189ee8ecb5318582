package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.signature;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The three states of {@link OpenEvents}. */
class OpenEventsTest {
    private static final long AT = 1_700_000_000_000L;

    private final CheckpointRecord stated = ALICE.checkpoint(3, 40, 42).at(20);

    private static OpenEvents of(Event... events) {
        OpenEvents open = new OpenEvents(40, true);
        for (Event event : events) {
            open.add(event);
        }
        return open;
    }

    private static Event event(long offset, long sequence, TreeHash treeHash, int algorithm, Hash observed) {
        return new Event(
                offset,
                ALICE.stream().emitter(),
                sequence,
                treeHash,
                algorithm,
                signature(sequence),
                observed,
                Event.Content.UNTRANSFORMED,
                AT);
    }

    private static Event alike(long offset, long sequence) {
        return event(offset, sequence, TreeHash.XXH3, EventSigners.SHA256_KEY_VALUE, signature(sequence));
    }

    @Test
    void intactEventsInSequenceMatchWhatStatesThem() {
        OpenEvents open = of(ALICE.event(5, 40), ALICE.event(7, 41));

        assertThat(open.hasTree()).isTrue();
        assertThat(open.count()).isEqualTo(2);
        assertThat(open.firstOffset()).isEqualTo(5);
        assertThat(open.lastOffset()).isEqualTo(7);
        assertThat(open.matches(stated)).isTrue();
        assertThat(open.matches(ALICE.checkpoint(3, 40, 41).at(20))).isFalse();
        assertThat(open.matches(ALICE.checkpoint(3, 40, 43).at(20))).isFalse();
        assertThat(open.matches(ALICE.checkpoint(3, 40, 42)
                        .withRoot(ALICE.checkpoint(3, 40, 41).at(1).checkpoint().root())
                        .at(20)))
                .isFalse();
        assertThat(open.matches(ALICE.checkpoint(3, 40, 42)
                        .uncertainOf(new SequenceRange(41, 42))
                        .at(20)))
                .isFalse();
    }

    @Test
    void oneOfAnotherSequenceOrContentLeavesTheLogToShowThem() {
        assertThat(of(ALICE.event(5, 41)).hasTree()).isFalse();
        assertThat(of(ALICE.event(5, 40), ALICE.event(6, 40)).hasTree()).isFalse();
        assertThat(of(ALICE.event(5, 40), ALICE.event(6, 42)).hasTree()).isFalse();
        assertThat(of(ALICE.altered(5, 40)).hasTree()).isFalse();

        OpenEvents open = of(ALICE.event(5, 40), ALICE.altered(6, 41), ALICE.event(7, 41));
        assertThat(open.hasTree()).isFalse();
        assertThat(open.isWhole()).isTrue();
        assertThat(open.count()).isEqualTo(3);
        assertThat(open.lastOffset()).isEqualTo(7);
        assertThat(open.matches(stated)).isFalse();
        assertThat(of(ALICE.event(5, 41)).matches(ALICE.checkpoint(3, 40, 40).at(20)))
                .isFalse();
    }

    @Test
    void oneOfAnotherAlgorithmToo() {
        Event first = alike(5, 40);
        assertThat(of(first, alike(6, 41)).matches(stated)).isTrue();
        assertThat(of(first, event(6, 41, TreeHash.ADLER32, EventSigners.SHA256_KEY_VALUE, signature(41)))
                        .matches(stated))
                .isFalse();
        assertThat(of(first, event(6, 41, TreeHash.XXH3, EventSigners.SHA1, signature(41)))
                        .matches(stated))
                .isFalse();
        OpenEvents others = of(
                event(5, 40, TreeHash.XXH3, EventSigners.SHA1, signature(40)),
                event(6, 41, TreeHash.XXH3, EventSigners.SHA1, signature(41)));
        assertThat(others.hasTree()).isTrue();
        assertThat(others.matches(stated))
                .as("of another algorithm than is stated")
                .isFalse();
    }

    @Test
    void aRecordThatWasNotReadLeavesNothingWhole() {
        OpenEvents open = of(ALICE.event(5, 40));
        open.passUnread();
        open.add(ALICE.event(7, 41));

        assertThat(open.isWhole()).isFalse();
        assertThat(open.hasTree()).isFalse();
        assertThat(open.count()).isEqualTo(2);
        assertThat(open.matches(stated)).isFalse();
        open.dropTree();
        assertThat(open.isWhole()).isFalse();

        OpenEvents unread = of();
        unread.passUnread();
        assertThat(unread.matches(ALICE.checkpoint(3, 40, 40).at(20))).isFalse();
        assertThat(new OpenEvents(40, false).isWhole()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6, 7, 8})
    void afterAHeadAmongThemIsWhatLiesAfterIt(long headOffset) {
        OpenEvents rest = of(alike(5, 40), alike(7, 41)).after(headOffset, 41);

        assertThat(rest.isWhole()).isFalse();
        assertThat(rest.isEmpty()).isEqualTo(headOffset >= 7);
        if (headOffset < 7) {
            assertThat(rest.firstOffset()).isEqualTo(Math.max(5, headOffset + 1));
            assertThat(rest.sinceOffset()).isEqualTo(rest.firstOffset());
            assertThat(rest.lastOffset()).isEqualTo(7);
            assertThat(rest.count()).isEqualTo(2);
        }
    }
}
