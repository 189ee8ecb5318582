package dev.stormproof.task.storm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.testing.TestContexts;
import dev.stormproof.task.storm.tuple.Delivery;
import dev.stormproof.task.storm.tuple.DeliveryBatch;
import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Time.SimulatedTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TransformBoltTest {
    private static final byte[] KEY = {9};
    private final StormMetricRegistry metrics = new StormMetricRegistry();
    private final Collected collected = new Collected();

    /** Shouts; throws on what it cannot stand. */
    public static final class Shouting implements EventTransform {
        @Override
        public Transformed apply(InputEvent event) {
            String text = new String(Objects.requireNonNull(event.value(), "a tombstone"), UTF_8);
            if (text.equals("bad")) {
                throw new IllegalArgumentException("bad indeed");
            }
            return Transformed.of((text.toUpperCase(Locale.ROOT) + "!").getBytes(UTF_8));
        }
    }

    /** Takes as many milliseconds as the value says. */
    public static final class Slow implements EventTransform {
        @Override
        public Transformed apply(InputEvent event) {
            Time.advanceTime(Long.parseLong(new String(Objects.requireNonNull(event.value()), UTF_8)));
            return Transformed.of(event.value());
        }
    }

    @Test
    void theSignatureIsThatOfTheValueThatWasReadAndTheValueIsTheNewOne() {
        TransformBolt bolt = prepared(Shouting.class.getName());

        Delivery out = through(bolt, signed(5, "hello", "hello"));

        assertThat(out.content().value()).asString(UTF_8).isEqualTo("HELLO!");
        assertThat(out.observed()).isEqualTo(sha256("hello"));
    }

    @Test
    void aCheckpointPassesUnalteredEvenIfItCannotBeRead() {
        TransformBolt bolt = prepared(Shouting.class.getName());
        Delivery checkpoint = delivery(7, null, Map.of(Format2Checkpoint.HEADER, new byte[] {1, 2, 3}));

        assertThat(through(bolt, checkpoint)).isSameAs(checkpoint);
    }

    @Test
    void anEventOfACopyPassesUnalteredForTheVerifierNeedsWhatItsTransformMade() {
        TransformBolt bolt = prepared(Shouting.class.getName(), Map.of("origins", "orders:origin"));
        Delivery event = signed(5, "made", "read");

        assertThat(through(bolt, event)).isSameAs(event);
    }

    @Test
    void anUnsignedEventIsTransformedToo() {
        TransformBolt bolt = prepared(Shouting.class.getName());

        Delivery out = through(bolt, delivery(3, "hello".getBytes(UTF_8), Map.of()));

        assertThat(out.content().value()).asString(UTF_8).isEqualTo("HELLO!");
        assertThat(out.observed()).isEqualTo(Hash.empty());
    }

    @Test
    void whenTheTransformThrowsTheValueThatWasReadGoesOnAndTheNextEventAsUsual() {
        TransformBolt bolt = prepared(Shouting.class.getName());

        Delivery bad = through(bolt, signed(5, "bad", "bad"));
        Delivery good = through(bolt, signed(6, "good", "good"));

        assertThat(bad.content().value()).asString(UTF_8).isEqualTo("bad");
        assertThat(bad.observed()).isNull();
        assertThat(good.content().value()).asString(UTF_8).isEqualTo("GOOD!");
        assertThat(collected.errors)
                .singleElement()
                .satisfies(error -> assertThat(error)
                        .hasCauseInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("orders-1@5"));
        assertThat(metrics.getTaskCounters(1).values())
                .singleElement()
                .satisfies(counter -> assertThat(counter.getCount()).isEqualTo(1));
    }

    @Test
    void thereIsOneOutputForEachInputInTheSameOrderAnchoredAndAcked() {
        TransformBolt bolt = prepared(Shouting.class.getName());
        for (int tuple = 0; tuple < 10; tuple++) {
            Delivery[] deliveries = new Delivery[10];
            for (int i = 0; i < 10; i++) {
                int offset = 10 * tuple + i;
                deliveries[i] = i == 9
                        ? delivery(offset, null, Map.of(Format2Checkpoint.HEADER, new byte[] {1}))
                        : signed(offset, offset % 7 == 0 ? "bad" : "x" + offset, "x");
            }
            bolt.execute(TestContexts.tuple(deliveries));
        }

        assertThat(collected.emitted).hasSize(100);
        for (int offset = 0; offset < 100; offset++) {
            assertThat(collected.emitted.get(offset).offset()).isEqualTo(offset);
        }
        assertThat(new LinkedHashSet<>(collected.anchors))
                .containsExactlyElementsOf(collected.acked)
                .hasSize(10);
    }

    @Test
    void whatASlowTransformMadeIsHandedOnBeforeTheRestOfItsBatch() {
        SimulatedTime clock = new SimulatedTime();
        try {
            TransformBolt bolt = prepared(Slow.class.getName());

            bolt.execute(TestContexts.tuple(
                    signed(0, "5", "5"), signed(1, "5", "5"), signed(2, "0", "0"), signed(3, "20", "20")));
        } finally {
            clock.close();
        }

        assertThat(collected.batches)
                .extracting(batch ->
                        batch.deliveries().stream().map(Delivery::offset).toList())
                .containsExactly(List.of(0L, 1L), List.of(2L, 3L));
        assertThat(collected.acked).hasSize(1);
    }

    private Delivery through(TransformBolt bolt, Delivery in) {
        bolt.execute(TestContexts.tuple(in));
        return collected.emitted.get(collected.emitted.size() - 1);
    }

    private TransformBolt prepared(String transform) {
        return prepared(transform, Map.of());
    }

    private TransformBolt prepared(String transform, Map<String, String> more) {
        Map<String, String> properties = new HashMap<>(
                Map.of("bootstrap.servers", "b:1", "input.topics", "orders", "group.id", "g", "transform", transform));
        properties.putAll(more);
        TransformBolt bolt = new TransformBolt(new StormproofConfig(properties));
        bolt.prepare(Map.of(), TestContexts.task(0, 1, metrics), new OutputCollector(collected));
        return bolt;
    }

    private static Delivery signed(long offset, String value, String signedValue) {
        EventHeader header =
                new EventHeader(7, offset, TreeHash.XXH3, EventSigners.SHA256_KEY_VALUE, sha256(signedValue));
        return delivery(offset, value.getBytes(UTF_8), Map.of(EventHeader.NAME, header.encode()));
    }

    private static Delivery delivery(long offset, byte @Nullable [] value, Map<String, byte[]> headers) {
        RecordHeaders all = new RecordHeaders();
        headers.forEach(all::add);
        DeliveryLink link = new DeliveryLink(offset, offset - 1, 4);
        return new Delivery(
                new TopicPartition("orders", 1),
                link,
                99,
                new RecordContent(KEY, value, HeaderBytes.of(all, Header::key, Header::value), 1_000, false),
                null);
    }

    private static Hash sha256(String value) {
        return new Sha256Signer().sign(KEY, value.getBytes(UTF_8));
    }

    /** What the bolt did. */
    static final class Collected implements IOutputCollector {
        private final List<DeliveryBatch> batches = new ArrayList<>();
        private final List<Delivery> emitted = new ArrayList<>();
        private final List<Tuple> anchors = new ArrayList<>();
        private final List<Tuple> acked = new ArrayList<>();
        final List<Throwable> errors = new ArrayList<>();

        @Override
        public List<Integer> emit(String stream, Collection<Tuple> anchoredTo, List<Object> tuple) {
            anchors.addAll(anchoredTo);
            batches.add((DeliveryBatch) tuple.get(0));
            emitted.addAll(((DeliveryBatch) tuple.get(0)).deliveries());
            return List.of();
        }

        @Override
        public void emitDirect(int task, String stream, Collection<Tuple> anchoredTo, List<Object> tuple) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void ack(Tuple input) {
            acked.add(input);
        }

        @Override
        public void fail(Tuple input) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void resetTimeout(Tuple input) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void flush() {}

        @Override
        public void reportError(Throwable error) {
            errors.add(error);
        }
    }
}
