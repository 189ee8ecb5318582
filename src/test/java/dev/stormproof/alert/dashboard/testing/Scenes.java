package dev.stormproof.alert.dashboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.dashboard.DashboardModel;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Neighbours;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;

/** Scenes are pictures that are made up here, for tests and screenshots. */
public final class Scenes {
    /** So many events has an interval, and the log a checkpoint behind them. */
    public static final int EVENTS = 20;

    /** The time from one checkpoint to the next. */
    private static final long STEP_MILLIS = 1_000;

    /** Text that a page must show as it is. */
    public static final String MARKUP =
            "<img src=x onerror=\"document.title='owned'\"></script><script>boom()</script>";

    private static final Hash STATED = Hash.fromHex("5f3a91c0de7748b2aa016c44e9d2f1b0");
    private static final Hash FOUND = Hash.fromHex("c41d0f7e33a95b8801fe62d7b3a4c5e9");

    private static final ObjectMapper JSON = new ObjectMapper();

    private Scenes() {}

    public static Alert alert(Finding finding, long timeMillis) {
        return new Alert("/stormproof/orders-check", timeMillis, finding);
    }

    public static StreamId stream(String topic, int partition) {
        return new StreamId(topic, partition, 0xA11C_E000_0000_0000L + partition + 1);
    }

    /** The interval of a checkpoint, in a log that this stream has to itself. */
    public static IntervalId interval(StreamId stream, long number) {
        return Intervals.interval(
                stream, number, number * (EVENTS + 1), Math.max(0, number - 1) * EVENTS, number == 0 ? 0 : EVENTS);
    }

    /** The record of a finding whose checkpoint was written so long before. */
    public static byte[] record(Alert alert, long delayMillis) {
        try {
            ObjectNode event = (ObjectNode) JSON.readTree(AlertJson.write(alert));
            ((ObjectNode) event.required("data"))
                    .put(
                            "emitterName",
                            "shop-" + (1 + alert.finding().partition().partition() % 3))
                    .put(
                            "checkpointTime",
                            Instant.ofEpochMilli(alert.timeMillis() - delayMillis)
                                    .toString());
            return JSON.writeValueAsBytes(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static byte[] verified(String topic, int partition, long number, long timeMillis) {
        return record(
                alert(new Verified(interval(stream(topic, partition), number), Verified.Basis.MATCH, 0), timeMillis),
                130);
    }

    /** An interval with an event of each fate: lost, doubled, moved and altered, each on its hop. */
    public static byte[] violated(String topic, int partition, long number, boolean open, long timeMillis) {
        StreamId stream = stream(topic, partition);
        IntervalId interval = interval(stream, number);
        long first = interval.firstSequence();
        long begin = interval(stream, number - 1).checkpointOffset() + 1;
        // e0 e1 e2 (e3 lost) e4 … e8 e2 e9 e10 (e11 moved) e12 e13 e14 e11 e15 altered e16 …
        Violated violated = new Violated(
                interval,
                open,
                true,
                4,
                List.of(
                        anomaly(Kind.LOST, stream, first + 3, -1, 0, Hash.empty()),
                        anomaly(Kind.DUPLICATED, stream, first + 2, begin + 8, 2, STATED),
                        anomaly(Kind.REORDERED, stream, first + 11, begin + 14, 1, STATED),
                        anomaly(Kind.ALTERED, stream, first + 15, begin + 15, 1, FOUND)),
                Hop.LOG);
        return withHops(
                record(alert(violated, timeMillis), 1_400),
                List.of(Hop.BEFORE_ORIGIN, Hop.BETWEEN_LOGS, Hop.AFTER_TRANSFORM, Hop.TRANSFORM));
    }

    private static byte[] withHops(byte[] record, List<Hop> hops) {
        try {
            JsonNode event = JSON.readTree(record);
            ObjectNode data = (ObjectNode) event.required("data");
            data.put("hop", EnumNames.of(Hop.SEVERAL));
            for (int i = 0; i < hops.size(); i++) {
                ((ObjectNode) data.at("/anomalies/" + i)).put("hop", EnumNames.of(hops.get(i)));
            }
            return JSON.writeValueAsBytes(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Anomaly anomaly(Kind kind, StreamId stream, long sequence, long offset, int copies, Hash observed) {
        List<Anomaly.Part> differs = kind == Kind.ALTERED ? List.of(Anomaly.Part.KEY_OR_VALUE) : List.of();
        return new Anomaly(
                kind,
                stream,
                sequence,
                sequence + 1,
                offset,
                copies,
                STATED,
                observed,
                differs,
                Hop.LOG,
                LogRecord.NO_TIME,
                Neighbours.NONE);
    }

    /** Hands the record of a finding to a picture. */
    public static void add(DashboardModel picture, byte[] record) {
        try {
            picture.add(AlertJson.read(record), record);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Partitions of a topic, of which one has a violation, one an interval that nothing is known of, and a stray. */
    public static void addOrders(DashboardModel picture, int partitions, int intervals, long endMillis) {
        long beginMillis = endMillis - intervals * STEP_MILLIS;
        for (int number = 0; number < intervals; number++) {
            for (int partition = 0; partition < partitions; partition++) {
                long time = beginMillis + number * STEP_MILLIS + 37L * partition;
                if (partition == 1 && number == intervals * 2 / 3) {
                    add(picture, violated("orders", partition, number, false, time + 1_800));
                } else if (partition == 2 && number == intervals / 3) {
                    add(
                            picture,
                            record(
                                    alert(
                                            new Inconclusive(
                                                    interval(stream("orders", partition), number),
                                                    Inconclusive.Reason.UNCERTAIN,
                                                    "upstream does not know whether 3 events arrived: sequences [205, 208)"),
                                            time + 200),
                                    170));
                } else {
                    add(picture, verified("orders", partition, number, time + 150));
                }
            }
        }
        for (int partition = 0; partition < partitions; partition++) {
            long end = (long) intervals * (EVENTS + 1);
            picture.progress(new PartitionId("orders", partition), end - 7 - partition, end);
        }
        picture.add(alert(
                new StrayRecord(
                        new PartitionId("orders", 0),
                        100,
                        UnattributedRecord.Kind.UNSIGNED,
                        "neither an event header nor a checkpoint",
                        LogRecord.NO_TIME),
                beginMillis + 5_000));
        picture.about("Alerts and verdicts of group orders-check since the topic's beginning");
    }

    /** As many partitions and intervals as a page has to draw smoothly: 500 and 10,000. */
    public static void addMany(DashboardModel picture, long endMillis) {
        addMany(picture, "many", endMillis, 500);
    }

    /** Twenty intervals of each of many partitions, with a violation in some. */
    public static void addMany(DashboardModel picture, String topic, long endMillis, int partitions) {
        for (int number = 0; number < 20; number++) {
            for (int partition = 0; partition < partitions; partition++) {
                long time = endMillis - (20 - number) * STEP_MILLIS + partition;
                add(
                        picture,
                        number > 0 && (number * partitions + partition) % 997 == 0
                                ? violated(topic, partition, number, false, time)
                                : verified(topic, partition, number, time));
            }
        }
    }

    /** Findings with markup wherever there is text. */
    public static void addMarkup(DashboardModel picture, long timeMillis) {
        picture.add(alert(
                new StrayRecord(
                        new PartitionId(MARKUP, 0), 5, UnattributedRecord.Kind.UNSIGNED, MARKUP, LogRecord.NO_TIME),
                timeMillis));
        picture.add(alert(
                new Inconclusive(interval(new StreamId(MARKUP, 0, 7), 3), Inconclusive.Reason.UNSUPPORTED, MARKUP),
                timeMillis));
        picture.about(MARKUP);
    }
}
