package dev.stormproof.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Neighbours.Neighbour;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict;

/** The addresses of pages that show a place of a log. */
@FunctionalInterface
public interface RecordUrls {
    RecordUrls NONE = (topic, partition, offset) -> "";

    /** The address of a record's page; empty if there is none. */
    String at(String topic, int partition, long offset);

    /** The address of an anomaly's place; empty if it has none. */
    default String of(Anomaly anomaly) {
        return existing(anomaly.stream().topic(), anomaly.stream().partition(), anomaly.offset());
    }

    /** The address of a neighbour of lost events. */
    default String of(StreamId stream, Neighbour neighbour) {
        return existing(stream.topic(), stream.partition(), neighbour.offset());
    }

    /** The address of a verdict's checkpoint, or of the first record of another finding; empty if it has no place. */
    default String of(Finding finding) {
        long offset = -1;
        if (finding instanceof Verdict verdict) {
            offset = verdict.interval().checkpointOffset();
        } else if (finding instanceof StrayRecord unattributed) {
            offset = unattributed.offset();
        } else if (finding instanceof Undelivered undelivered) {
            offset = undelivered.offset();
        }
        return existing(finding.partition().topic(), finding.partition().partition(), offset);
    }

    /** Writes the address of each place into the data of an alert: {@code url}, and {@code checkpointUrl}. */
    default void writeInto(ObjectNode data) {
        put(data, data, "checkpointOffset", "checkpointUrl");
        put(data, data, "offset", "url");
        for (JsonNode anomaly : data.path("anomalies")) {
            if (anomaly instanceof ObjectNode node) {
                put(data, node, "offset", "url");
                putBeside(data, node, AlertJson.BEFORE);
                putBeside(data, node, AlertJson.AFTER);
            }
        }
    }

    private void putBeside(ObjectNode data, ObjectNode anomaly, String side) {
        if (anomaly.path(side) instanceof ObjectNode neighbour) {
            put(data, neighbour, "offset", "url");
        }
    }

    private void put(ObjectNode data, ObjectNode node, String place, String field) {
        String url = existing(
                data.path("topic").asText(),
                data.path("partition").asInt(),
                node.path(place).asLong(-1));
        if (!url.isEmpty()) {
            node.put(field, url);
        }
    }

    private String existing(String topic, int partition, long offset) {
        return offset < 0 ? "" : at(topic, partition, offset);
    }
}
