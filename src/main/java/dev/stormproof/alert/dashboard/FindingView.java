package dev.stormproof.alert.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertText;
import dev.stormproof.alert.Guidance;
import dev.stormproof.alert.RecordUrls;
import dev.stormproof.alert.Runbook;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.EnumNames;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.Neighbours.Neighbour;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A finding as the page shows it: a cell, and a detail when the cell is opened.
 *
 * @param key identifies it: the alert's id, and the topic's if that is known
 * @param data the finding as alerts have it
 * @param version of the picture that it came with
 * @param acceptance its acceptance, if there is one
 */
record FindingView(String key, Alert alert, JsonNode data, long version, Optional<Acceptance> acceptance) {
    /** The most places of a finding that are read. */
    static final int MOST_PLACES = 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Larger numbers are sent as text, because they are not exact in a browser. */
    private static final long EXACT_UP_TO = 1L << 53;

    /** The fields about the basis of a verdict. */
    private static final List<String> SEAL = List.of("strength", "keyId", "root", "checkpointHash");

    /** The data of a record, as its writer wrote it: including fields that this version does not know. */
    static JsonNode dataOf(byte[] written) throws IOException {
        return JSON.readTree(written).path("data");
    }

    /** The data of a finding, as this version writes it. */
    static JsonNode dataOf(Finding finding) {
        try {
            return JSON.readTree(AlertJson.writeData(finding));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static FindingView of(Alert alert, JsonNode data, long version, Optional<Acceptance> acceptance) {
        return new FindingView(alert.subject(), alert, data, version, acceptance);
    }

    FindingView accepted(Acceptance by, long inVersion) {
        return new FindingView(key, alert, data, inVersion, Optional.of(by));
    }

    /** True if it needs action, and was not accepted. */
    boolean isOpen() {
        return acceptance.isEmpty() && !Guidance.isSettled(finding());
    }

    Finding finding() {
        return alert.finding();
    }

    /** Its size, in the number of things that it names. */
    int weight() {
        return 1
                + (finding() instanceof Violated violated ? violated.anomalies().size() : 0);
    }

    /** The state, as the cell shows it. */
    String state() {
        if (finding() instanceof Inconclusive inconclusive) {
            return inconclusive.isOpen() ? "open" : "inconclusive";
        }
        return switch (finding().type()) {
            case VERIFIED -> "verified";
            case INCONCLUSIVE, EXPIRED_UNREAD -> "inconclusive";
            case VIOLATED, UNATTRIBUTED -> "violated";
            case UNDELIVERED -> Guidance.severity(finding()) == Guidance.Severity.INFO ? "verified" : "violated";
        };
    }

    /** The number of events that the interval's checkpoint states; 0 for other findings. */
    long events() {
        return finding() instanceof Verdict verdict ? verdict.interval().eventCount() : 0;
    }

    /** The time from the checkpoint to the verdict; 0 if unknown. */
    long delayMillis() {
        long sealed = sealedMillis();
        return sealed == 0 || alert.timeMillis() == 0 ? 0 : Math.max(0, alert.timeMillis() - sealed);
    }

    private long sealedMillis() {
        String written =
                data.path("checkpointTime").asText(data.path("recordTime").asText());
        return written.isEmpty() ? 0 : Instant.parse(written).toEpochMilli();
    }

    /** The cell, in the order of FIELDS in store.js. */
    void writeTo(ArrayNode cell) {
        IntervalId interval = finding() instanceof Verdict verdict ? verdict.interval() : null;
        cell.add(key);
        cell.add(interval == null ? "" : interval.stream().emitterHex());
        cell.add(data.path("emitterName").asText());
        add(cell, interval == null ? -1 : interval.number());
        cell.add(state());
        cell.add(finding().anchorOffset());
        add(cell, interval == null ? 0 : interval.firstSequence());
        add(cell, events());
        cell.add(alert.timeMillis());
        cell.add(sealedMillis());
        cell.add(finding() instanceof Violated violated ? violated.anomalyCount() : 0);
        cell.add(what());
        for (String field : SEAL) {
            cell.add(data.path(field).asText());
        }
        cell.add(interval != null && interval.tail().isThere() ? AlertText.tail(interval) : "");
        cell.add(acceptance.map(word -> word.by() + ": " + word.reason()).orElse(""));
    }

    private static void add(ArrayNode cell, long number) {
        if (Math.abs(number) <= EXACT_UP_TO) {
            cell.add(number);
        } else {
            cell.add(Long.toString(number));
        }
    }

    /** A few words for lists, beside the place of the interval. */
    private String what() {
        if (finding() instanceof Violated violated && !violated.anomalies().isEmpty()) {
            return violated.anomalies().stream()
                    .map(anomaly -> EnumNames.of(anomaly.kind()))
                    .distinct()
                    .collect(Collectors.joining(", "));
        }
        if (finding() instanceof Inconclusive inconclusive) {
            return EnumNames.of(inconclusive.reason());
        }
        if (finding() instanceof StrayRecord unattributed) {
            return EnumNames.of(unattributed.kind());
        }
        if (finding() instanceof Undelivered undelivered) {
            return "output " + EnumNames.of(undelivered.kind());
        }
        return finding() instanceof MissedRecords missed
                ? (missed.endOffset() - missed.beginOffset()) + " offsets " + EnumNames.of(missed.cause()) + " unread"
                : finding().type().label();
    }

    /** The first distinct offsets that it names. */
    List<Long> places() {
        LongStream offsets = LongStream.empty();
        if (finding() instanceof Violated violated) {
            offsets = violated.anomalies().stream().flatMapToLong(FindingView::places);
        } else if (finding() instanceof StrayRecord unattributed) {
            offsets = LongStream.of(unattributed.offset());
        } else if (finding() instanceof Undelivered undelivered) {
            offsets = LongStream.of(undelivered.offset());
        }
        return offsets.filter(offset -> offset >= 0)
                .distinct()
                .limit(MOST_PLACES)
                .boxed()
                .toList();
    }

    private static LongStream places(Anomaly anomaly) {
        return LongStream.concat(
                LongStream.of(anomaly.offset()), anomaly.neighbours().known().mapToLong(Neighbour::offset));
    }

    /** The detail, for an opened cell. */
    ObjectNode detail(RecordUrls urls) {
        ObjectNode detail = JSON.createObjectNode();
        detail.put("state", state());
        JsonNode copy = data.deepCopy();
        if (copy instanceof ObjectNode node) {
            urls.writeInto(node);
        }
        detail.set("data", exact(copy));
        ArrayNode words = detail.putArray("words");
        Runbook.on(finding()).forEach(entry -> words.add(entry.word()));
        return detail;
    }

    private static JsonNode exact(JsonNode node) {
        if (node.isArray()) {
            ArrayNode array = JSON.createArrayNode();
            node.forEach(element -> array.add(exact(element)));
            return array;
        }
        if (node.isObject()) {
            ObjectNode object = JSON.createObjectNode();
            node.properties().forEach(field -> object.set(field.getKey(), exact(field.getValue())));
            return object;
        }
        return node.isLong() && Math.abs(node.longValue()) > EXACT_UP_TO ? TextNode.valueOf(node.asText()) : node;
    }
}
