package dev.stormproof.task.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ResharingTest {
    private final Resharing resharing = new Resharing();

    @Test
    void isNotAskedForBeforeATaskEnds() {
        resharing.claimed();
        resharing.shared();

        assertThat(resharing.isToBeAskedFor()).isFalse();
    }

    @Test
    void isAskedForOnceAndFulfilledByASharingThatKnowsOfIt() {
        resharing.wish();

        assertThat(resharing.isToBeAskedFor()).isTrue();
        assertThat(resharing.isToBeAskedFor()).isFalse();
        resharing.claimed();
        resharing.shared();
        assertThat(resharing.isToBeAskedFor()).isFalse();
    }

    /** Kafka's consumer forgets what it is asked for while a join is on its way: nobody had the task for minutes. */
    @Test
    void isAskedForAgainIfTheGroupSharedByWhatWasClaimedBeforeTheTaskEnded() {
        resharing.claimed();
        resharing.wish();
        assertThat(resharing.isToBeAskedFor()).isTrue();
        resharing.shared();

        assertThat(resharing.isToBeAskedFor()).isTrue();
        resharing.claimed();
        resharing.shared();
        assertThat(resharing.isToBeAskedFor()).isFalse();
    }

    @Test
    void isAskedForAnewForEachTaskThatEnds() {
        resharing.wish();
        assertThat(resharing.isToBeAskedFor()).isTrue();
        resharing.claimed();
        resharing.wish();

        assertThat(resharing.isToBeAskedFor()).isTrue();
        resharing.shared();
        assertThat(resharing.isToBeAskedFor()).isTrue();
    }
}
