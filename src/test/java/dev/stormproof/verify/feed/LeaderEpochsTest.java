package dev.stormproof.verify.feed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeaderEpochsTest {
    private final LeaderEpochs epochs = new LeaderEpochs();

    @Test
    void inTheBeginningNoneIsKnown() {
        assertThat(epochs.before(0)).isEqualTo(DeliveryLink.NO_EPOCH);
        assertThat(epochs.before(9)).isEqualTo(DeliveryLink.NO_EPOCH);
    }

    @Test
    void theOneBeforeAnOffsetIsTheLastThatBeganBeforeIt() {
        epochs.note(3, 1);
        epochs.note(7, 4);
        assertThat(epochs.before(4)).isEqualTo(1);
        assertThat(epochs.before(7)).isEqualTo(1);
        assertThat(epochs.before(8)).isEqualTo(4);
    }

    @Test
    void beforeTheFirstKnownOneItIsThatOne() {
        epochs.note(3, 1);
        epochs.note(7, 4);
        assertThat(epochs.before(3)).isEqualTo(1);
        assertThat(epochs.before(0)).isEqualTo(1);
    }

    @Test
    void anUnknownOneGivesWayToTheNextThatIsKnown() {
        epochs.note(-1, DeliveryLink.NO_EPOCH);
        assertThat(epochs.before(5)).isEqualTo(DeliveryLink.NO_EPOCH);
        epochs.note(7, 4);
        assertThat(epochs.before(5)).isEqualTo(4);
        assertThat(epochs.before(8)).isEqualTo(4);
    }

    @Test
    void whatWasKnownOfLaterOffsetsWasOfAnotherLog() {
        epochs.note(3, 1);
        epochs.note(7, 4);
        epochs.note(5, 6);
        assertThat(epochs.before(8)).isEqualTo(6);
        epochs.note(5, 7);
        assertThat(epochs.before(6)).isEqualTo(7);
    }

    @Test
    void theNewest64AreKept() {
        for (int epoch = 0; epoch < 64; epoch++) {
            epochs.note(10L * epoch, epoch);
        }
        assertThat(epochs.before(1)).isZero();
        epochs.note(640, 64);
        assertThat(epochs.before(1)).as("the first that is known").isEqualTo(1);
        assertThat(epochs.before(641)).isEqualTo(64);
    }

    @Test
    void aLeaderBeginsBehindTheLastRecordOfTheOneBefore() {
        epochs.note(3, 1);
        epochs.note(10, 20, 4);
        assertThat(epochs.leadersBefore(20)).hasToString("3/1,10/4");
        assertThat(epochs.leadersBefore(10)).hasToString("3/1");
        assertThat(epochs.before(20)).isEqualTo(1);
        epochs.note(8, 5);
        assertThat(epochs.leadersBefore(20)).hasToString("3/1,8/5");
    }

    @Test
    void theLeadersAreToldAsTheyAreNowAndByTheSameObjectWhileTheyStayTheSame() {
        epochs.note(3, 1);
        epochs.note(7, 4);
        Leaders before = epochs.leadersBefore(9);
        assertThat(before).hasToString("3/1,7/4");
        assertThat(epochs.leadersBefore(20)).isSameAs(before);

        assertThat(epochs.leadersBefore(7)).hasToString("3/1");
        assertThat(epochs.leadersBefore(20)).isEqualTo(before);

        epochs.note(5, 6);
        assertThat(epochs.leadersBefore(20)).hasToString("3/1,5/6");
        epochs.note(5, 8);
        assertThat(epochs.leadersBefore(20)).hasToString("3/1,5/8");
    }
}
