package dev.stormproof.alert;

import dev.stormproof.verify.judge.PartitionId;
import java.util.HexFormat;

/**
 * An acceptance is somebody's word that an alert is known, and why it may stand. It changes no verdict: who counts, counts the alert as
 * accepted, and shows it as before.
 *
 * <p>It speaks of what was read, and of earlier revisions. A later revision, which may name more, is open again, and so is what another
 * reading of the log says of the same interval.
 *
 * @param source who published the alert, a URI reference: {@code /stormproof/GROUP}
 * @param timeMillis when it was accepted, in milliseconds since 1970
 * @param topicId as in the alert
 * @param partition that the alert is about
 * @param alertId the alert's
 * @param revision the alert's, as it was read
 * @param content what the alert said, in short
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
    /** Of the objects that it consists of, and of its place in a table. */
    private static final long FIXED_BYTES = 512;

    /** The acceptance of an alert as it is. */
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

    /** True of the revision that was accepted, if it says what was read then, and of earlier ones. */
    public boolean covers(int other, String said) {
        return revision > other || (revision == other && said.equals(content));
    }

    /** About how much memory it takes. */
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
