package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.task.live.open.PaperProducer.Way;
import dev.stormproof.task.live.run.FindingsOutbox;
import dev.stormproof.task.live.run.OutputTopics;
import dev.stormproof.task.live.run.ProduceErrorKind;
import dev.stormproof.task.live.run.Release;
import dev.stormproof.task.live.run.TaskRun;
import dev.stormproof.verify.judge.Undelivered;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything that {@code KafkaProducer.send} can throw or fail with, at one record of one partition: whatever it is, the other partition
 * goes on or, where nothing tells whose fault it is, everything goes on when it is over.
 */
@Timeout(120)
class RefusedOutputTest {
    private static final int EVENTS = 16;

    /** A record that stands before others, and behind some; records are dated with their offsets here. */
    private static final int CULPRIT_OFFSET = 4;

    private static final TopicPartition PARTITION = new TopicPartition(PaperTask.INPUT, 0);

    private final TimeoutException expired =
            new TimeoutException("Expiring 1 record(s) for out-1: 15000 ms has passed since batch creation");

    private final PaperTask.Kafka kafka = new PaperTask.Kafka(EVENTS);

    /** Every exception of Kafka's, and those of Java's that its producer lets through. */
    static Stream<RuntimeException> failures() throws IOException, URISyntaxException {
        List<RuntimeException> failures = new ArrayList<>(List.of(
                new KafkaException("part of a batch with others"),
                new InvalidRecordException("no key"),
                new BufferExhaustedException("no room"),
                new IllegalArgumentException("what a caller should not have passed")));
        Path jar = Path.of(ApiException.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (JarFile classes = new JarFile(jar.toFile())) {
            classes.stream()
                    .map(entry -> entry.getName().replace('/', '.'))
                    .filter(name -> name.startsWith("org.apache.kafka.common.errors.") && name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .flatMap(name -> made(name).stream())
                    .forEach(failures::add);
        }
        assertThat(failures).hasSizeGreaterThan(120);
        return failures.stream();
    }

    private static Optional<RuntimeException> made(String name) {
        try {
            Class<?> type = Class.forName(name);
            if (Modifier.isAbstract(type.getModifiers()) || !KafkaException.class.isAssignableFrom(type)) {
                return Optional.empty();
            }
            for (Constructor<?> constructor : type.getConstructors()) {
                Class<?>[] takes = constructor.getParameterTypes();
                if (takes.length == 0) {
                    return Optional.of((RuntimeException) constructor.newInstance());
                } else if (takes.length == 1 && takes[0] == String.class) {
                    return Optional.of((RuntimeException) constructor.newInstance("no"));
                } else if (takes.length == 1 && takes[0] == Set.class) {
                    return Optional.of((RuntimeException) constructor.newInstance(Set.of()));
                }
            }
            return Optional.empty();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.toString(), e);
        } finally {
            // One of them interrupts the thread that makes it.
            Thread.interrupted();
        }
    }

    static Stream<Arguments> failuresInEachWay() throws IOException, URISyntaxException {
        return failures().flatMap(failure -> Stream.of(Way.values()).map(way -> Arguments.of(failure, way)));
    }

    @ParameterizedTest
    @MethodSource("failuresInEachWay")
    void whatFailsStopsNobodyElse(RuntimeException failure, Way way) {
        ProduceErrorKind.Cause cause = ProduceErrorKind.causeOf(failure, true);
        try (PaperTask task = new PaperTask(kafka, "halt")) {
            task.producer.way = way;
            task.producer.faults = record -> isCulprit(record) ? failure : null;
            if (PaperProducer.isFatal(failure)) {
                assertThatThrownBy(() -> task.runFor(2)).isInstanceOf(KafkaException.class);
                assertThat(task.producer.commitCount()).isZero();
                return;
            }
            if (failure instanceof InterruptException && way == Way.THROWN) {
                assertThatThrownBy(() -> task.runFor(2)).isSameAs(failure);
                return;
            }
            task.runFor(30);
            task.producer.faults = record -> null;
            task.releases = Map.of(PARTITION, release(Release.Action.RETRY));
            if (cause != ProduceErrorKind.Cause.OTHER) {
                assertThat(kafka.output(1)).isEqualTo(kafka.expected(1));
                // Nothing of a partition that takes nothing; of one that refuses a record, what stands before.
                int before = cause == ProduceErrorKind.Cause.RECORD ? CULPRIT_OFFSET : 0;
                assertThat(kafka.output(0)).isEqualTo(kafka.expected(0).subList(0, before));
            }
            task.runFor(300);
        }
        for (int partition = 0; partition < PaperTask.PARTITIONS; partition++) {
            assertThat(kafka.output(partition)).as("%s", failure).isEqualTo(kafka.expected(partition));
            assertThat(kafka.progress(partition))
                    .isEqualTo(kafka.inputOf(partition).size());
        }
        assertThat(kafka.told(1)).isEmpty();
        assertThat(kafka.told(0))
                .extracting(Undelivered::kind)
                .isEqualTo(
                        switch (cause) {
                            case RECORD -> List.of(Undelivered.Kind.HALTED, Undelivered.Kind.RESUMED);
                            case PARTITION -> List.of(Undelivered.Kind.WAITING, Undelivered.Kind.WAITED);
                            case OTHER -> List.of();
                        });
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void anOutputWhoseDiversionsAreAllRefusedHaltsAndIsReleased(Way way) {
        try (PaperTask task = new PaperTask(kafka, "divert")) {
            task.producer.way = way;
            task.producer.faults = record -> record.topic().equals(PaperTask.DIVERTED) || isCulprit(record)
                    ? new RecordTooLargeException("too large, whatever it is")
                    : null;
            task.runFor(30);
            assertThat(kafka.told(0)).singleElement().satisfies(told -> {
                assertThat(told.kind()).isEqualTo(Undelivered.Kind.HALTED);
                assertThat(told.detail()).contains("not even its diversion is taken");
            });
            assertThat(kafka.output(1)).isEqualTo(kafka.expected(1));

            task.producer.faults = record -> null;
            task.releases = Map.of(PARTITION, release(Release.Action.RETRY));
            task.runFor(30);
        }
        assertThat(kafka.output(0)).isEqualTo(kafka.expected(0));
        assertThat(kafka.told(0))
                .extracting(Undelivered::kind)
                .containsExactly(Undelivered.Kind.HALTED, Undelivered.Kind.RESUMED);
    }

    @Test
    void aPartitionThatRefusesForLongIsTriedEverMoreRarely() {
        int[] attempts = {0};
        try (PaperTask task = new PaperTask(kafka, "halt")) {
            task.producer.faults = record -> {
                attempts[0] += isCulprit(record) ? 1 : 0;
                return isCulprit(record) ? new TopicAuthorizationException("no") : null;
            };
            task.runFor(3_000);
            // In five minutes: after 1 s, 2 s, 4 s and so on, and then each minute.
            assertThat(attempts[0]).isBetween(9, 11);
            assertThat(kafka.told(0)).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.WAITING);

            task.producer.faults = record -> null;
            task.runFor((int) (OutputTopics.BACKOFF.mostMillis() / PaperTask.TICK_MILLIS) + 10);
        }
        assertThat(kafka.output(0)).isEqualTo(kafka.expected(0));
        assertThat(kafka.told(0))
                .extracting(Undelivered::kind)
                .containsExactly(Undelivered.Kind.WAITING, Undelivered.Kind.WAITED);
    }

    @Test
    void aPartitionThatDoesNotAnswerThoughNoOtherTellsThatAnyCouldIsBlamedAfterAMinute() {
        try (PaperTask task = new PaperTask(kafka, "halt")) {
            task.producer.faults = record -> record.topic().equals(PaperTask.OUTPUT) ? expired : null;
            task.deliver(0);
            for (int i = 0; i < (TaskRun.BLAMED_MILLIS - 5_000) / PaperTask.TICK_MILLIS; i++) {
                task.tick();
            }
            assertThat(kafka.told(0)).isEmpty();
            for (int i = 0; i < 2 * FindingsOutbox.BACKOFF.mostMillis() / PaperTask.TICK_MILLIS; i++) {
                task.tick();
            }
            assertThat(kafka.told(0)).extracting(Undelivered::kind).containsExactly(Undelivered.Kind.WAITING);
            task.producer.faults = record -> null;
            task.runFor(600);
        }
        assertThat(kafka.output(0)).isEqualTo(kafka.expected(0));
        assertThat(kafka.output(1)).isEqualTo(kafka.expected(1));
    }

    /** What the calls throw that end a transaction is nobody's record: it is tried again, or the task ends and its successor goes on. */
    @ParameterizedTest
    @MethodSource("failures")
    void whateverATransactionsCallsThrowNothingIsLostOrWrittenTwice(RuntimeException failure) {
        for (int call = 1; call <= 8; call++) {
            PaperTask.Kafka own = new PaperTask.Kafka(EVENTS);
            int[] calls = {0};
            int failing = call;
            try (PaperTask task = new PaperTask(own, "halt")) {
                task.producer.step = () -> {
                    if (++calls[0] == failing) {
                        throw failure;
                    }
                };
                task.runFor(300);
            } catch (RuntimeException e) {
                assertThat(e).as("thrown instead of %s", failure).isIn(failure);
            } finally {
                Thread.interrupted();
            }
            try (PaperTask successor = new PaperTask(own, "halt")) {
                successor.runFor(30);
            }
            for (int partition = 0; partition < PaperTask.PARTITIONS; partition++) {
                assertThat(own.output(partition)).as("%s", failure).isEqualTo(own.expected(partition));
            }
        }
    }

    private static Release release(Release.Action action) {
        return new Release(CULPRIT_OFFSET, action, Instant.EPOCH, "test");
    }

    private static boolean isCulprit(ProducerRecord<byte[], byte[]> record) {
        return !record.topic().equals("alerts")
                && Objects.equals(record.timestamp(), (long) CULPRIT_OFFSET)
                && !Objects.equals(record.partition(), 1);
    }
}
