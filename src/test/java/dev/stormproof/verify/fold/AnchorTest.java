package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.verify.fold.Anchor.Doubtful;
import dev.stormproof.verify.fold.Anchor.NoCheckpoint;
import dev.stormproof.verify.fold.Anchor.Trusted;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every transition of the anchor. */
class AnchorTest {
    private static final CheckpointRecord ZERO = ALICE.checkpoint(0, 0, 0).at(10);
    private static final CheckpointRecord ONE =
            ALICE.checkpoint(1, 0, 2).after(ZERO).at(20);
    private static final CheckpointRecord TWO =
            ALICE.checkpoint(2, 2, 4).after(ONE).at(30);
    private static final LastCheckpoint AT_10 = LastCheckpoint.of(ZERO);
    private static final LastCheckpoint AT_20 = LastCheckpoint.of(ONE);
    private static final LastCheckpoint AT_30 = LastCheckpoint.of(TWO);
    private static final Anchor NOTHING = new NoCheckpoint(false);

    @Nested
    class FromNoCheckpoint {
        private final Anchor none = new NoCheckpoint(false);

        @Test
        void nothingIsContinuedUnlessAtTheLogsBeginning() {
            assertThat(none.last()).isNull();
            assertThat(none.isContinuedBy(ZERO)).isFalse();
            assertThat(new NoCheckpoint(true).isContinuedBy(ZERO)).isTrue();
        }

        @Test
        void checkpointInOrderToTrusted() {
            assertThat(none.checkpoint(AT_10, true, 9)).isEqualTo(new Trusted(AT_10));
        }

        @Test
        void anyOtherCheckpointToDoubtful() {
            assertThat(none.checkpoint(AT_10, false, 9)).isEqualTo(new Doubtful(AT_10, NOTHING, 9));
        }

        @Test
        void confirmedToTrusted() {
            assertThat(none.confirmed(AT_10)).isEqualTo(new Trusted(AT_10));
        }

        @Test
        void givenUpToNoCheckpointNotAtTheBeginning() {
            assertThat(new NoCheckpoint(true).unconfirmed()).isEqualTo(none);
        }

        @Test
        void truncatedToNoCheckpointNotAtTheBeginning() {
            assertThat(new NoCheckpoint(true).truncated(5)).isEqualTo(none);
        }

        @Test
        void rejectedToItself() {
            assertThat(none.rejected(10)).isEqualTo(none);
        }
    }

    @Nested
    class FromTrusted {
        private final Anchor trusted = new Trusted(AT_20);

        @Test
        void itIsContinuedByTheNextOfItsChain() {
            assertThat(trusted.isContinuedBy(TWO)).isTrue();
            assertThat(trusted.isContinuedBy(ONE)).isFalse();
            assertThat(trusted.unsealedSince()).isEqualTo(Anchor.NONE);
        }

        @Test
        void checkpointThatContinuesItToTrusted() {
            assertThat(trusted.checkpoint(AT_30, true, 25)).isEqualTo(new Trusted(AT_30));
        }

        @Test
        void anyOtherCheckpointToDoubtfulWithThisToFallBackTo() {
            assertThat(trusted.checkpoint(AT_30, false, 25)).isEqualTo(new Doubtful(AT_30, new Trusted(AT_20), 25));
        }

        @Test
        void confirmedToItself() {
            assertThat(trusted.confirmed(AT_10)).isEqualTo(trusted);
            assertThat(trusted.confirmed(AT_20)).isEqualTo(trusted);
        }

        @Test
        void confirmedANewerOneToThatInWhateverOrderTheLogAnswers() {
            Anchor refused = new Doubtful(AT_30, NOTHING, 25).rejected(30);
            assertThat(refused.confirmed(AT_10).confirmed(AT_20)).isEqualTo(trusted);
            assertThat(refused.confirmed(AT_20).confirmed(AT_10)).isEqualTo(trusted);
        }

        @Test
        void rejectedToDoubtful() {
            assertThat(trusted.rejected(20)).isEqualTo(Doubtful.of(AT_20));
        }

        @Test
        void expiredOrGivenUpToDoubtful() {
            assertThat(trusted.unconfirmed()).isEqualTo(Doubtful.of(AT_20));
        }

        @Test
        void truncatedBehindItToItself() {
            assertThat(trusted.truncated(21)).isEqualTo(trusted);
        }

        @Test
        void truncatedBeforeItToNoCheckpoint() {
            assertThat(trusted.truncated(20)).isEqualTo(new NoCheckpoint(false));
        }
    }

    @Nested
    class FromDoubtful {
        private final Anchor doubtful = new Doubtful(AT_30, new Trusted(AT_10), 12);
        private final Anchor baseless = new Doubtful(AT_30, NOTHING, 12);

        @Test
        void nothingContinuesIt() {
            CheckpointRecord three = ALICE.checkpoint(3, 4, 6).after(TWO).at(40);
            assertThat(doubtful.isContinuedBy(three)).isFalse();
            assertThat(doubtful.unsealedSince()).isEqualTo(12);
        }

        @Test
        void checkpointToDoubtfulWithTheSameToFallBackTo() {
            assertThat(new Doubtful(AT_20, new Trusted(AT_10), 12).checkpoint(AT_30, false, 12))
                    .isEqualTo(new Doubtful(AT_30, new Trusted(AT_10), 12));
        }

        @Test
        void checkpointToDoubtfulWithTheFirstOneToFallBackToIfThereIsNone() {
            Anchor copied = Doubtful.of(AT_10).checkpoint(AT_20, false, 12).checkpoint(AT_30, false, 12);
            assertThat(copied).isEqualTo(new Doubtful(AT_30, Doubtful.of(AT_10), 12));
            assertThat(copied.rejected(30)).isEqualTo(Doubtful.of(AT_10));
        }

        @Test
        void rejectedTheOlderOneToDoubtfulWithNothingToFallBackTo() {
            assertThat(new Doubtful(AT_30, Doubtful.of(AT_10), 12).rejected(10)).isEqualTo(baseless);
        }

        @Test
        void confirmedToTrusted() {
            assertThat(doubtful.confirmed(AT_30)).isEqualTo(new Trusted(AT_30));
        }

        @Test
        void confirmedAnOlderOneToDoubtfulWithThatToFallBackTo() {
            assertThat(doubtful.confirmed(AT_20)).isEqualTo(new Doubtful(AT_30, new Trusted(AT_20), 21));
            assertThat(baseless.confirmed(AT_20)).isEqualTo(new Doubtful(AT_30, new Trusted(AT_20), 21));
        }

        @Test
        void confirmedAnOlderOneKeepsWhatIsOpenFurtherOn() {
            assertThat(new Doubtful(AT_30, new Trusted(AT_10), 25).confirmed(AT_20))
                    .isEqualTo(new Doubtful(AT_30, new Trusted(AT_20), 25));
            assertThat(new Doubtful(AT_30, new Trusted(AT_10), Anchor.NONE).confirmed(AT_20))
                    .isEqualTo(new Doubtful(AT_30, new Trusted(AT_20), Anchor.NONE));
        }

        @Test
        void confirmedOneThatIsNoNewerThanTheFallbackToItself() {
            assertThat(doubtful.confirmed(AT_10)).isEqualTo(doubtful);
            Anchor further = new Doubtful(AT_30, new Trusted(AT_20), 22);
            assertThat(further.confirmed(AT_10)).isEqualTo(further);
        }

        @Test
        void rejectedToTheOlderOneOrNoCheckpoint() {
            Anchor known = new Doubtful(AT_10, new Trusted(AT_10), Anchor.NONE);
            assertThat(doubtful.rejected(30)).isEqualTo(known);
            assertThat(known.fallback()).isEqualTo(new Trusted(AT_10));
            assertThat(new Doubtful(AT_30, Doubtful.of(AT_10), 21).rejected(30)).isEqualTo(Doubtful.of(AT_10));
            assertThat(baseless.rejected(30)).isEqualTo(new NoCheckpoint(false));
        }

        @Test
        void confirmedBehindThatOlderOneToTrusted() {
            assertThat(doubtful.rejected(30).confirmed(AT_20)).isEqualTo(new Trusted(AT_20));
        }

        @Test
        void expiredOrGivenUpToDoubtfulWithNothingToFallBackTo() {
            assertThat(doubtful.unconfirmed()).isEqualTo(Doubtful.of(AT_30));
        }

        @Test
        void truncatedBehindItToDoubtful() {
            assertThat(doubtful.truncated(31)).isEqualTo(new Doubtful(AT_30, new Trusted(AT_10), Anchor.NONE));
            assertThat(baseless.truncated(31)).isEqualTo(Doubtful.of(AT_30));
        }

        @Test
        void truncatedBeforeItToWhatItFallsBackTo() {
            assertThat(doubtful.truncated(30)).isEqualTo(new Trusted(AT_10));
            assertThat(doubtful.truncated(11)).isEqualTo(new Trusted(AT_10));
        }

        @Test
        void truncatedBeforeBothToNoCheckpoint() {
            assertThat(doubtful.truncated(10)).isEqualTo(new NoCheckpoint(false));
            assertThat(baseless.truncated(30)).isEqualTo(new NoCheckpoint(false));
        }
    }

    @Nested
    class Comparing {
        @Test
        void numberSequenceAndHashContinue() {
            assertThat(AT_10.isContinuedBy(ONE)).isTrue();
            assertThat(AT_10.isContinuedBy(ALICE.checkpoint(2, 0, 2).after(ZERO).at(20)))
                    .isFalse();
            assertThat(AT_10.isContinuedBy(ALICE.checkpoint(1, 1, 2).after(ZERO).at(20)))
                    .isFalse();
            assertThat(AT_10.isContinuedBy(ALICE.checkpoint(1, 0, 2).at(20))).isFalse();
        }

        @Test
        void inFormat1AnyOneContinuesAndNoneRepeats() {
            LastCheckpoint plain = LastCheckpoint.of(PLAIN.plainCheckpoint(5, 1, 2));
            assertThat(plain.isContinuedBy(PLAIN.plainCheckpoint(6, 7))).isTrue();
            assertThat(plain.isRepeatedBy(PLAIN.plainCheckpoint(6, 1, 2))).isFalse();
        }

        @Test
        void theSameHashRepeats() {
            assertThat(AT_10.isRepeatedBy(ALICE.checkpoint(0, 0, 0).at(15))).isTrue();
            assertThat(AT_10.isRepeatedBy(ALICE.checkpoint(0, 0, 0).by("other").at(15)))
                    .isFalse();
        }

        @Test
        void aPromiseIsOwedUnlessTheStreamEnds() {
            assertThat(AT_10.owesAnother()).isFalse();
            assertThat(LastCheckpoint.of(ALICE.checkpoint(0, 0, 0).promising(1).at(1))
                            .owesAnother())
                    .isTrue();
            assertThat(LastCheckpoint.of(ALICE.checkpoint(0, 0, 0)
                                    .promising(1)
                                    .closing()
                                    .at(1))
                            .owesAnother())
                    .isFalse();
        }
    }
}
