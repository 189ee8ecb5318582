package dev.stormproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.chaos.testing.AuditNames;
import dev.stormproof.cli.fault.FaultKind;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.fault.FaultPlan.Place;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.judge.Finding;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever the beginning of a log has expired, an audit of what is left names nothing that one of the whole log does not: as a
 * trial finds it, which has the whole one in the output.
 */
@Timeout(120)
class MovedLogStartTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final int EVENTS = 48;
    private static final int EVERY = 12;
    private static final int LOGS = 12;

    private final LogRecordParser parser = StreamRecords.parser();

    /** The log can begin between those that passed event 14, or between the two that changed places. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(textBlock = """
            MOVE, 7, REORDERED 14
            SWAP, 1, REORDERED 15
            """)
    void anEventThatCameLateIsMovedAndWhatPassedItIsNotLost(FaultKind fault, int distance, String named) {
        List<ProducerRecord<byte[], byte[]>> records =
                written(FaultPlan.at(List.of(new Place(fault, PARTITION, 14, distance)), 1));
        assertThat(assertNamesAreThoseOfTheWholeLog(records, fault + " at event 14"))
                .containsExactly(named);
    }

    /** Two emitters with faults of each kind, their records mixed. */
    @Test
    void whatIsNamedInADrawnLogIsNamedInTheWholeOfIt() {
        Set<String> kinds = new HashSet<>();
        for (long seed = 1; seed <= LOGS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<ProducerRecord<byte[], byte[]>> one = written(drawn(random));
            List<ProducerRecord<byte[], byte[]>> other = written(drawn(random));
            List<ProducerRecord<byte[], byte[]>> mixed = new ArrayList<>();
            while (!one.isEmpty() || !other.isEmpty()) {
                boolean first = other.isEmpty() || (!one.isEmpty() && random.nextBoolean());
                mixed.add((first ? one : other).remove(0));
            }
            assertNamesAreThoseOfTheWholeLog(mixed, "seed " + seed)
                    .forEach(name -> kinds.add(name.substring(0, name.indexOf(' '))));
        }
        assertThat(kinds).contains("LOST", "DUPLICATED", "REORDERED", "ALTERED");
    }

    private static FaultPlan drawn(SplittableRandom random) {
        Map<FaultKind, Integer> faults = new EnumMap<>(FaultKind.class);
        for (FaultKind kind : FaultKind.values()) {
            faults.put(kind, random.nextInt(2));
        }
        faults.put(FaultKind.MOVE, 1);
        return FaultPlan.of(Map.of(PARTITION, EVENTS), faults, EVERY, random.nextLong());
    }

    private static List<ProducerRecord<byte[], byte[]>> written(FaultPlan faults) {
        return PaperLog.of(PARTITION.topic(), 1, EVENTS, EVERY, Map.of(), faults);
    }

    /** Returns the names, without the emitters. */
    private Set<String> assertNamesAreThoseOfTheWholeLog(List<ProducerRecord<byte[], byte[]>> records, String what) {
        Set<String> whole = names(records, 0);
        for (long begin = 1; begin < records.size(); begin++) {
            assertThat(AuditNames.differences(names(records, begin), whole, true))
                    .as("%s, the log begins at %s", what, begin)
                    .isEmpty();
        }
        Set<String> bare = new HashSet<>();
        whole.forEach(name -> bare.add(name.replaceAll(" \\S+ ", " ")));
        return bare;
    }

    private Set<String> names(List<ProducerRecord<byte[], byte[]>> records, long begin) {
        SimulatedLog log = new SimulatedLog();
        for (ProducerRecord<byte[], byte[]> record : records) {
            log.append(offset -> parser.parse(
                    PARTITION.topic(), 0, offset, 0, record.key(), record.value(), name -> last(record, name), null));
        }
        log.expireBefore(begin);
        List<Finding> findings = AuditNames.audit(PARTITION, log, log);
        return AuditNames.of(findings);
    }

    private static byte @Nullable [] last(ProducerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : header.value();
    }
}
