package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.input.EventSource;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.testing.FailingProducer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** A source's events reach a topic, or the reason is told why they do not. */
class SourceEmitterTest {
    private static final String TOPIC = "events";

    private final UnansweringProducer inner = new UnansweringProducer();

    @Test
    void aFailureIsToldThoughTheClosingCheckpointIsNeverAnswered() {
        SourceEmitter emitter = emitter(new OneEvent());

        CompletableFuture<Void> run = CompletableFuture.runAsync(emitter::run);

        assertThat(run).succeedsWithin(Duration.ofSeconds(30));
        assertThatThrownBy(emitter::isComplete)
                .isInstanceOf(Failure.class)
                .hasMessage("line 1 was not accepted: that needs Write on topic events; docs/guides/verify.md lists the"
                        + " rights that are needed");
        assertThat(inner.closed()).isTrue();
    }

    private SourceEmitter emitter(EventSource source) {
        CheckpointingProducer<byte[], byte[]> producer = new CheckpointingProducer<>(
                Map.of("bootstrap.servers", "localhost:1"),
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                settings -> inner);
        return new SourceEmitter(source, producer, TOPIC, 1, Duration.ofMillis(100));
    }

    /** One event, which fails once it is sent. */
    private final class OneEvent implements EventSource {
        @Override
        public void forEach(Visitor visitor) {
            assertThat(visitor.visit(0, new byte[1])).isTrue();
            inner.failNext(new ClusterAuthorizationException("not allowed"));
        }

        @Override
        public String title() {
            return "one event";
        }

        @Override
        public String unit() {
            return "line";
        }
    }

    /** A producer whose flush waits until it is closed, as KafkaProducer's does for records that get no answer. */
    private static final class UnansweringProducer extends FailingProducer {
        private final CountDownLatch closed = new CountDownLatch(1);

        UnansweringProducer() {
            super(TOPIC, false);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // It waits.
        public void flush() {
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close(Duration timeout) {
            super.close(timeout);
            closed.countDown();
        }
    }
}
