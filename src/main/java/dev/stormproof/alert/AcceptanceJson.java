package dev.stormproof.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.verify.judge.PartitionId;
import java.time.Instant;
import java.util.HexFormat;

/**
 * Acceptances as CloudEvents 1.0 in JSON, structured mode, beside their alerts.
 *
 * <pre>
 *   {"specversion": "1.0", "id": ALERT/rREVISION/accepted/TIME, "source": the alert's, "type": "dev.stormproof.alert.accepted",
 *    "subject": …, "time": …, "datacontenttype": "application/json", "dataschema": …, "topicid": …,
 *    "data": {"alertId": …, "revision": …, "content": …, "topic": …, "partition": …, "by": …, "reason": …}}
 * </pre>
 */
final class AcceptanceJson {
    static final String TYPE = "dev.stormproof.alert.accepted";
    static final String DATA_SCHEMA = "urn:stormproof:acceptance-data:1";

    private static final ObjectMapper JSON = new ObjectMapper();

    private AcceptanceJson() {}

    static ObjectNode write(Acceptance acceptance) {
        Instant time = Instant.ofEpochMilli(acceptance.timeMillis());
        ObjectNode event = JSON.createObjectNode();
        event.put("specversion", "1.0");
        event.put("id", acceptance.alertId() + "/r" + acceptance.revision() + "/accepted/" + time);
        event.put("source", acceptance.source());
        event.put("type", TYPE);
        event.put("subject", acceptance.partition().toString());
        event.put("time", time.toString());
        event.put("datacontenttype", "application/json");
        event.put("dataschema", DATA_SCHEMA);
        if (acceptance.topicId() != Alert.NO_TOPIC_ID) {
            event.put(AlertJson.TOPIC_ID, HexFormat.of().toHexDigits(acceptance.topicId()));
        }
        event.putObject("data")
                .put("alertId", acceptance.alertId())
                .put("revision", acceptance.revision())
                .put("content", acceptance.content())
                .put("topic", acceptance.partition().topic())
                .put("partition", acceptance.partition().partition())
                .put("by", acceptance.by())
                .put("reason", acceptance.reason());
        return event;
    }

    static Acceptance read(JsonNode event, long topicId) {
        JsonNode data = event.required("data");
        return new Acceptance(
                event.required("source").asText(),
                Instant.parse(event.required("time").asText()).toEpochMilli(),
                topicId,
                new PartitionId(
                        data.required("topic").asText(),
                        data.required("partition").asInt()),
                data.required("alertId").asText(),
                data.required("revision").asInt(),
                data.path("content").asText(),
                data.required("by").asText(),
                data.required("reason").asText());
    }
}
