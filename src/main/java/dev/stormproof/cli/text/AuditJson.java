package dev.stormproof.cli.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.cli.text.Tally.Counts;
import dev.stormproof.log.audit.OfflineVerifier.Contents;
import dev.stormproof.verify.judge.EnumNames;
import java.util.List;

/**
 * The last lines of {@code audit --json}: what was read of each partition, and the verdicts on each topic and on all. A finding has a field
 * {@code finding}, these have {@code audited}; their schema is {@code schema/audit-1.json}.
 */
final class AuditJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private AuditJson() {}

    /** What was read of a partition, and its streams with an open end. */
    static String partition(Audited row, Counts counts) {
        Contents contents = row.contents();
        ObjectNode node = JSON.createObjectNode();
        node.put("audited", "partition");
        node.put("topic", row.range().partition().topic());
        node.put("partition", row.partition());
        node.put("beginOffset", row.range().begin());
        node.put("endOffset", row.range().end());
        node.put("logBeginOffset", row.logBegin());
        node.put("logEndOffset", row.range().logEnd());
        node.put("complete", row.complete());
        node.put("checkpoints", contents.checkpoints());
        put(node, contents.events(), counts, contents.open().events());
        node.put("openStreamCount", contents.open().streams());
        ArrayNode open = node.putArray("openStreams");
        contents.open().named().forEach(end -> {
            ObjectNode stream = open.addObject().put("emitter", end.stream().emitterHex());
            if (!end.emitterName().isEmpty()) {
                stream.put("emitterName", end.emitterName());
            }
            stream.put("checkpoint", end.checkpoint());
            stream.put("checkpointOffset", end.checkpointOffset());
            stream.put("sinceOffset", end.sinceOffset());
            stream.put("events", end.events());
            stream.put("overdue", end.overdue());
        });
        return text(node);
    }

    /**
     * The verdict on everything.
     *
     * @param events how many events are stated or open
     * @param ignored how many records without a signature were passed over
     * @param notJudged what was not judged, a clause each
     */
    record Outcome(int exitCode, String summary, long events, long openEvents, long ignored, List<String> notJudged) {}

    /** The verdict on so many partitions together. */
    static String topic(
            String topic, Circumstances circumstances, int partitions, Counts total, long accepted, Outcome outcome) {
        ObjectNode node = JSON.createObjectNode();
        node.put("audited", "topic");
        node.put("topic", topic);
        node.put("topicId", circumstances.topicId());
        node.put("clusterId", circumstances.clusterId());
        node.put("time", circumstances.time().toString());
        node.put("program", circumstances.program());
        node.put("demanded", EnumNames.of(circumstances.demanded()));
        ArrayNode keys = node.putArray("keys");
        circumstances.keys().forEach(keys::add);
        return concluded(node, partitions, total, accepted, outcome);
    }

    /** The verdict on several topics together, of so many partitions. */
    static String topics(
            String named, List<String> topics, List<Counts> counts, long partitions, long accepted, Outcome outcome) {
        ObjectNode node = JSON.createObjectNode();
        node.put("audited", "topics");
        node.put("topic", named);
        ArrayNode names = node.putArray("topics");
        topics.forEach(names::add);
        return concluded(node, partitions, Counts.sum(counts), accepted, outcome);
    }

    private static String concluded(ObjectNode node, long partitions, Counts total, long accepted, Outcome outcome) {
        node.put("partitions", partitions);
        node.put("verdict", ExitCode.word(outcome.exitCode()));
        node.put("exitCode", outcome.exitCode());
        node.put("summary", outcome.summary());
        put(node, outcome.events(), total, outcome.openEvents());
        node.put("accepted", accepted);
        node.put("ignoredUnsigned", outcome.ignored());
        ArrayNode notJudged = node.putArray("notJudged");
        outcome.notJudged().forEach(notJudged::add);
        return text(node);
    }

    private static void put(ObjectNode node, long events, Counts counts, long openEvents) {
        node.put("events", events);
        node.put("provenEvents", counts.proven());
        node.put("openEvents", openEvents);
        node.put("verified", counts.verified());
        node.put("violated", counts.violated());
        node.put("inconclusive", counts.inconclusive());
    }

    private static String text(ObjectNode node) {
        try {
            return JSON.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values", e);
        }
    }
}
