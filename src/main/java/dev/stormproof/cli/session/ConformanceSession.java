package dev.stormproof.cli.session;

import dev.stormproof.cli.conformance.Conformance;
import dev.stormproof.cli.conformance.Trial;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.WrittenEnd;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.RecordParsers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedSet;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** The session reads a topic twice, as committed and as written, and has the conformance kit judge it. */
public final class ConformanceSession {
    /** How many offsets of a partition are judged: events that no checkpoint covers are kept. */
    static final int MOST_OFFSETS = 1_000_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private ConformanceSession() {}

    /** Judges some partitions of a topic, each from the log's beginning to its end as of now. */
    public static Trial judge(Connection connection, String topic, SortedSet<Integer> partitions) {
        StormproofConfig config = connection.config(connection.clientProperties(), topic);
        Conformance conformance = new Conformance();
        List<Trial.Unread> unread = new ArrayList<>();
        try (LogReader committed = new KafkaLogReader(
                        config.kafkaConsumer(),
                        Failure.configured("--config: ", () -> RecordParsers.newParser(config)),
                        PATIENCE);
                LogReader written = KafkaLogReader.ofUncommitted(
                        config.kafkaConsumer(), RecordParsers.newParser(config), PATIENCE)) {
            for (int partition : partitions) {
                TopicPartition place = new TopicPartition(topic, partition);
                long writtenEnd = WrittenEnd.of(connection.admin(), place);
                boolean unused = WrittenEnd.becomesReadable(committed.of(place), writtenEnd);
                long end = judge(conformance, partition, committed.of(place), written.of(place));
                if (end < writtenEnd) {
                    unread.add(new Trial.Unread(partition, end, writtenEnd));
                }
            }
            return new Trial(conformance.results(), unread);
        } catch (ExpiredRangeException e) {
            throw Failure.own("records expired while they were read: " + e.getMessage() + "; try again", e);
        } catch (KafkaException e) {
            throw Failure.own("the topic cannot be read: " + Failure.ofClient(e), e);
        }
    }

    /** Judges a partition up to where an open transaction begins; returns where that is, or the end. */
    private static long judge(
            Conformance conformance, int partition, PartitionReader committed, PartitionReader written)
            throws ExpiredRangeException {
        PartitionReader.Bounds bounds = committed.bounds();
        long begin = bounds.begin();
        demandTrial(partition, bounds);
        BitSet visible = new BitSet();
        committed.scan(begin, bounds.end(), (record, epoch, time, content) -> {
            visible.set(index(record, begin));
            return true;
        });
        conformance.begin(partition, begin == 0);
        written.scan(begin, bounds.end(), (record, epoch, time, content) -> {
            if (visible.get(index(record, begin))) {
                conformance.take(record, content.get());
            } else {
                conformance.takeAborted(record);
            }
            return true;
        });
        return bounds.end();
    }

    static void demandTrial(int partition, PartitionReader.Bounds bounds) {
        if (bounds.end() - bounds.begin() > MOST_OFFSETS) {
            throw Failure.usage("partition " + partition + " has more than " + MOST_OFFSETS
                    + " offsets: let the emitter write to a topic of its own");
        }
    }

    private static int index(LogRecord record, long begin) {
        return Math.toIntExact(record.offset() - begin);
    }
}
