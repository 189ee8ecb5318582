package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every transition of the wait for a checkpoint. */
class LivenessTest {
    private static final long LIMIT_MILLIS = 100;

    private final Liveness liveness = new Liveness();

    private boolean isOverdueAt(long nowMillis) {
        return liveness.isOverdue(true, nowMillis, LIMIT_MILLIS);
    }

    private void assertWaitingSince(long millis) {
        assertThat(isOverdueAt(millis + LIMIT_MILLIS)).isFalse();
        assertThat(isOverdueAt(millis + LIMIT_MILLIS + 1)).isTrue();
    }

    private void assertNotTimed() {
        assertThat(isOverdueAt(Long.MAX_VALUE)).isFalse();
    }

    @Nested
    class FromNew {
        @Test
        void itIsNew() {
            assertThat(liveness.isNew()).isTrue();
            assertThat(liveness.isGivenUp()).isFalse();
            assertNotTimed();
        }

        @Test
        void recordToStarted() {
            liveness.event(true);
            assertThat(liveness.isNew()).isFalse();
            assertNotTimed();
        }

        @Test
        void checkpointToStarted() {
            liveness.restart();
            assertThat(liveness.isNew()).isFalse();
            assertNotTimed();
        }

        @Test
        void tickToTimed() {
            liveness.tick(7);
            assertWaitingSince(7);
        }
    }

    @Nested
    class FromStarted {
        @BeforeEach
        void hear() {
            liveness.event(true);
        }

        @Test
        void recordToStarted() {
            liveness.event(true);
            assertNotTimed();
        }

        @Test
        void tickToTimed() {
            liveness.tick(7);
            assertWaitingSince(7);
        }

        @Test
        void giveUpToGivenUp() {
            liveness.giveUp();
            assertThat(liveness.isGivenUp()).isTrue();
        }
    }

    @Nested
    class FromTimed {
        @BeforeEach
        void tick() {
            liveness.event(true);
            liveness.tick(7);
        }

        @Test
        void tickToTimedSinceTheFirst() {
            liveness.tick(50);
            assertWaitingSince(7);
        }

        @Test
        void eventWhileSomethingIsWaitedForToTimed() {
            assertThat(liveness.eventsCame()).isFalse();
            liveness.event(true);
            liveness.tick(50);
            assertWaitingSince(7);
            assertThat(liveness.eventsCame()).isTrue();
        }

        @Test
        void eventWhileNothingIsWaitedForToStarted() {
            liveness.event(false);
            assertNotTimed();
            liveness.tick(50);
            assertWaitingSince(50);
        }

        @Test
        void checkpointToStarted() {
            liveness.restart();
            assertNotTimed();
        }

        @Test
        void giveUpToGivenUp() {
            liveness.giveUp();
            assertThat(liveness.isGivenUp()).isTrue();
            assertNotTimed();
        }
    }

    @Nested
    class FromGivenUp {
        @BeforeEach
        void giveUp() {
            liveness.event(true);
            liveness.giveUp();
        }

        @Test
        void eventToGivenUp() {
            liveness.event(true);
            assertThat(liveness.isGivenUp()).isTrue();
        }

        @Test
        void tickToGivenUp() {
            liveness.tick(7);
            assertThat(liveness.isGivenUp()).isTrue();
            assertNotTimed();
        }

        @Test
        void checkpointToStarted() {
            liveness.checkpoint(false);
            assertThat(liveness.isGivenUp()).isFalse();
            liveness.tick(9);
            assertWaitingSince(9);
        }

        @Test
        void verdictOnAnEarlierCheckpointToGivenUp() {
            liveness.served();
            assertThat(liveness.isGivenUp()).isTrue();
        }

        @Test
        void giveUpThrows() {
            assertThatThrownBy(liveness::giveUp)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("given up in state GIVEN_UP");
        }

        @Test
        void nothingIsAwaited() {
            assertThat(liveness.await()).isFalse();
        }
    }

    @Nested
    class Awaiting {
        @BeforeEach
        void tick() {
            liveness.tick(0);
        }

        private boolean isOverdueThoughNothingIsOpen() {
            return liveness.isOverdue(false, LIMIT_MILLIS + 1, LIMIT_MILLIS);
        }

        @Test
        void withoutItAStreamOfWhichNothingIsOpenIsNeverOverdue() {
            assertThat(isOverdueThoughNothingIsOpen()).isFalse();
        }

        @Test
        void withItItIs() {
            assertThat(liveness.await()).isTrue();
            assertThat(isOverdueThoughNothingIsOpen()).isTrue();
        }

        @Test
        void untilACheckpointComes() {
            liveness.await();
            liveness.restart();
            liveness.tick(0);
            assertThat(isOverdueThoughNothingIsOpen()).isFalse();
        }

        @Test
        void orItIsStopped() {
            liveness.await();
            liveness.stopAwaiting();
            assertThat(isOverdueThoughNothingIsOpen()).isFalse();
        }

        @Test
        void orTheStreamIsGivenUp() {
            liveness.await();
            liveness.giveUp();
            liveness.restart();
            liveness.tick(0);
            assertThat(isOverdueThoughNothingIsOpen()).isFalse();
        }
    }
}
