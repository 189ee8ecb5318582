package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.task.live.run.TaskAudits;
import dev.stormproof.task.live.run.TaskVerification;
import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output of a topic that the brokers do not know any more, or not for a while: one of them may have old metadata. */
@Timeout(60)
class LostTopicOutputTest {
    private static final int EVENTS = 400;
    private static final int FIRST_OF_SUSPECT_INTERVAL = 7;
    private static final int SUSPECT = 8;
    private static final int DELIVERED = 15;

    private final PaperTask.Kafka kafka = new PaperTask.Kafka(EVENTS);

    /** Takes nothing. */
    public static final class Refusing implements EventTransform {
        @Override
        public Transformed apply(InputEvent event) {
            throw new IllegalArgumentException("refused");
        }
    }

    @Test
    void whatWasMadeOfATopicThatIsThereAfterAllIsWrittenOnce() {
        try (PaperTask task = new PaperTask(kafka, "halt")) {
            loseSight(task);
            findAgain(task);
        }

        assertThatAllIsWrittenOnce();
    }

    @Test
    void whatWasMadeOfATopicWhoseOffsetsNobodyTakesIsWrittenOnceIfItIsThereAfterAll() {
        try (PaperTask task = new PaperTask(kafka, "halt")) {
            for (int i = 0; i < 2 * DELIVERED; i++) {
                task.deliver(0);
                if (i == DELIVERED) {
                    task.tick();
                }
            }
            kafka.inputIsUnknown = true;
            task.producer.takesOffsets = false;
            task.tick();
            assertThat(task.follows(0)).isFalse();
            findAgain(task);
        }

        assertThatAllIsWrittenOnce();
    }

    @Test
    void ofATopicThatIsNoMoreNoDiversionIsToldThatWasNotMade() {
        try (PaperTask task =
                new PaperTask(kafka, Map.of("transform.on.error", "divert", "transform", Refusing.class.getName()))) {
            loseSight(task);
            task.tick();
        }

        assertThat(kafka.told(0)).isNotEmpty().hasSameSizeAs(kafka.written(PaperTask.DIVERTED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"halt", "mark", "skip"})
    void whatIsHeldOfATopicThatIsThereAfterAllIsWrittenOnceItIsVerified(String onViolation) {
        try (PaperTask task = holding(onViolation)) {
            ProducerRecord<byte[], byte[]> whole = deliverASuspectInterval(task);
            while (task.follows(0)) {
                task.tick();
            }
            kafka.inputOf(0).set(SUSPECT, whole);
            findAgain(task);
        }

        assertThatAllIsWrittenOnce();
        assertThatNothingIsToldOrMarked();
    }

    @ParameterizedTest
    @ValueSource(strings = {"halt", "mark"})
    void whatIsHeldOfATopicThatWasCreatedAnewIsNeitherWrittenNorToldOf(String onViolation) {
        try (PaperTask task = holding(onViolation)) {
            ProducerRecord<byte[], byte[]> whole = deliverASuspectInterval(task);
            kafka.inputOf(0).set(SUSPECT, whole);
            kafka.createInputAnew();
            kafka.inputIsUnknown = false;
            task.deliverAgain(0);
            task.runFor(40);
        }

        List<String> anew = kafka.expected(0);
        assertThat(kafka.output(0))
                .isEqualTo(Stream.concat(anew.stream().limit(FIRST_OF_SUSPECT_INTERVAL), anew.stream())
                        .toList());
        assertThatNothingIsToldOrMarked();
    }

    /** Has an event arrive altered, of a log that can no longer be read; returns it as it is there. */
    private ProducerRecord<byte[], byte[]> deliverASuspectInterval(PaperTask task) {
        for (int i = 0; i < FIRST_OF_SUSPECT_INTERVAL; i++) {
            task.deliver(0);
        }
        task.tick();
        task.tick();
        kafka.inputIsUnknown = true;
        ProducerRecord<byte[], byte[]> whole = kafka.inputOf(0).get(SUSPECT);
        kafka.inputOf(0)
                .set(
                        SUSPECT,
                        new ProducerRecord<>(
                                whole.topic(), whole.partition(), whole.key(), new byte[] {1}, whole.headers()));
        for (int i = FIRST_OF_SUSPECT_INTERVAL; i < DELIVERED; i++) {
            task.deliver(0);
        }
        task.tick();
        return whole;
    }

    private PaperTask holding(String onViolation) {
        return new PaperTask(
                kafka,
                Map.of("transform.on.error", "halt", "output.hold", "verified", "output.on.violation", onViolation));
    }

    /** Has records delivered until the topic counts as deleted: the last of them just before that. */
    private void loseSight(PaperTask task) {
        while (task.nowMillis < TaskAudits.LOOK_MILLIS) {
            task.nowMillis += TimeUnit.SECONDS.toMillis(1);
            task.deliver(0);
            task.tick();
        }
        kafka.inputIsUnknown = true;
        while (task.follows(0)) {
            assertThat(kafka.isComplete(0)).isFalse();
            task.tick(() -> task.deliver(0));
        }
    }

    private void findAgain(PaperTask task) {
        task.tick();
        kafka.inputIsUnknown = false;
        task.nowMillis += TaskVerification.GONE_MILLIS;
        task.runFor(20);
        task.cover();
        kafka.append(2);
        task.runFor(40);
    }

    private void assertThatNothingIsToldOrMarked() {
        assertThat(kafka.told(0)).isEmpty();
        assertThat(kafka.written(PaperTask.OUTPUT).stream()
                        .map(record -> record.headers().lastHeader(TransformedHeader.UNVERIFIED)))
                .containsOnlyNulls();
    }

    private void assertThatAllIsWrittenOnce() {
        assertThat(kafka.output(0)).isEqualTo(kafka.expected(0));
    }
}
