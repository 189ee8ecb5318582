package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.verify.OffsetChain.Step;
import org.junit.jupiter.api.Test;

/** Every row of the chain's table, and what it remembers of readers and epochs. */
class OffsetChainTest {
    private final OffsetChain chain = new OffsetChain(0, 0);

    private static Link next(long offset, int epoch, long reader) {
        return new Link(offset, offset - 1, false, epoch, reader);
    }

    /** Reads [0, end) under epoch 0. */
    private void read(long end, long reader) {
        for (long offset = 0; offset < end; offset++) {
            chain.accept(next(offset, 0, reader));
        }
    }

    @Test
    void theRecordAfterTheLastContinues() {
        assertThat(chain.accept(next(0, 0, 1))).isEqualTo(Step.CONTINUED);
        assertThat(chain.accept(next(1, 0, 1))).isEqualTo(Step.CONTINUED);
        assertThat(chain.nextOffset()).isEqualTo(2);
    }

    @Test
    void offsetsWithoutARecordAreNoJump() {
        read(3, 1);
        assertThat(chain.accept(new Link(7, 2, false, 0, 1))).isEqualTo(Step.CONTINUED);
        assertThat(chain.nextOffset()).isEqualTo(8);
    }

    @Test
    void anOlderEpochIsReplayedWhereverItLies() {
        OffsetChain later = new OffsetChain(10, 3);
        assertThat(later.accept(next(10, 2, 1))).isEqualTo(Step.REPLAYED);
        assertThat(later.accept(next(9, 2, 1))).isEqualTo(Step.REPLAYED);
        assertThat(later.nextOffset()).isEqualTo(10);
    }

    @Test
    void theLastOffsetAndThoseBeforeItAreReplayed() {
        read(3, 1);
        assertThat(chain.accept(next(2, 0, 1))).isEqualTo(Step.REPLAYED);
        assertThat(chain.accept(next(0, 0, 1))).isEqualTo(Step.REPLAYED);
        assertThat(chain.nextOffset()).isEqualTo(3);
    }

    @Test
    void aNewerEpochBehindTheLastOffsetIsAnElection() {
        read(3, 1);
        assertThat(chain.accept(next(3, 1, 1))).isEqualTo(Step.ELECTED);
        assertThat(chain.accept(next(4, 1, 1))).isEqualTo(Step.CONTINUED);
    }

    @Test
    void anUnknownEpochSaysNothingOfElections() {
        OffsetChain known = new OffsetChain(10, 3);
        assertThat(known.accept(next(10, Link.NO_EPOCH, 1))).isEqualTo(Step.CONTINUED);
        assertThat(known.accept(next(10, Link.NO_EPOCH, 1))).isEqualTo(Step.REPLAYED);

        OffsetChain unknown = new OffsetChain(10, Link.NO_EPOCH);
        assertThat(unknown.accept(next(10, 5, 1))).isEqualTo(Step.CONTINUED);
        assertThat(unknown.accept(next(11, 6, 1))).as("known by now").isEqualTo(Step.ELECTED);
    }

    @Test
    void aPreviousRecordThatNeverCameIsAJumpOverEverythingUpToIt() {
        read(3, 1);
        assertThat(chain.accept(new Link(9, 5, false, 0, 1))).isEqualTo(Step.JUMPED);
        assertThat(chain.jumpedFrom()).isEqualTo(3);
        assertThat(chain.jumpedTo()).isEqualTo(6);
        assertThat(chain.nextOffset()).isEqualTo(10);
    }

    @Test
    void aStartPastTheLastOffsetIsAJumpOverEverythingUpToIt() {
        read(3, 1);
        assertThat(chain.accept(new Link(9, 5, true, 0, 2))).isEqualTo(Step.JUMPED);
        assertThat(chain.jumpedFrom()).isEqualTo(3);
        assertThat(chain.jumpedTo()).isEqualTo(9);
    }

    @Test
    void aStartPastTheLastOffsetIsAJumpThoughItWasToBeginThere() {
        read(3, 1);
        assertThat(chain.accept(new Link(9, 2, true, 0, 2))).isEqualTo(Step.JUMPED);
        assertThat(chain.jumpedTo()).isEqualTo(9);
    }

    @Test
    void aStartAtTheNextOffsetContinues() {
        read(3, 1);
        assertThat(chain.accept(new Link(3, 2, true, 0, 2))).isEqualTo(Step.CONTINUED);
    }

    @Test
    void aNewerEpochAtTheLastOffsetIsARewriting() {
        read(3, 1);
        assertThat(chain.accept(next(2, 1, 1))).isEqualTo(Step.REWRITTEN);
        assertThat(chain.nextOffset()).isEqualTo(3);
    }

    @Test
    void aStartOfWhichTheReaderKnowsThatTheLogWasCutBeforeIsARewritingFromThere() {
        read(6, 1);
        assertThat(chain.accept(new Link(9, 2, true, 1, 2))).isEqualTo(Step.REWRITTEN);
        assertThat(chain.jumpedFrom()).isEqualTo(3);
        assertThat(chain.jumpedTo()).isEqualTo(9);
        assertThat(chain.nextOffset()).isEqualTo(10);
        assertThat(chain.epochBefore(3)).isZero();
        assertThat(chain.epochBefore(9)).as("what lay there is of the new log").isEqualTo(1);
    }

    @Test
    void aRewritingMayHaveLostWhatItsReaderHadNotRead() {
        read(6, 1);
        chain.accept(new Link(1, 0, true, 0, 2));
        chain.accept(next(2, 0, 2));

        assertThat(chain.raisesDoubt(next(4, 1, 2))).isTrue();
        assertThat(chain.accept(next(4, 1, 2))).isEqualTo(Step.REWRITTEN);

        assertThat(chain.jumpedFrom()).isEqualTo(4);
        assertThat(chain.jumpedTo()).isEqualTo(4);
        assertThat(chain.nextOffset()).isEqualTo(5);
    }

    @Test
    void aReaderThatReplaysHasStillReadFurtherBefore() {
        read(6, 1);
        chain.accept(next(1, 0, 1));
        assertThat(chain.raisesDoubt(next(6, 1, 1))).isFalse();
    }

    @Test
    void aStartInARewrittenLogMayHaveLostWhatLiesBehindTheCut() {
        read(6, 1);
        assertThat(chain.accept(new Link(4, 1, true, 1, 2))).isEqualTo(Step.REWRITTEN);
        assertThat(chain.jumpedFrom()).isEqualTo(2);
        assertThat(chain.jumpedTo()).isEqualTo(4);
    }

    @Test
    void nobodyKnowsWhatAReaderReadThatWasNeverHeardOf() {
        read(6, 1);
        assertThat(chain.raisesDoubt(next(4, 1, 2))).isTrue();
        assertThat(chain.accept(next(4, 1, 2))).isEqualTo(Step.REWRITTEN);
        assertThat(chain.jumpedFrom()).isEqualTo(4);
    }

    @Test
    void fourReadersAreRemembered() {
        read(6, 1);
        for (long reader = 2; reader <= 4; reader++) {
            chain.accept(new Link(0, -1, true, 0, reader));
        }
        assertThat(chain.raisesDoubt(next(6, 1, 1))).isFalse();
    }

    @Test
    void theFirstOfFiveReadersIsForgotten() {
        read(6, 1);
        for (long reader = 2; reader <= 5; reader++) {
            chain.accept(new Link(0, -1, true, 0, reader));
        }
        assertThat(chain.raisesDoubt(next(6, 1, 1))).isTrue();
    }

    @Test
    void theEpochBeforeAnOffsetIsTheOneOfTheRecordBeforeIt() {
        OffsetChain later = new OffsetChain(10, 3);
        later.accept(next(10, 3, 1));
        later.accept(next(11, 5, 1));
        assertThat(later.epochBefore(9)).as("before the beginning").isEqualTo(3);
        assertThat(later.epochBefore(10)).isEqualTo(3);
        assertThat(later.epochBefore(11)).isEqualTo(3);
        assertThat(later.epochBefore(12)).isEqualTo(5);
    }

    @Test
    void epochsBehindACutAreForgotten() {
        read(5, 1);
        chain.accept(next(5, 1, 1));
        chain.accept(next(3, 2, 1));
        assertThat(chain.epochBefore(6)).isEqualTo(2);
        assertThat(chain.epochBefore(3)).isZero();
    }

    @Test
    void sixtyFourEpochsAreRememberedAndThenTheEldestIsForgotten() {
        for (int epoch = 1; epoch <= 63; epoch++) {
            chain.accept(next(epoch - 1, epoch, 1));
        }
        assertThat(chain.epochBefore(0)).isZero();
        chain.accept(next(63, 64, 1));
        assertThat(chain.epochBefore(0)).as("the first that is known").isEqualTo(1);
        assertThat(chain.epochBefore(1)).isEqualTo(1);
    }

    @Test
    void recordsOfOneEpochTakeNoRoomAmongTheEpochs() {
        read(200, 1);
        assertThat(chain.epochBefore(0)).isZero();
    }

    @Test
    void skippingIsAJumpWithoutARecord() {
        read(3, 1);
        chain.skipTo(8);
        assertThat(chain.jumpedFrom()).isEqualTo(3);
        assertThat(chain.jumpedTo()).isEqualTo(8);
        assertThat(chain.nextOffset()).isEqualTo(8);
        assertThat(chain.accept(next(8, 0, 1))).isEqualTo(Step.CONTINUED);
    }
}
