package dev.stormproof.alert;

import dev.stormproof.verify.judge.PartitionId;
import java.util.HexFormat;

/**
 * An operator's acceptance of an alert, with the reason. It changes no verdict: programs count the alert as accepted, and show it as before.
 *
 * <p>It covers the finding that was read, and the open one before it. The verdict after an open one is not covered, nor is a different finding of
 * another reading of the same interval.
 *
 * @param source who published the alert, a URI reference: {@code /stormproof/GROUP}
 * @param timeMillis when it was accepted, in milliseconds since 1970
 * @param topicId as in the alert
 * @param partition the partition of the alert's subject
 * @param alertId the alert's
 * @param revision the alert's, as it was read
 * @param content the hash of what the alert states
 */
public record Acceptance(
        String source,
        long timeMillis,
        long topicId,
        PartitionId partition,
        String alertId,
        int revision,
        String content,
        String by,
        String reason)
        implements AlertsRecord {
    /** The size of its objects, and of its entry in a table. */
    private static final long FIXED_BYTES = 512;

    /** Accepts an alert as it is. */
    public static Acceptance of(Alert alert, long timeMillis, String by, String reason) {
        return new Acceptance(
                alert.source(),
                timeMillis,
                alert.topicId(),
                alert.finding().partition(),
                alert.finding().id(),
                alert.finding().revision(),
                alert.content(),
                by,
                reason);
    }

    /** True for the accepted finding, if its content is the accepted one, and for the open one before it. */
    public boolean covers(int other, String said) {
        return revision > other || (revision == other && said.equals(content));
    }

    /** Approximate. */
    long sizeBytes() {
        long characters = (long) source.length()
                + partition.topic().length()
                + alertId.length()
                + content.length()
                + by.length()
                + reason.length();
        return FIXED_BYTES + Character.BYTES * characters;
    }

    @Override
    public String subject() {
        return subject(alertId, topicId);
    }

    static String subject(String alertId, long topicId) {
        return topicId == Alert.NO_TOPIC_ID
                ? alertId
                : alertId + "#" + HexFormat.of().toHexDigits(topicId);
    }
}
