package dev.stormproof.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Hop;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.Neighbours;
import dev.stormproof.verify.judge.Neighbours.Neighbour;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Alerts as CloudEvents 1.0 in JSON, structured mode.
 *
 * <pre>
 *   {"specversion": "1.0", "id": …, "source": …, "type": …, "subject": …, "time": …,
 *    "datacontenttype": "application/json", "dataschema": …, "topicid": …,
 *    "data": {"alertId": …, "revision": …, "hop": …, "finding": …, "summary": …, "severity": …, "audit": …, "runbook": …,
 *             the finding's own fields}}
 * </pre>
 *
 * <p>{@code data} depends only on the log, so it is the same for every reader at any time. There is one exception, on verified intervals: {@code
 * basis}, the last field, says how this reading of the log ended.
 *
 * <p>{@code topicid}, an extension, distinguishes the topic from others of the same name, whose alerts may have the same ids. It is left out if
 * it is unknown.
 *
 * <p>Sources: CloudEvents 1.0.2, JSON event format; Kafka protocol binding, structured content mode, whose content type is {@link
 * #CONTENT_TYPE}. An emitter id is 16 hexadecimal digits, because JSON numbers cannot hold it. Names and details are {@link Printable}, so the
 * bytes can be shown anywhere.
 */
public final class AlertJson {
    /** The content type of the records. */
    public static final String CONTENT_TYPE = "application/cloudevents+json; charset=UTF-8";

    /** The name of the JSON Schema of {@code data}; it changes with anything that its readers rely on. */
    public static final String DATA_SCHEMA = "urn:stormproof:alert-data:1";

    static final String TOPIC_ID = "topicid";

    /** The neighbours of a gap, in an anomaly. */
    static final String BEFORE = "before";

    static final String AFTER = "after";
    private static final ObjectMapper JSON = new ObjectMapper();

    private AlertJson() {}

    public static byte[] write(Alert alert) {
        return write(alert, Integer.MAX_VALUE, Links.DEFAULT);
    }

    public static byte[] write(Acceptance acceptance) {
        return bytes(AcceptanceJson.write(acceptance));
    }

    /**
     * Writes an alert with as many of its first anomalies as fit into {@code maxBytes}; {@code anomalyCount} and {@code summary} count the
     * others. Even without anomalies, it may be larger.
     */
    public static byte[] write(Alert alert, int maxBytes, Links links) {
        byte[] whole = writeWhole(alert, links);
        if (whole.length <= maxBytes || !(alert.finding() instanceof Violated violated)) {
            return whole;
        }
        int most = violated.anomalies().size();
        int fitting = 0;
        byte[] cut = writeWhole(naming(alert, violated, 0), links);
        while (fitting + 1 < most) {
            int middle = (fitting + most) >>> 1;
            byte[] longer = writeWhole(naming(alert, violated, middle), links);
            if (longer.length <= maxBytes) {
                fitting = middle;
                cut = longer;
            } else {
                most = middle;
            }
        }
        return cut;
    }

    private static Alert naming(Alert alert, Violated all, int count) {
        return new Alert(alert.source(), alert.timeMillis(), alert.topicId(), alert.canary(), all.naming(0, count));
    }

    private static byte[] writeWhole(Alert alert, Links links) {
        ObjectNode event = JSON.createObjectNode();
        event.put("specversion", "1.0");
        event.put("id", alert.finding().revisionId());
        event.put("source", alert.source());
        Finding.Type type = alert.finding().type();
        event.put("type", alert.canary() ? canaryType(type) : eventType(type));
        event.put("subject", alert.finding().partition().toString());
        event.put("time", Instant.ofEpochMilli(alert.timeMillis()).toString());
        event.put("datacontenttype", "application/json");
        event.put("dataschema", DATA_SCHEMA);
        if (alert.topicId() != Alert.NO_TOPIC_ID) {
            event.put(TOPIC_ID, HexFormat.of().toHexDigits(alert.topicId()));
        }
        ObjectNode data = event.putObject("data");
        writeData(data, alert.finding(), links);
        if (alert.finding() instanceof Verified verified) {
            data.put("basis", EnumNames.of(verified.basis()));
        }
        return bytes(event);
    }

    /** Writes {@code data} alone, without {@code basis}: the same bytes for the same log. */
    public static byte[] writeData(Finding finding) {
        return writeData(finding, Links.DEFAULT);
    }

    /** As {@link #writeData(Finding)}, with links for the reader. */
    public static byte[] writeData(Finding finding, Links links) {
        ObjectNode data = JSON.createObjectNode();
        writeData(data, finding, links);
        return bytes(data);
    }

    private static void writeData(ObjectNode data, Finding finding, Links links) {
        data.put("alertId", finding.id());
        data.put("revision", finding.revision());
        data.put("hop", EnumNames.of(finding instanceof Violated violated ? violated.hop() : Hop.LOG));
        data.put("finding", finding.type().label());
        data.put("summary", AlertText.summary(finding));
        data.put("severity", EnumNames.of(Guidance.severity(finding)));
        Guidance.audit(finding, links).ifPresent(command -> data.put("audit", command));
        data.put("runbook", Guidance.runbook(finding, links));
        writeFinding(data, finding);
        links.records().writeInto(data);
    }

    /** The CloudEvents {@code type} of a kind of finding, by which consumers filter. */
    public static String eventType(Finding.Type type) {
        String about = switch (type) {
            case VERIFIED, INCONCLUSIVE, VIOLATED -> "interval";
            case UNATTRIBUTED -> "record";
            case EXPIRED_UNREAD -> "records";
            case UNDELIVERED -> "output";
        };
        return "dev.stormproof." + about + "." + type.label();
    }

    /** The CloudEvents {@code type} of a finding about the canary topic: consumers that filter by the other types do not get it. */
    public static String canaryType(Finding.Type type) {
        return "dev.stormproof.canary." + type.label();
    }

    private static byte[] bytes(ObjectNode node) {
        try {
            return line(node).getBytes(UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values", e);
        }
    }

    private static String line(JsonNode node) throws JsonProcessingException {
        return Printable.line(JSON.writeValueAsString(node));
    }

    /** The JSON of any writer as one line, as {@link #write} writes it. */
    public static String line(byte[] json) throws IOException {
        return line(JSON.readTree(json));
    }

    /** Reads an alert that {@link #write} wrote; throws {@link IOException} with the reason on anything else. */
    public static Alert read(byte[] json) throws IOException {
        if (readRecord(json) instanceof Alert alert) {
            return alert;
        }
        throw new IOException("not an alert of this program: an acceptance of one");
    }

    /** Reads what {@link #write} wrote; throws {@link IOException} with the reason on anything else. */
    public static AlertsRecord readRecord(byte[] json) throws IOException {
        JsonNode event = JSON.readTree(json);
        try {
            JsonNode data = event.required("data");
            long topicId = event.has(TOPIC_ID) ? Long.parseUnsignedLong(text(event, TOPIC_ID), 16) : Alert.NO_TOPIC_ID;
            if (text(event, "type").equals(AcceptanceJson.TYPE)) {
                return AcceptanceJson.read(event, topicId);
            }
            String type = text(event, "type");
            boolean canary = Stream.of(Finding.Type.values())
                    .anyMatch(one -> canaryType(one).equals(type));
            return new Alert(
                    text(event, "source"),
                    Instant.parse(text(event, "time")).toEpochMilli(),
                    topicId,
                    canary,
                    readFinding(typeOf(type), data));
        } catch (RuntimeException malformed) {
            throw new IOException("not an alert of this program: " + malformed.getMessage(), malformed);
        }
    }

    private static void writeFinding(ObjectNode data, Finding finding) {
        data.put("topic", finding.partition().topic());
        data.put("partition", finding.partition().partition());
        if (finding instanceof Verdict verdict) {
            writeVerdict(data, verdict);
        } else if (finding instanceof StrayRecord unattributed) {
            data.put("offset", unattributed.offset());
            data.put("lastOffset", unattributed.lastOffset());
            data.put("count", unattributed.count());
            data.put("kind", EnumNames.of(unattributed.kind()));
            data.put("detail", unattributed.detail());
            putTime(data, "recordTime", unattributed.writtenMillis());
        } else if (finding instanceof MissedRecords missed) {
            data.put("beginOffset", missed.beginOffset());
            data.put("endOffset", missed.endOffset());
            data.put("cause", EnumNames.of(missed.cause()));
        } else if (finding instanceof Undelivered undelivered) {
            data.put("offset", undelivered.offset());
            data.put("kind", EnumNames.of(undelivered.kind()));
            data.put("detail", undelivered.detail());
            putTime(data, "recordTime", undelivered.writtenMillis());
        }
    }

    private static void writeVerdict(ObjectNode data, Verdict verdict) {
        IntervalId interval = verdict.interval();
        data.put("emitter", interval.stream().emitterHex());
        if (!interval.emitterName().isEmpty()) {
            data.put("emitterName", interval.emitterName());
        }
        data.put("checkpoint", interval.number());
        data.put("checkpointOffset", interval.checkpointOffset());
        putTime(data, "checkpointTime", interval.writtenMillis());
        data.put("firstSequence", interval.firstSequence());
        data.put("eventCount", interval.eventCount());
        if (interval.statement().sizeBytes() > 0) {
            data.put("statement", interval.statement().toHex());
        }
        SealJson.write(data, interval.seal());
        TailJson.write(data, interval.tail());
        if (verdict instanceof Verified verified) {
            data.put("beginOffset", verified.beginOffset());
        } else if (verdict instanceof Inconclusive inconclusive) {
            data.put("reason", EnumNames.of(inconclusive.reason()));
            data.put("detail", inconclusive.detail());
            if (!inconclusive.uncertain().isEmpty()) {
                ArrayNode uncertain = data.putArray("uncertain");
                inconclusive
                        .uncertain()
                        .forEach(range -> uncertain
                                .addObject()
                                .put("begin", range.begin())
                                .put("end", range.end()));
            }
        } else if (verdict instanceof Violated violated) {
            data.put("minimal", violated.minimal());
            data.put("anomalyCount", violated.anomalyCount());
            ArrayNode anomalies = data.putArray("anomalies");
            violated.anomalies().forEach(anomaly -> writeAnomaly(anomalies.addObject(), anomaly));
        }
    }

    private static void writeAnomaly(ObjectNode node, Anomaly anomaly) {
        node.put("kind", EnumNames.of(anomaly.kind()));
        node.put("begin", anomaly.begin());
        node.put("end", anomaly.end());
        node.put("offset", anomaly.offset());
        putTime(node, "time", anomaly.writtenMillis());
        node.put("copies", anomaly.copies());
        node.put("expected", anomaly.expected().toHex());
        node.put("observed", anomaly.observed().toHex());
        if (!anomaly.differs().isEmpty()) {
            ArrayNode differs = node.putArray("differs");
            anomaly.differs().forEach(part -> differs.add(EnumNames.of(part)));
        }
        if (anomaly.hop() != Hop.LOG) {
            node.put("hop", EnumNames.of(anomaly.hop()));
        }
        putNeighbour(node, BEFORE, anomaly.neighbours().before());
        putNeighbour(node, AFTER, anomaly.neighbours().after());
    }

    private static void putNeighbour(ObjectNode node, String side, @Nullable Neighbour neighbour) {
        if (neighbour != null) {
            ObjectNode place = node.putObject(side);
            place.put("sequence", neighbour.sequence());
            place.put("offset", neighbour.offset());
            putTime(place, "time", neighbour.writtenMillis());
        }
    }

    private static Neighbours readNeighbours(JsonNode node) {
        return new Neighbours(readNeighbour(node, BEFORE), readNeighbour(node, AFTER));
    }

    private static @Nullable Neighbour readNeighbour(JsonNode node, String side) {
        JsonNode place = node.path(side);
        return place.isObject()
                ? new Neighbour(number(place, "sequence"), number(place, "offset"), readTime(place, "time"))
                : null;
    }

    private static void putTime(ObjectNode node, String field, long millis) {
        String time = WrittenTime.text(millis);
        if (!time.isEmpty()) {
            node.put(field, time);
        }
    }

    private static long readTime(JsonNode node, String field) {
        return node.has(field) ? Instant.parse(text(node, field)).toEpochMilli() : LogRecord.NO_TIME;
    }

    private static Finding.Type typeOf(String eventType) {
        return Stream.of(Finding.Type.values())
                .filter(type ->
                        eventType(type).equals(eventType) || canaryType(type).equals(eventType))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("type " + eventType));
    }

    private static Finding readFinding(Finding.Type type, JsonNode data) {
        return switch (type) {
            case VERIFIED ->
                new Verified(
                        readInterval(data), word(Verified.Basis.class, data, "basis"), number(data, "beginOffset"));
            case INCONCLUSIVE ->
                new Inconclusive(
                        readInterval(data),
                        word(Inconclusive.Reason.class, data, "reason"),
                        text(data, "detail"),
                        data.path("uncertain")
                                .valueStream()
                                .map(range -> new SequenceRange(number(range, "begin"), number(range, "end")))
                                .toList());
            case VIOLATED -> readViolated(data);
            case UNATTRIBUTED ->
                new StrayRecord(
                        new PartitionId(
                                text(data, "topic"), data.required("partition").asInt()),
                        number(data, "offset"),
                        word(UnattributedRecord.Kind.class, data, "kind"),
                        text(data, "detail"),
                        readTime(data, "recordTime"),
                        data.path("lastOffset").asLong(number(data, "offset")),
                        data.path("count").asLong(1));
            case EXPIRED_UNREAD ->
                new MissedRecords(
                        new PartitionId(
                                text(data, "topic"), data.required("partition").asInt()),
                        number(data, "beginOffset"),
                        number(data, "endOffset"),
                        word(MissedRecords.Cause.class, data, "cause"));
            case UNDELIVERED ->
                new Undelivered(
                        new PartitionId(
                                text(data, "topic"), data.required("partition").asInt()),
                        number(data, "offset"),
                        word(Undelivered.Kind.class, data, "kind"),
                        text(data, "detail"),
                        readTime(data, "recordTime"));
        };
    }

    private static Violated readViolated(JsonNode data) {
        IntervalId interval = readInterval(data);
        List<Anomaly> anomalies = new ArrayList<>();
        for (JsonNode node : data.required("anomalies")) {
            anomalies.add(new Anomaly(
                    word(Anomaly.Kind.class, node, "kind"),
                    interval.stream(),
                    number(node, "begin"),
                    number(node, "end"),
                    number(node, "offset"),
                    node.required("copies").asInt(),
                    Hash.fromHex(text(node, "expected")),
                    Hash.fromHex(text(node, "observed")),
                    readDiffers(node),
                    readHop(node),
                    readTime(node, "time"),
                    readNeighbours(node)));
        }
        return new Violated(
                interval,
                data.required("revision").asInt() == Finding.OPEN_REVISION,
                data.required("minimal").asBoolean(),
                number(data, "anomalyCount"),
                anomalies,
                readHop(data));
    }

    /** The hop, if this version knows it. */
    private static Hop readHop(JsonNode node) {
        String name = node.path("hop").asText(EnumNames.of(Hop.LOG));
        return Stream.of(Hop.values())
                .filter(hop -> EnumNames.of(hop).equals(name))
                .findFirst()
                .orElse(Hop.UNKNOWN);
    }

    /** The parts that this version knows. */
    private static List<Anomaly.Part> readDiffers(JsonNode node) {
        List<String> words =
                node.path("differs").valueStream().map(JsonNode::asText).toList();
        return Stream.of(Anomaly.Part.values())
                .filter(part -> words.contains(EnumNames.of(part)))
                .toList();
    }

    private static IntervalId readInterval(JsonNode data) {
        StreamId stream = new StreamId(
                text(data, "topic"),
                data.required("partition").asInt(),
                Long.parseUnsignedLong(text(data, "emitter"), 16));
        return new IntervalId(
                stream,
                number(data, "checkpoint"),
                number(data, "checkpointOffset"),
                number(data, "firstSequence"),
                number(data, "eventCount"),
                Hash.fromHex(data.path("statement").asText()),
                data.path("emitterName").asText(),
                readTime(data, "checkpointTime"),
                SealJson.read(data),
                TailJson.read(data));
    }

    private static <E extends Enum<E>> E word(Class<E> type, JsonNode node, String field) {
        return EnumNames.constant(type, text(node, field));
    }

    private static String text(JsonNode node, String field) {
        return node.required(field).asText();
    }

    private static long number(JsonNode node, String field) {
        return node.required(field).asLong();
    }
}
