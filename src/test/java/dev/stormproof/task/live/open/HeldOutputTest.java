package dev.stormproof.task.live.open;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Xxh3Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.verify.judge.Undelivered;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A verified topic, on paper.
 *
 * <pre>
 *   offset   0    1 … 5     6    7 … 11    12   13 … 17     18   19    20
 *            #0   e0 … e4   #1   e5 … e9   #2   e10 … e14   #3   e15   #4, closing
 * </pre>
 */
@Timeout(120)
class HeldOutputTest {
    private static final int EVENTS = 32;
    private static final int FIRST_SEAL = 6;
    private static final int ALTERED = 8;

    private final PaperTask.Kafka kafka = new PaperTask.Kafka(EVENTS);

    @Test
    void anEventIsWrittenOnceItsCheckpointIsAndNotBefore() {
        try (PaperTask task = task("halt")) {
            for (int offset = 0; offset < FIRST_SEAL; offset++) {
                task.deliver(0);
                task.tick();
                task.tick();
                assertThat(kafka.output(0)).hasSize(1);
                assertThat(kafka.progress(0)).isLessThanOrEqualTo(1);
            }
            task.deliver(0);
            task.tick();
            task.tick();
            assertThat(kafka.output(0)).isEqualTo(kafka.expected(0).subList(0, FIRST_SEAL + 1));
            assertThat(kafka.progress(0)).isEqualTo(FIRST_SEAL + 1);

            task.runFor(20);
        }
        assertAllIsWritten();
    }

    @Test
    void anotherPartitionsOpenEndDoesNotKeepOneFromBeingWritten() {
        try (PaperTask task = task("halt")) {
            for (int offset = 0; offset < FIRST_SEAL; offset++) {
                task.deliver(1);
            }
            while (task.deliver(0)) {
                task.tick();
            }
            for (int tick = 0; tick < 30; tick++) {
                task.tick();
            }
            assertThat(kafka.output(0)).isEqualTo(kafka.expected(0));
            assertThat(kafka.output(1)).hasSize(1);
            task.runFor(30);
        }
        assertAllIsWritten();
    }

    /** Anyone who may write to the topic can write an event of an emitter that does not exist. */
    @Test
    void whereSignaturesAreRequiredAnEventOfAStreamWithoutCheckpointHoldsNothingBack() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        Base64.Encoder base64 = Base64.getEncoder();
        PaperTask.Kafka signed = new PaperTask.Kafka(
                EVENTS,
                Map.of(
                        "stormproof.checkpoint.key.id",
                        "k",
                        "stormproof.checkpoint.key.private",
                        base64.encodeToString(pair.getPrivate().getEncoded())));
        byte[] value = "stranger".getBytes(UTF_8);
        ProducerRecord<byte[], byte[]> stranger = new ProducerRecord<>(PaperTask.INPUT, 0, null, value);
        Hash signature = new Xxh3Signer().sign(null, value);
        stranger.headers()
                .add(
                        EventHeader.NAME,
                        new EventHeader(0xBAD, 0, TreeHash.XXH3, EventSigners.XXH3_KEY_VALUE, signature).encode());
        List<String> expected = signed.expected(0);
        signed.inputOf(0).add(FIRST_SEAL + 2, stranger);

        try (PaperTask task = new PaperTask(
                signed,
                Map.of(
                        "output.hold", "verified",
                        "output.on.violation", "skip",
                        "checkpoint.keys",
                                "k:" + base64.encodeToString(pair.getPublic().getEncoded())))) {
            task.runFor(20);
        }

        assertThat(signed.output(0)).isEqualTo(expected);
        assertThat(signed.progress(0)).as("it is not judged yet").isLessThanOrEqualTo(FIRST_SEAL + 2);
    }

    @Test
    void anOutputThatWasNotHeldBeforeGoesOnWhereItIsWritten() {
        try (PaperTask task = new PaperTask(kafka, "halt")) {
            for (int offset = 0; offset < 10; offset++) {
                task.deliver(0);
            }
            task.tick();
            assertThat(kafka.output(0)).hasSize(10);
        }
        alter();
        try (PaperTask task = task("halt")) {
            task.runFor(20);
            // Two of the interval were written before; the output stands behind them.
            assertThat(kafka.output(0)).hasSize(10);
            assertThat(kafka.told(0)).extracting(Undelivered::offset).containsExactly(10L);
        }
    }

    private PaperTask task(String onViolation) {
        return new PaperTask(kafka, Map.of("output.hold", "verified", "output.on.violation", onViolation));
    }

    private void alter() {
        ProducerRecord<byte[], byte[]> one = kafka.inputOf(0).get(ALTERED);
        kafka.inputOf(0)
                .set(
                        ALTERED,
                        new ProducerRecord<>(one.topic(), 0, one.key(), "altered".getBytes(UTF_8), one.headers()));
    }

    private void assertAllIsWritten() {
        assertWrittenWithout(offset -> false);
    }

    private void assertWrittenWithout(IntPredicate leftOut) {
        List<String> expected = kafka.expected(0);
        assertThat(kafka.output(0))
                .isEqualTo(IntStream.range(0, expected.size())
                        .filter(leftOut.negate())
                        .mapToObj(expected::get)
                        .toList());
        assertThat(kafka.output(1)).isEqualTo(kafka.expected(1));
    }
}
