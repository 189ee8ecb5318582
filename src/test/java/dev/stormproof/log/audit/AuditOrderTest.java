package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.testing.FaultyLog;
import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.RangeCase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;

/** In which order an audit tells what it finds, of logs with every kind of fault. */
class AuditOrderTest {
    private static final String TOPIC = "orders";
    private static final long NOW_MILLIS = 1_900_000_000_000L;

    private final LogRecordParser parser = StreamRecords.parser();

    @Test
    void whatIsFoundIsToldInTheOrderOfOffsetsAndTheSameEachTime() {
        long first = Long.getLong("seed", 1L);
        for (long seed = first; seed < first + 6; seed++) {
            FaultyLog faulty = new FaultyLog(TOPIC, seed);
            for (int partition = 0; partition < FaultyLog.PARTITIONS; partition++) {
                SimulatedLog log = new SimulatedLog();
                append(faulty.first().get(partition), partition, log);
                append(faulty.second().get(partition), partition, log);
                long end = log.endOffset();

                List<Finding> found = audit(log, partition, 0, end);

                String name = "-Dseed=" + seed + ", partition " + partition;
                assertThat(found).as(name).hasSizeGreaterThan(40);
                assertThat(found.stream().map(OffsetOrdering::offsetOf))
                        .as(name)
                        .isSorted();
                assertThat(texts(audit(log, partition, 0, end))).as(name).isEqualTo(texts(found));
                long middle = new SplittableRandom(seed).nextLong(end);
                assertThat(audit(log, partition, middle, end).stream().map(OffsetOrdering::offsetOf))
                        .as(name)
                        .isSorted();
            }
        }
    }

    private void append(List<ProducerRecord<byte[], byte[]>> records, int partition, SimulatedLog log) {
        for (ProducerRecord<byte[], byte[]> record : records) {
            Long timestamp = record.timestamp();
            log.setTime(timestamp == null ? NOW_MILLIS : timestamp);
            log.append(offset -> parser.parse(
                    TOPIC,
                    partition,
                    offset,
                    timestamp == null ? NOW_MILLIS : timestamp,
                    record.key(),
                    record.value(),
                    HeaderBytes.of(record.headers(), Header::key, Header::value),
                    null));
        }
    }

    private static List<Finding> audit(SimulatedLog log, int partition, long begin, long end) {
        Range range = new Range(new TopicPartition(TOPIC, partition), begin, end, end, NOW_MILLIS + 10_000, false);
        return log.audited(RangeCase.Origin.NONE, range, new InactivityTimeouts(0, 5_000, 3_600_000));
    }

    private static List<String> texts(List<Finding> findings) {
        return findings.stream()
                .map(finding -> new String(AlertJson.writeData(finding), StandardCharsets.UTF_8))
                .toList();
    }
}
