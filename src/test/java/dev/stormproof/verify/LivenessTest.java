package dev.stormproof.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Every transition of the liveness; a stream is overdue only while it is quiet. */
class LivenessTest {
    private static final long LIMIT_MILLIS = 100;

    private final Liveness liveness = new Liveness();

    private boolean isOverdueAt(long nowMillis) {
        return liveness.isOverdue(true, nowMillis, LIMIT_MILLIS);
    }

    /** Quiet since a time, which only a tick that changed the state has noted. */
    private void assertQuietSince(long millis) {
        assertThat(isOverdueAt(millis + LIMIT_MILLIS)).isFalse();
        assertThat(isOverdueAt(millis + LIMIT_MILLIS + 1)).isTrue();
    }

    private void assertNotQuiet() {
        assertThat(isOverdueAt(Long.MAX_VALUE)).isFalse();
    }

    @Nested
    class FromNew {
        @Test
        void itIsNew() {
            assertThat(liveness.isNew()).isTrue();
            assertThat(liveness.isGivenUp()).isFalse();
            assertNotQuiet();
        }

        @Test
        void recordToHeard() {
            liveness.hear();
            assertThat(liveness.isNew()).isFalse();
            assertNotQuiet();
        }

        @Test
        void checkpointToHeard() {
            liveness.restart();
            assertThat(liveness.isNew()).isFalse();
            assertNotQuiet();
        }

        @Test
        void tickToQuiet() {
            liveness.tick(7);
            assertQuietSince(7);
        }
    }

    @Nested
    class FromHeard {
        @BeforeEach
        void hear() {
            liveness.hear();
        }

        @Test
        void recordToHeard() {
            liveness.hear();
            assertNotQuiet();
        }

        @Test
        void tickToQuiet() {
            liveness.tick(7);
            assertQuietSince(7);
        }

        @Test
        void giveUpToGivenUp() {
            liveness.giveUp();
            assertThat(liveness.isGivenUp()).isTrue();
        }
    }

    @Nested
    class FromQuiet {
        @BeforeEach
        void tick() {
            liveness.hear();
            liveness.tick(7);
        }

        @Test
        void tickToQuietSinceTheFirst() {
            liveness.tick(50);
            assertQuietSince(7);
        }

        @Test
        void recordToHeard() {
            liveness.hear();
            assertNotQuiet();
            liveness.tick(50);
            assertQuietSince(50);
        }

        @Test
        void checkpointToHeard() {
            liveness.restart();
            assertNotQuiet();
        }

        @Test
        void giveUpToGivenUp() {
            liveness.giveUp();
            assertThat(liveness.isGivenUp()).isTrue();
            assertNotQuiet();
        }
    }

    @Nested
    class FromGivenUp {
        @BeforeEach
        void giveUp() {
            liveness.hear();
            liveness.giveUp();
        }

        @Test
        void eventToGivenUp() {
            liveness.hear();
            assertThat(liveness.isGivenUp()).isTrue();
        }

        @Test
        void tickToGivenUp() {
            liveness.tick(7);
            assertThat(liveness.isGivenUp()).isTrue();
            assertNotQuiet();
        }

        @Test
        void checkpointToHeard() {
            liveness.restart();
            assertThat(liveness.isGivenUp()).isFalse();
            liveness.tick(9);
            assertQuietSince(9);
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
