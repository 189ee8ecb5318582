package dev.stormproof.forward;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.Guidance;
import dev.stormproof.alert.Guidance.Severity;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.PartitionId;

/**
 * The part of an alert that is kept: what tells it again, counts it and ends it. Its record may name a thousand anomalies, which nobody
 * asks for here.
 *
 * @param subject as in {@link Alert#subject}
 * @param content as in {@link Alert#content}
 * @param group the consumer group that published it, or else its source
 * @param settled whether nothing is left to do about it
 * @param summary in its record's words, as are runbook and audit; empty if it has none
 * @param next what follows it if it is not told for good; else empty
 */
record Told(
        String subject,
        int revision,
        String content,
        long timeMillis,
        String group,
        PartitionId partition,
        Finding.Type type,
        Severity severity,
        boolean settled,
        String summary,
        String runbook,
        String audit,
        String next) {
    /** Of the objects that it consists of, and of its place in a table. */
    private static final long FIXED_BYTES = 512;

    /** @param written the record that the alert was read from */
    static Told of(Alert alert, JsonNode written) {
        Finding finding = alert.finding();
        JsonNode data = written.path("data");
        return new Told(
                alert.subject(),
                finding.revision(),
                alert.content(),
                alert.timeMillis(),
                alert.group().orElse(alert.source()),
                finding.partition(),
                finding.type(),
                Guidance.severity(finding),
                Guidance.isSettled(finding),
                data.path("summary").asText(),
                data.path("runbook").asText(),
                data.path("audit").asText(),
                Guidance.next(finding).orElse(""));
    }

    /** True if an acceptance of its subject is of what it says. */
    boolean isCoveredBy(Acceptance acceptance) {
        return acceptance.covers(revision, content);
    }

    /** About how much memory it takes. */
    long sizeBytes() {
        long characters = 2L * subject.length() // A table has it as well.
                + content.length()
                + group.length()
                + partition.topic().length()
                + summary.length()
                + runbook.length()
                + audit.length();
        return FIXED_BYTES + Character.BYTES * characters;
    }
}
