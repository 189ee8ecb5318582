package dev.stormproof.task.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.task.transform.TransformRunner.TransformFailure;
import dev.stormproof.verify.feed.HeaderBytes;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TransformRunnerTest {
    private static final byte[] KEY = {1};
    private static final HeaderBytes HEADERS = HeaderBytes.NONE.plus("h", null);
    private static final InputEvent EVENT = new InputEvent("orders", 0, 7, 0, KEY, new byte[] {2}, HEADERS);
    private static final long LONG = 60_000;

    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void whatFailsIsTriedAgainAsOftenAsConfigured() throws Exception {
        try (TransformRunner runner = new TransformRunner(event -> succeedAt(3), 2, LONG)) {
            assertThat(runner.run(EVENT).value()).containsExactly(9);
        }
        assertThat(calls).hasValue(3);
    }

    /** What a parser says of an event quotes it; alerts and outputs are read by others than events are. */
    @Test
    void theReasonHoldsNothingOfTheEvent() {
        EventTransform quoting = event -> {
            throw new IllegalStateException("of 'secret'", new IllegalArgumentException("unexpected 'secret'"));
        };
        assertThatThrownBy(() -> run(quoting, 0, LONG))
                .hasMessageMatching("java.lang.IllegalStateException at [\\w.]+TransformRunnerTest.*, "
                        + "caused by java.lang.IllegalArgumentException")
                .hasMessageNotContaining("secret")
                .hasRootCauseMessage("unexpected 'secret'");
    }

    @Test
    void anErrorIsAFailureAndTriedAgainLikeAnException() throws Exception {
        for (Throwable thrown : List.of(
                new AssertionError("no such thing"),
                new NoClassDefFoundError("com/example/Missing"),
                new ExceptionInInitializerError("no class"),
                new OutOfMemoryError("Requested array size exceeds VM limit"),
                new Throwable("of a language without checked exceptions"))) {
            calls.set(0);
            EventTransform failing = event -> {
                calls.incrementAndGet();
                throw TransformRunnerTest.<RuntimeException>unchecked(thrown);
            };
            try (TransformRunner runner = new TransformRunner(failing, 2, LONG)) {
                assertThatThrownBy(() -> runner.run(EVENT))
                        .isInstanceOf(TransformFailure.class)
                        .hasMessageStartingWith(thrown.getClass().getName() + " at ")
                        .hasCause(thrown);
            }
            assertThat(calls).as("calls that threw %s", thrown).hasValue(3);
        }
    }

    @Test
    void anEventThatIsTooDeepForTheStackIsAFailureAndTheNextOneIsTransformed() throws Exception {
        byte[] brackets = new byte[4_000_000];
        EventTransform recursive =
                event -> Transformed.of(new byte[depth(event.offset() == EVENT.offset() ? brackets : new byte[3], 0)]);
        try (TransformRunner runner = new TransformRunner(recursive, 1, LONG)) {
            assertThatThrownBy(() -> runner.run(EVENT)).hasCauseInstanceOf(StackOverflowError.class);
            assertThat(runner.run(new InputEvent("orders", 0, 8, 0, null, new byte[] {3}, HeaderBytes.NONE))
                            .value())
                    .hasSize(3);
        }
    }

    @Test
    void anErrorAfterTheTimeIsATimeout() {
        CountDownLatch never = new CountDownLatch(1);
        EventTransform offended = event -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return Transformed.of(null);
        };
        try (TransformRunner runner = new TransformRunner(offended, 0, 20)) {
            assertThatThrownBy(() -> runner.run(EVENT))
                    .hasCauseInstanceOf(TimeoutException.class)
                    .cause()
                    .hasSuppressedException(new AssertionError(new InterruptedException()));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void ofALongChainOfCausesTheFirstFourAreNamed() {
        EventTransform deep = event -> {
            Exception cause = new IllegalStateException();
            for (int i = 0; i < 10; i++) {
                cause = new IllegalArgumentException(cause);
            }
            throw cause;
        };
        assertThatThrownBy(() -> run(deep, 0, LONG))
                .hasMessageEndingWith(", caused by java.lang.IllegalArgumentException".repeat(4))
                .hasMessageNotContaining(", caused by java.lang.IllegalArgumentException".repeat(5));
    }

    @Test
    void whatTheVirtualMachineSaysOfItselfEndsTheTask() {
        EventTransform unlucky = event -> {
            calls.incrementAndGet();
            throw new InternalError("broken");
        };
        assertThatThrownBy(() -> run(unlucky, 2, LONG)).isInstanceOf(InternalError.class);
        assertThat(calls).hasValue(1);
    }

    @Test
    void anExceptionThatCannotBePutIntoWordsIsAFailureToo() {
        final class Speechless extends RuntimeException {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("no words");
            }
        }
        EventTransform failing = event -> {
            throw new Speechless();
        };
        assertThatThrownBy(() -> run(failing, 0, LONG))
                .isInstanceOf(TransformFailure.class)
                .hasMessageContaining(Speechless.class.getName())
                .satisfies(failure -> assertThat(failure.getCause()).isNotInstanceOf(Speechless.class));
    }

    @Test
    void whateverATransformDoesToItsArraysTheEventStaysAsItWasRead() throws Exception {
        EventTransform scribbling = event -> {
            for (byte[] array :
                    new byte[][] {event.key(), event.value(), event.headers().encoded()}) {
                assertThat(array).doesNotContain(99);
                Arrays.fill(array, (byte) 99);
            }
            return succeedAt(3);
        };
        byte[] headers = EVENT.headers().encoded().clone();
        try (TransformRunner runner = new TransformRunner(scribbling, 2, LONG)) {
            Transformed made = runner.run(EVENT);
            assertThat(made.contentFor(EVENT).key()).containsExactly(1);
            assertThat(made.contentFor(EVENT).headers().encoded()).containsExactly(headers);
        }
        assertThat(EVENT.value()).containsExactly(2);
    }

    @Test
    @SuppressWarnings("NullAway") // What an application may do.
    void nullIsAFailure() {
        assertThatThrownBy(() -> run(event -> null, 0, LONG)).hasMessageContaining("returned null");
    }

    @Test
    void whatTakesTooLongIsInterruptedAndTheThreadIsNotLeftSo() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        EventTransform hanging = event -> {
            if (calls.incrementAndGet() == 1) {
                never.await();
            }
            return Transformed.of(null);
        };
        try (TransformRunner runner = new TransformRunner(hanging, 0, 20)) {
            assertThatThrownBy(() -> runner.run(EVENT)).hasCauseInstanceOf(TimeoutException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(runner.run(EVENT).value()).isNull();
        }
    }

    @Test
    void aResultThatComesTooLateIsAFailure() {
        CountDownLatch never = new CountDownLatch(1);
        EventTransform stubborn = event -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                return Transformed.of(new byte[] {0}); // What a transform makes that takes no offence.
            }
            return Transformed.of(null);
        };
        assertThatThrownBy(() -> run(stubborn, 0, 20)).hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void aCallThatHeedsNoInterruptionIsReportedOnceWithItsEventAndItsStack() throws Exception {
        CountDownLatch reported = new CountDownLatch(1);
        List<IllegalStateException> stuck = new CopyOnWriteArrayList<>();
        EventTransform deaf = event -> {
            while (reported.getCount() > 0) {
                Thread.onSpinWait();
            }
            return Transformed.of(null);
        };
        try (TransformRunner runner = new TransformRunner(deaf, 0, 20, (thread, why) -> {
            stuck.add(why);
            reported.countDown();
        })) {
            assertThatThrownBy(() -> runner.run(EVENT)).hasCauseInstanceOf(TimeoutException.class);
        }
        assertThat(stuck).singleElement().satisfies(why -> {
            assertThat(why)
                    .hasMessageContaining(EVENT.topic() + "-" + EVENT.partition() + "@" + EVENT.offset())
                    .hasMessageContaining("the worker or process ends");
            assertThat(why.getStackTrace())
                    .extracting(StackTraceElement::getClassName)
                    .contains(TransformRunnerTest.class.getName());
        });
    }

    @Test
    void aThreadThatIsStuckFailsToItsOwnHandler() throws Exception {
        BlockingQueue<Throwable> failed = new LinkedBlockingQueue<>();
        CountDownLatch over = new CountDownLatch(1);
        EventTransform deaf = event -> {
            while (over.getCount() > 0) {
                Thread.onSpinWait();
            }
            return Transformed.of(null);
        };
        try (TransformRunner runner = new TransformRunner(deaf, 0, 20)) {
            Thread task = new Thread(() -> assertThatThrownBy(() -> runner.run(EVENT)));
            task.setUncaughtExceptionHandler((thread, thrown) -> failed.add(thrown));
            task.start();

            assertThat(failed.poll(10, TimeUnit.SECONDS)).hasMessageContaining("heeds no interruption");

            over.countDown();
            task.join();
        } finally {
            over.countDown();
        }
    }

    @Test
    void anInterruptionByOthersIsNoFailureOfTheTransformAndIsNotTriedAgain() {
        EventTransform waiting = event -> {
            calls.incrementAndGet();
            new CountDownLatch(1).await();
            return Transformed.of(null);
        };
        try (TransformRunner runner = new TransformRunner(waiting, 5, LONG)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> runner.run(EVENT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(calls).hasValue(1);
    }

    @Test
    void anInterruptionThatTheTransformMadeUpFailsLikeAnyException() {
        EventTransform own = event -> {
            calls.incrementAndGet();
            throw new InterruptedException("the pool is closed");
        };
        try (TransformRunner runner = new TransformRunner(own, 1, LONG)) {
            assertThatThrownBy(() -> runner.run(EVENT)).isInstanceOf(TransformFailure.class);
            assertThat(Thread.interrupted()).isFalse();
        }
        assertThat(calls).hasValue(2);
    }

    @Test
    void aTransformThatThrowsAndLeavesItsThreadInterruptedHasFailed() {
        EventTransform idiomatic = event -> {
            calls.incrementAndGet();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(new ExecutionException(new InterruptedException("the pool is closed")));
        };
        try (TransformRunner runner = new TransformRunner(idiomatic, 1, LONG)) {
            assertThatThrownBy(() -> runner.run(EVENT)).isInstanceOf(TransformFailure.class);
        } finally {
            assertThat(Thread.interrupted()).isFalse();
        }
        assertThat(calls).hasValue(2);
    }

    @Test
    void aResultCountsThoughTheTransformLeavesItsThreadInterrupted() throws Exception {
        EventTransform idiomatic = event -> {
            Thread.currentThread().interrupt();
            return Transformed.of(null);
        };
        try (TransformRunner runner = new TransformRunner(idiomatic, 0, LONG)) {
            assertThat(runner.run(EVENT).value()).isNull();
        } finally {
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    @Timeout(60)
    void aChainOfCausesWithoutEndIsAFailure() {
        EventTransform endless = event -> {
            throw new IllegalStateException("of itself") {
                private static final long serialVersionUID = 1L;

                @Override
                public synchronized Throwable getCause() {
                    return this;
                }
            };
        };
        assertThatThrownBy(() -> run(endless, 0, LONG)).isInstanceOf(TransformFailure.class);
    }

    @Test
    void anInterruptionBeforeTheCallOutlivesIt() throws Exception {
        try (TransformRunner runner = new TransformRunner(event -> Transformed.of(null), 0, LONG)) {
            Thread.currentThread().interrupt();
            assertThat(runner.run(EVENT).value()).isNull();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void anInterruptionByOthersThatTheTransformWrapsEndsTheTaskAsWell() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        EventTransform wrapping = event -> {
            waits.countDown();
            try {
                if (calls.incrementAndGet() == 1) {
                    new CountDownLatch(1).await();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
            return Transformed.of(null);
        };
        Thread task = Thread.currentThread();
        Thread ending = new Thread(() -> {
            try {
                waits.await();
                task.interrupt();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        ending.start();
        try (TransformRunner runner = new TransformRunner(wrapping, 5, LONG)) {
            assertThatThrownBy(() -> runner.run(EVENT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasRootCauseInstanceOf(InterruptedException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
            ending.join();
        }
        assertThat(calls).hasValue(1);
    }

    @Test
    void keyAndHeadersStayUnlessTheTransformSaysOtherwise() {
        Transformed plain = Transformed.of(new byte[] {3});
        assertThat(plain.contentFor(EVENT).key()).isSameAs(KEY);
        assertThat(plain.contentFor(EVENT).headers()).isSameAs(HEADERS);

        Transformed other = plain.withKey(null).withHeader("made", new byte[] {4});
        assertThat(other.contentFor(EVENT).key()).isNull();
        assertThat(other.contentFor(EVENT).headers().last("made")).containsExactly(4);
        assertThat(other.contentFor(EVENT).headers().encoded()).startsWith(HEADERS.encoded());
        for (String own : List.of("stormproof-transformed", EventHeader.NAME)) {
            assertThatThrownBy(() -> plain.withHeader(own, new byte[0]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith(": " + own);
        }
    }

    private static Transformed run(EventTransform transform, int retries, long timeoutMillis) throws Exception {
        try (TransformRunner runner = new TransformRunner(transform, retries, timeoutMillis)) {
            return runner.run(EVENT);
        }
    }

    private static int depth(byte[] brackets, int at) {
        return at < brackets.length ? 1 + depth(brackets, at + 1) : 0;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // So that it is thrown where none is declared.
    private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private Transformed succeedAt(int attempt) {
        int call = calls.incrementAndGet();
        if (call < attempt) {
            throw new IllegalArgumentException("attempt " + call);
        }
        return Transformed.of(new byte[] {9});
    }
}
