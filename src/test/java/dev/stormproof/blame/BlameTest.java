package dev.stormproof.blame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertText;
import dev.stormproof.blame.Injection.Fault;
import dev.stormproof.blame.Injection.Place;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.origin.OriginLogs;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The hops of anomalies: by the origin's log, by the transform's signature, and where neither can be asked. */
class BlameTest {
    private static final String ORIGIN = "orders";
    private static final String OUTPUT = "orders-made";
    private static final Origins TRANSFORMED = new Origins(Map.of(OUTPUT, ORIGIN), Map.of());
    private static final Origins MIRRORED = new Origins(Map.of(), Map.of(OUTPUT, ORIGIN));

    /** Intervals of 10: sequences 10 to 19 are sealed by checkpoint 2. */
    private final List<ProducerRecord<byte[], byte[]>> sent = PaperLog.of(ORIGIN, 1, 60, 10, Map.of());

    private final List<byte[]> checkpoints =
            sent.stream().map(Injection::checkpointOf).filter(Objects::nonNull).toList();
    private final List<Injection> injections = new ArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private List<ProducerRecord<byte[], byte[]>> made = new ArrayList<>();
    private SimulatedLog origin = new SimulatedLog();
    private SimulatedLog output = new SimulatedLog();

    static Stream<Injection> everyFault() {
        return Stream.of(Place.values())
                .flatMap(place -> Stream.of(Fault.values())
                        .filter(fault -> place != Place.READING || fault.isOfContent())
                        .map(fault -> new Injection(0, place, fault, fault == Fault.CHECKPOINT ? 3 : 23)));
    }

    @ParameterizedTest
    @MethodSource("everyFault")
    void aFaultIsNamedOnItsHop(Injection injection) {
        make(injection);

        assertThat(named(audit(TRANSFORMED, origin))).containsExactly(injection.expected());
    }

    @ParameterizedTest
    @MethodSource("everyFault")
    void ofAnOriginThatCannotBeAskedOnlyTheTransformsSignatureTells(Injection injection) {
        make(injection);
        boolean content = injection.fault() == Fault.ALTERED || injection.fault() == Fault.KEY;
        boolean behind = injection.place() == Place.WRITING || injection.place() == Place.BEHIND;
        Hop told = behind ? Hop.AFTER_TRANSFORM : Hop.BEFORE_TRANSFORM;

        assertThat(audit(TRANSFORMED, failing()))
                .singleElement()
                .extracting(Anomaly::hop)
                .isEqualTo(content ? told : Hop.UNKNOWN);
        assertThat(audit(TRANSFORMED, RangeCase.Origin.NONE))
                .as("no origin to ask")
                .singleElement()
                .extracting(Anomaly::hop)
                .isEqualTo(content ? told : Hop.LOG);
    }

    @Test
    void ofSeveralFaultsInOneIntervalEachIsOnItsHop() {
        make("BEFORE LOST 21", "WRITING LOST 22", "BEFORE LOST 23", "BEHIND LOST 24", "READING KEY 26");

        assertThat(audit(TRANSFORMED, origin))
                .extracting(BlameTest::range)
                .containsExactly(
                        "LOST 21 22 BEFORE_ORIGIN",
                        "LOST 22 23 BETWEEN_LOGS",
                        "LOST 23 24 BEFORE_ORIGIN",
                        "LOST 24 25 BETWEEN_LOGS",
                        "ALTERED 26 27 TRANSFORM");
        assertThat(violations(TRANSFORMED, ask(TRANSFORMED, origin)))
                .singleElement()
                .satisfies(violated -> {
                    assertThat(violated.hop()).isEqualTo(Hop.SEVERAL);
                    assertThat(AlertText.summary(violated))
                            .endsWith("; 2 before the origin's log, 2 between the origin's log and this one,"
                                    + " 1 in the transform");
                });
    }

    @Test
    void theEventsOfLostCheckpointsAreLookedForUnderThese() {
        make(
                "BEFORE LOST 12", "BEHIND LOST 15",
                "READING KEY 17", "BEHIND HEADER 18",
                "BEHIND CHECKPOINT 2", "BEFORE CHECKPOINT 3");

        assertThat(audit(TRANSFORMED, origin))
                .extracting(BlameTest::range)
                .containsExactlyInAnyOrder(
                        "CHECKPOINT_LOST 2 3 BETWEEN_LOGS", "CHECKPOINT_LOST 3 4 BEFORE_ORIGIN",
                        "LOST 12 13 BEFORE_ORIGIN", "LOST 15 16 BETWEEN_LOGS",
                        "ALTERED 17 18 TRANSFORM", "ALTERED 18 19 BETWEEN_LOGS");
    }

    @Test
    void ofWhatExpiredInTheOriginTheHopIsUnknown() {
        make(
                "BEHIND LOST 12", "BEHIND ALTERED 13",
                "BEHIND LOST 22", "BEFORE LOST 28",
                "BEFORE ALTERED 29", "BEHIND LOST 45");
        // It begins within the third interval, whose checkpoint it still holds: 28 may have lain there too early.
        origin.expireBefore(30);

        assertThat(audit(TRANSFORMED, origin))
                .extracting(BlameTest::begin)
                .containsExactly(
                        "LOST 12 UNKNOWN", "ALTERED 13 AFTER_TRANSFORM",
                        "LOST 22 UNKNOWN", "LOST 28 UNKNOWN",
                        "ALTERED 29 BEFORE_TRANSFORM", "LOST 45 BETWEEN_LOGS");
    }

    @Test
    void anOriginThatFailsIsNotAskedAgain() {
        make("BEHIND LOST 12", "BEHIND LOST 25", "BEHIND LOST 45");

        assertThat(audit(TRANSFORMED, failing())).extracting(Anomaly::hop).containsOnly(Hop.UNKNOWN);
        assertThat(asked).hasValue(1);
    }

    @Test
    void aMirrorIsComparedWithItsOriginAndNoTransformIsBelievedThere() {
        copy("BEFORE ALTERED 12", "BEHIND ALTERED 15", "BEHIND LOST 25");

        assertThat(audit(MIRRORED, origin))
                .extracting(BlameTest::begin)
                .containsExactly("ALTERED 12 BEFORE_ORIGIN", "ALTERED 15 BETWEEN_LOGS", "LOST 25 BETWEEN_LOGS");
    }

    @Test
    void whatATransformStatesHidesNothingInAMirror() {
        make("BEHIND LOST 25");

        assertThat(audit(MIRRORED, origin))
                .as("each was made by a transform, which only an output may say")
                .hasSize(60)
                .filteredOn(anomaly -> anomaly.kind() == Anomaly.Kind.ALTERED)
                .hasSize(59);
    }

    @Test
    void aDivertedEventIsSoInTheTransformAndNobodyIsAsked() {
        make();
        ProducerRecord<byte[], byte[]> marker = madeOf(23);
        marker.headers().add(TransformedHeader.DIVERTED, new byte[0]);
        output = logOf(OUTPUT, TRANSFORMED, made);

        assertThat(audit(TRANSFORMED, failing())).singleElement().satisfies(anomaly -> {
            assertThat(anomaly.kind()).isEqualTo(Anomaly.Kind.DIVERTED);
            assertThat(anomaly.hop()).isEqualTo(Hop.TRANSFORM);
        });
        assertThat(asked).hasValue(0);
    }

    @Test
    void eventsOfFormat1AreVerifiedAfterATransformByWhatItRead() {
        sent.clear();
        sent.addAll(PaperLog.of(ORIGIN, 1, 60, 10, Map.of("stormproof.format", "1")));
        make();
        List<Finding> whole = findings(TRANSFORMED, ask(TRANSFORMED, origin));
        assertThat(whole)
                .hasSizeGreaterThan(4)
                .filteredOn(Violated.class::isInstance)
                .isEmpty();
        assertThat(whole).filteredOn(Verdict.Verified.class::isInstance).hasSizeGreaterThan(4);

        Injection injection = new Injection(0, Place.BEHIND, Fault.ALTERED, 0);
        made.set(25, injection.altered(made.get(25)));
        made.remove(35);
        output = logOf(OUTPUT, TRANSFORMED, made);

        assertThat(audit(TRANSFORMED, origin))
                .extracting(anomaly -> anomaly.kind() + " " + anomaly.hop())
                .containsExactly("ALTERED AFTER_TRANSFORM", "LOST UNKNOWN");
        assertThat(audit(MIRRORED, origin))
                .as("the values are others, which only a transform may say")
                .hasSize(50);
    }

    private ProducerRecord<byte[], byte[]> madeOf(long sequence) {
        return made.stream()
                .filter(record -> Injection.sequenceOf(record) == sequence)
                .findFirst()
                .orElseThrow();
    }

    private static String range(Anomaly anomaly) {
        return anomaly.kind() + " " + anomaly.begin() + " " + anomaly.end() + " " + anomaly.hop();
    }

    private static String begin(Anomaly anomaly) {
        return anomaly.kind() + " " + anomaly.begin() + " " + anomaly.hop();
    }

    private void inject(String... faults) {
        for (String fault : faults) {
            String[] words = fault.split(" ", -1);
            injections.add(
                    new Injection(0, Place.valueOf(words[0]), Fault.valueOf(words[1]), Integer.parseInt(words[2])));
        }
    }

    private void make(Injection injection) {
        injections.add(injection);
        make();
    }

    /** Sends everything through the transform, with faults such as "BEHIND LOST 25". */
    private void make(String... faults) {
        inject(faults);
        injectInto(sent, Place.BEFORE);
        origin = logOf(ORIGIN, Origins.NONE, sent);
        made = BrokenTransform.of(sent, OUTPUT, at(Place.READING), at(Place.WRITING), checkpoints);
        injectInto(made, Place.BEHIND);
        output = logOf(OUTPUT, TRANSFORMED, made);
    }

    private void copy(String... faults) {
        inject(faults);
        injectInto(sent, Place.BEFORE);
        origin = logOf(ORIGIN, Origins.NONE, sent);
        List<ProducerRecord<byte[], byte[]>> copies = new ArrayList<>(sent);
        at(Place.BEHIND).forEach(injection -> injection.into(copies, checkpoints));
        output = logOf(OUTPUT, MIRRORED, copies);
    }

    private List<Injection> at(Place place) {
        return injections.stream()
                .filter(injection -> injection.place() == place)
                .toList();
    }

    private void injectInto(List<ProducerRecord<byte[], byte[]>> records, Place place) {
        at(place).forEach(injection -> injection.into(records, checkpoints));
    }

    private static SimulatedLog logOf(String topic, Origins origins, List<ProducerRecord<byte[], byte[]>> records) {
        LogRecordParser parser = BrokenTransform.parser(origins);
        SimulatedLog log = new SimulatedLog();
        for (ProducerRecord<byte[], byte[]> record : records) {
            // In no log a record lies where it lies in another.
            if (log.endOffset() % 7 == 0 && !origins.equals(Origins.NONE)) {
                log.appendMarker();
            }
            log.append(offset -> parser.parse(
                    topic,
                    0,
                    offset,
                    LogRecord.NO_TIME,
                    record.key(),
                    record.value(),
                    BrokenTransform.headers(record),
                    null));
        }
        return log;
    }

    private List<Anomaly> audit(Origins origins, SimulatedLog log) {
        return audit(origins, ask(origins, log));
    }

    private List<Anomaly> audit(Origins origins, RangeCase.Origin ask) {
        return violations(origins, ask).stream()
                .flatMap(violated -> violated.anomalies().stream())
                .toList();
    }

    private List<Violated> violations(Origins origins, RangeCase.Origin ask) {
        return findings(origins, ask).stream()
                .filter(Violated.class::isInstance)
                .map(Violated.class::cast)
                .toList();
    }

    private List<Finding> findings(Origins origins, RangeCase.Origin ask) {
        SimulatedLog log = origins.equals(MIRRORED) && !made.isEmpty() ? logOf(OUTPUT, MIRRORED, made) : output;
        long end = log.endOffset();
        return log.audited(
                ask, new Range(new TopicPartition(OUTPUT, 0), 0, end, end, end, 0), InactivityTimeouts.DEFAULT);
    }

    private static RangeCase.Origin ask(Origins origins, SimulatedLog log) {
        return new OriginLogs(origins.byTopic(), () -> reader(ORIGIN, log)).of(new TopicPartition(OUTPUT, 0));
    }

    private RangeCase.Origin failing() {
        LogReader dead = new LogReader() {
            @Override
            public PartitionReader of(TopicPartition partition) {
                asked.incrementAndGet();
                throw new TimeoutException("nobody answers");
            }

            @Override
            public void close() {}
        };
        return new OriginLogs(TRANSFORMED.byTopic(), () -> dead).of(new TopicPartition(OUTPUT, 0));
    }

    private static LogReader reader(String topic, SimulatedLog log) {
        return new LogReader() {
            @Override
            public PartitionReader of(TopicPartition partition) {
                assertThat(partition).isEqualTo(new TopicPartition(topic, 0));
                return log;
            }

            @Override
            public void close() {}
        };
    }

    private static List<Injection.Named> named(List<Anomaly> anomalies) {
        return anomalies.stream()
                .map(anomaly -> new Injection.Named(0, anomaly.kind(), anomaly.begin(), anomaly.hop()))
                .toList();
    }
}
