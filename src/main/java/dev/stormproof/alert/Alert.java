package dev.stormproof.alert;

import dev.stormproof.verify.judge.Finding;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A finding that is published to people and machines.
 *
 * @param source who publishes it, a URI reference: {@code /stormproof/GROUP}
 * @param timeMillis when it was found, in milliseconds since 1970
 * @param topicId distinguishes the topic from others of the same name; {@value #NO_TOPIC_ID} if unknown
 * @param canary true if it is about the canary topic, in which faults are planted
 */
public record Alert(String source, long timeMillis, long topicId, boolean canary, Finding finding)
        implements AlertsRecord {
    private static final String SOURCE_PREFIX = "/stormproof/";

    /** An unknown id. */
    public static final long NO_TOPIC_ID = 0;

    /** An alert about a topic of unknown id. */
    public Alert(String source, long timeMillis, Finding finding) {
        this(source, timeMillis, NO_TOPIC_ID, finding);
    }

    /** An alert that is not about the canary topic. */
    public Alert(String source, long timeMillis, long topicId, Finding finding) {
        this(source, timeMillis, topicId, false, finding);
    }

    @Override
    public String subject() {
        return Acceptance.subject(finding.id(), topicId);
    }

    /** The hash of what it states: another reading of the log with the same result has the same content. */
    public String content() {
        return Content.of(finding);
    }

    /** The consumer group that published it, from its source; empty if that names none. */
    public Optional<String> group() {
        try {
            return source.startsWith(SOURCE_PREFIX)
                    ? Optional.of(URLDecoder.decode(source.substring(SOURCE_PREFIX.length()), StandardCharsets.UTF_8))
                    : Optional.empty();
        } catch (IllegalArgumentException e) { // Another program wrote it.
            return Optional.empty();
        }
    }

    /** True for anything but a proof, which is published only if it settles an alarm. */
    public boolean isAlarm() {
        return finding.type() != Finding.Type.VERIFIED;
    }
}
