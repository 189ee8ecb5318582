package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static dev.stormproof.testing.StreamRecords.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.verify.fold.EventStream.Sealed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How anchor, open interval and liveness of a stream act together where a checkpoint seals. */
class EventStreamTest extends EventStreamCase {
    @Nested
    class Sealing {
        @Test
        void checkpointZeroOfANewStreamMatchesIfNothingCanLieBefore() {
            Sealed sealed = stream.seal(zero, true);
            assertThat(sealed)
                    .isEqualTo(new Sealed(
                            zero, true, 10, 10, EventStream.NONE, EventStream.NONE, EventStream.NONE, false));
        }

        @Test
        void checkpointZeroOfANewStreamIsReadFromTheLogIfSomethingMay() {
            assertThat(stream.seal(zero, false).matches()).isFalse();
        }

        @Test
        void anotherNumberOfANewStreamIsReadFromTheLog() {
            assertThat(stream.seal(two, true).matches()).isFalse();
        }

        @Test
        void checkpointZeroBehindAnEventIsReadFromTheLog() {
            stream.add(ALICE.event(9, 0));
            Sealed sealed = stream.seal(zero, true);
            assertThat(sealed.matches()).isFalse();
            assertThat(sealed.firstOffset()).isEqualTo(9);
        }

        @Test
        void checkpointZeroThatStatesEventsIsReadFromTheLog() {
            assertThat(stream.seal(ALICE.checkpoint(0, 0, 2).at(10), true).matches())
                    .isFalse();
        }

        @Test
        void whatContinuesATrustedOneAndIsAsSeenMatches() {
            begin();
            addBoth();
            assertThat(seal(one)).isEqualTo(new Sealed(one, true, 11, 11, 10, 10, 0, true));
            assertThat(seal(two)).isEqualTo(new Sealed(two, true, 30, 30, 20, 20, 1, true));
        }

        @Test
        void whatContinuesATrustedOneAndIsNotAsSeenIsReadFromTheLogAndTrusted() {
            begin();
            stream.add(ALICE.event(11, 0));
            assertThat(seal(one).matches()).isFalse();
            assertThat(seal(two).matches()).isTrue();
        }

        @Test
        void whatDoesNotContinueIsReadFromTheLogAndNotTrusted() {
            begin();
            addBoth();
            assertThat(seal(ALICE.checkpoint(1, 0, 2).at(20)).matches()).isFalse();
            assertThat(seal(two).matches()).isFalse();
        }

        @Test
        void behindOneThatTheLogConfirmedTheNextMatches() {
            seal(zero);
            confirm(zero);
            addBoth();
            assertThat(seal(one).matches()).isTrue();
        }

        @Test
        void aCheckpointFromBeforeItWasFollowedAnchorsNothing() {
            EventStream later = new EventStream(ALICE.stream(), false, 25);
            later.confirm(LastCheckpoint.of(one), List.of());
            later.seal(two, false);
            assertThat(later.seal(ALICE.checkpoint(3, 2, 2).after(two).at(40), false)
                            .matches())
                    .isFalse();
        }

        @Test
        void whatIsNumberedBelowWhatIsKnownToSealIsReadFromTheLog() {
            begin();
            stream.prove(LastCheckpoint.of(two));
            addBoth();
            assertThat(seal(one).matches()).isFalse();
        }

        @Test
        void aStreamThatIsConfirmedInMidIntervalCountsFromItsCheckpoint() {
            stream.add(ALICE.event(9, 7));
            addBoth();
            confirm(zero);
            assertThat(stream.openSince()).isEqualTo(11);
            assertThat(seal(one).matches())
                    .as("what came before it was added too")
                    .isFalse();
        }

        @Test
        void aStreamThatWasFirstSeenElsewhereIsPartialUntilItsFirstCheckpoint() {
            addBoth();
            confirm(zero);
            assertThat(seal(one).matches()).isFalse();
            assertThat(seal(two).matches()).isTrue();
        }

        @Test
        void aRepetitionIsOneWhileItsOriginalIsTheLast() {
            assertThat(stream.isRepeatedBy(zero)).isFalse();
            begin();
            assertThat(stream.isRepeatedBy(zero)).isTrue();
            assertThat(stream.isRepeatedBy(one)).isFalse();
        }

        @Test
        void behindAClosingCheckpointMoreIsOpenOnlyByAnEventThatItsSequencesDoNotReach() {
            begin();
            addBoth();
            CheckpointRecord end =
                    ALICE.checkpoint(1, 0, 2).after(zero).closing().at(20);
            seal(end);
            stream.add(ALICE.event(21, 1));
            assertThat(stream.judgedUpTo(22)).isFalse();
            assertThat(stream.openSince()).isEqualTo(EventStream.NONE);
            stream.add(ALICE.event(23, 2));
            assertThat(stream.judgedUpTo(24)).isTrue();
            assertThat(stream.openSince()).isEqualTo(23);
        }

        @Test
        void theProvenOneIsTheFirstOfTheGreatestNumber() {
            assertThat(stream.proven()).isNull();
            stream.prove(LastCheckpoint.of(one));
            stream.prove(
                    LastCheckpoint.of(ALICE.checkpoint(1, 0, 2).by("another").at(25)));
            stream.prove(LastCheckpoint.of(zero));
            assertThat(stream.proven()).isEqualTo(LastCheckpoint.of(one));
        }

        @Test
        void aProvenOneOfNoSmallerNumberLiesBeforeAnother() {
            stream.prove(LastCheckpoint.of(one));
            assertThat(stream.provenBefore(LastCheckpoint.of(
                            ALICE.checkpoint(0, 0, 0).by("another").at(21))))
                    .isEqualTo(20);
            assertThat(stream.provenBefore(LastCheckpoint.of(
                            ALICE.checkpoint(1, 0, 2).by("another").at(21))))
                    .as("of the same number")
                    .isEqualTo(20);
            assertThat(stream.provenBefore(LastCheckpoint.of(zero)))
                    .as("in front")
                    .isEqualTo(EventStream.NONE);
            assertThat(stream.provenBefore(LastCheckpoint.of(
                            ALICE.checkpoint(0, 0, 0).by("another").at(20))))
                    .as("in its place")
                    .isEqualTo(EventStream.NONE);
        }

        @Test
        void earlierProvenOnesAreKeptUntilNothingWaitsForTheLog() {
            long sizeBytes = stream.sizeBytes();
            stream.prove(LastCheckpoint.of(one));
            stream.prove(LastCheckpoint.of(two));
            CheckpointRecord zeroAgain = ALICE.checkpoint(0, 0, 0).by("another").at(25);
            assertThat(stream.provenBefore(LastCheckpoint.of(zeroAgain))).isEqualTo(20);
            assertThat(stream.sizeBytes()).isGreaterThan(sizeBytes);
            stream.settled();
            assertThat(stream.provenBefore(LastCheckpoint.of(zeroAgain))).isEqualTo(EventStream.NONE);
            assertThat(stream.sizeBytes()).isEqualTo(sizeBytes);
        }

        @Test
        void whatIsProvenAtATruncationOrBehindIsForgotten() {
            CheckpointRecord behind = ALICE.checkpoint(0, 0, 0).by("another").at(40);
            begin();
            stream.prove(LastCheckpoint.of(one));
            stream.prove(LastCheckpoint.of(two));

            assertThat(stream.rewind(30)).isTrue();
            assertThat(stream.proven()).isNull();
            assertThat(stream.provenBefore(LastCheckpoint.of(behind))).isEqualTo(20);

            assertThat(stream.rewind(20)).isTrue();
            assertThat(stream.provenBefore(LastCheckpoint.of(behind)))
                    .as("zero is left")
                    .isEqualTo(10);
        }

        @Test
        void whatIsProvenBeforeATruncationStays() {
            begin();
            stream.prove(LastCheckpoint.of(one));
            assertThat(stream.rewind(21)).isTrue();
            assertThat(stream.proven()).isEqualTo(LastCheckpoint.of(one));
        }

        @Test
        void inFormat1TheFirstCheckpointAtTheLogsBeginningMatches() {
            EventStream plain = new EventStream(PLAIN.stream(), true, 0);
            plain.add(PLAIN.plainEvent(0, 1));
            assertThat(plain.seal(PLAIN.plainCheckpoint(1, 1), true).matches()).isTrue();
            EventStream elsewhere = new EventStream(PLAIN.stream(), false, 0);
            elsewhere.add(PLAIN.plainEvent(5, 1));
            assertThat(elsewhere.seal(PLAIN.plainCheckpoint(6, 1), true).matches())
                    .isFalse();
        }

        @Test
        void inFormat1OneThatDoesNotMatchIsNotTrusted() {
            EventStream plain = new EventStream(PLAIN.stream(), true, 0);
            plain.add(PLAIN.plainEvent(0, 1));
            assertThat(plain.seal(PLAIN.plainCheckpoint(1, 2), true).matches()).isFalse();
            plain.add(PLAIN.plainEvent(2, 3));
            assertThat(plain.seal(PLAIN.plainCheckpoint(3, 3), true).matches()).isFalse();
        }

        @Test
        void inFormat2TheLogsBeginningAnchorsNothing() {
            EventStream atBeginning = new EventStream(ALICE.stream(), true, 0);
            atBeginning.add(ALICE.event(0, 0));
            assertThat(atBeginning.seal(ALICE.checkpoint(1, 0, 1).at(1), true).matches())
                    .isFalse();
        }
    }

    @Nested
    class OutOfOrder {
        private CheckpointRecord oneAt(long offset) {
            return ALICE.checkpoint(1, 0, 2).after(zero).at(offset);
        }

        @Test
        void whatCameBehindItsSuccessorIsReadFromTheLog() {
            begin();
            addBoth();
            CheckpointRecord early = ALICE.checkpoint(3, 2, 2).after(two).at(13);
            assertThat(seal(early).matches()).isFalse();
            stream.reject(13);
            seal(oneAt(20));
            confirm(oneAt(20));
            assertThat(seal(two).matches()).as("3 has named it").isFalse();
        }

        @Test
        void whatASuccessorInTheEvidenceNamesIsReadFromTheLog() {
            CheckpointRecord early = ALICE.checkpoint(2, 2, 2).after(one).at(5);
            seal(zero);
            stream.confirm(LastCheckpoint.of(zero), List.of(early, zero));
            addBoth();
            assertThat(seal(one).matches()).isFalse();
        }

        @Test
        void whatTheEvidenceHoldsBehindACheckpointIsInOrder() {
            seal(zero);
            stream.confirm(LastCheckpoint.of(zero), List.of(zero, oneAt(20)));
            addBoth();
            assertThat(seal(one).matches()).isTrue();
        }

        @Test
        void whatTheEvidenceHoldsOfEarlierNumbersIsInOrder() {
            CheckpointRecord later = ALICE.checkpoint(5, 0, 0).promising(60_000).at(10);
            seal(later);
            stream.confirm(
                    LastCheckpoint.of(later),
                    List.of(ALICE.checkpoint(5, 0, 0).by("other").at(4), later));
            addBoth();
            assertThat(seal(ALICE.checkpoint(6, 0, 2).after(later).at(20)).matches())
                    .isTrue();
        }

        @Test
        void onceTheNumbersArePassedTheNextMatchesAgain() {
            whatASuccessorInTheEvidenceNamesIsReadFromTheLog();
            confirm(one);
            CheckpointRecord again = ALICE.checkpoint(2, 2, 2).after(one).at(30);
            assertThat(seal(again).matches()).as("came before").isFalse();
            confirm(again);
            CheckpointRecord three = ALICE.checkpoint(3, 2, 2).after(again).at(40);
            assertThat(seal(three).matches()).isTrue();
        }

        @Test
        void ofTooManyNoneMatchesUntilTheLogWasReadAgain() {
            List<CheckpointRecord> early = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                early.add(ALICE.checkpoint(100 + 3 * i, 0, 0).at(i));
            }
            seal(zero);
            stream.confirm(LastCheckpoint.of(zero), early);
            addBoth();
            assertThat(seal(one).matches()).isFalse();
            confirm(one);
            assertThat(seal(two).matches()).isTrue();
        }

        @Test
        void anAnswerOnAnOlderOneNotesNothing() {
            begin();
            addBoth();
            seal(ALICE.checkpoint(7, 0, 0).at(20));
            CheckpointRecord early = ALICE.checkpoint(9, 0, 0).at(5);
            stream.confirm(LastCheckpoint.of(zero), List.of(early));
            CheckpointRecord seven = ALICE.checkpoint(7, 0, 0).at(20);
            confirm(seven);
            assertThat(seal(ALICE.checkpoint(8, 0, 0).after(seven).at(30)).matches())
                    .as("9 was not seen by the judgement on 7")
                    .isTrue();
        }
    }

    @Nested
    class Judged {
        @Test
        void whatTheLogRejectsIsOpenAgain() {
            begin();
            addBoth();
            CheckpointRecord other = ALICE.checkpoint(5, 0, 2).at(20);
            seal(other);
            stream.add(ALICE.event(21, 2));
            assertThat(stream.openSince()).isEqualTo(11);
            stream.reject(20);
            assertThat(stream.openSince()).isEqualTo(11);
            assertThat(stream.promisedAt()).as("back at checkpoint 0").isEqualTo(10);
        }

        @Test
        void theRejectionOfAnotherChangesNothing() {
            stream.reject(10);
            begin();
            addBoth();
            stream.reject(9);
            assertThat(seal(one).matches()).isTrue();
        }

        @Test
        void behindARejectedOneNothingMatchesUntilTheLogConfirms() {
            begin();
            addBoth();
            seal(ALICE.checkpoint(5, 0, 2).at(13));
            stream.reject(13);
            assertThat(seal(one).matches()).isFalse();
            confirm(one);
            assertThat(seal(two).matches()).isTrue();
        }

        @Test
        void whatIsConfirmedLeavesOpenWhatLiesBehind() {
            begin();
            addBoth();
            seal(ALICE.checkpoint(5, 0, 2).at(20));
            stream.add(ALICE.event(21, 2));
            confirm(ALICE.checkpoint(5, 0, 2).at(20));
            assertThat(stream.openSince()).isEqualTo(21);
        }

        @Test
        void behindOneThatExpiredUnjudgedNothingMatches() {
            begin();
            addBoth();
            seal(one);
            stream.unconfirm(20);
            assertThat(seal(two).matches()).isFalse();
        }

        @Test
        void theExpiryOfAnotherChangesNothing() {
            stream.unconfirm(20);
            begin();
            addBoth();
            seal(one);
            stream.unconfirm(10);
            assertThat(seal(two).matches()).isTrue();
        }

        @Test
        void whatExpiredHoldsNoEventsOpen() {
            addBoth();
            seal(one);
            assertThat(stream.openSince()).isEqualTo(11);
            stream.unconfirm(20);
            assertThat(stream.openSince()).isEqualTo(EventStream.NONE);
        }
    }

    @Nested
    class Proven {
        @Test
        void whatWaitedBetweenTwoProvenCheckpointsIsJudgedByTheOneBefore() {
            stream.prove(LastCheckpoint.of(ALICE.checkpoint(4, 0, 0).at(19)));
            stream.prove(LastCheckpoint.of(ALICE.checkpoint(6, 0, 0).at(57)));

            assertThat(stream.provenBefore(
                            LastCheckpoint.of(ALICE.checkpoint(3, 0, 0).at(34))))
                    .isEqualTo(19);
            assertThat(stream.provenBefore(
                            LastCheckpoint.of(ALICE.checkpoint(3, 0, 0).at(60))))
                    .isEqualTo(57);
            assertThat(stream.provenBefore(
                            LastCheckpoint.of(ALICE.checkpoint(5, 0, 0).at(34))))
                    .isEqualTo(EventStream.NONE);
        }

        @Test
        void onceNothingWaitsTheLastOneIsKeptAlone() {
            stream.prove(LastCheckpoint.of(ALICE.checkpoint(4, 0, 0).at(19)));
            stream.prove(LastCheckpoint.of(ALICE.checkpoint(6, 0, 0).at(57)));
            stream.settled();

            assertThat(stream.provenBefore(
                            LastCheckpoint.of(ALICE.checkpoint(3, 0, 0).at(34))))
                    .isEqualTo(EventStream.NONE);
            assertThat(stream.provenBefore(
                            LastCheckpoint.of(ALICE.checkpoint(3, 0, 0).at(60))))
                    .isEqualTo(57);
        }

        @Test
        void soManyAreKept() {
            for (int number = 1; number <= 66; number++) {
                stream.prove(LastCheckpoint.of(ALICE.checkpoint(number, 0, 0).at(10L * number)));
            }

            assertThat(stream.provenBefore(
                            LastCheckpoint.of(ALICE.checkpoint(0, 0, 0).at(15))))
                    .isEqualTo(EventStream.NONE);
            assertThat(stream.provenBefore(
                            LastCheckpoint.of(ALICE.checkpoint(0, 0, 0).at(25))))
                    .isEqualTo(20);
        }
    }
}
