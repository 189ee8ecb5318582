package dev.stormproof.alert;

import dev.stormproof.verify.judge.Finding;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A finding on its way to people and machines.
 *
 * @param source who publishes it, a URI reference: {@code /stormproof/GROUP}
 * @param timeMillis when it was found, in milliseconds since 1970
 * @param topicId tells the topic from others that bore its name; {@value #NO_TOPIC_ID} if unknown
 * @param canary true if it is about a topic in which faults are planted to be found, and nobody's trouble
 */
public record Alert(String source, long timeMillis, long topicId, boolean canary, Finding finding)
        implements AlertsRecord {
    private static final String SOURCE_PREFIX = "/stormproof/";

    /** The id of a topic of which none is known. */
    public static final long NO_TOPIC_ID = 0;

    /** An alert about a topic of unknown id. */
    public Alert(String source, long timeMillis, Finding finding) {
        this(source, timeMillis, NO_TOPIC_ID, finding);
    }

    /** An alert about what nobody planted. */
    public Alert(String source, long timeMillis, long topicId, Finding finding) {
        this(source, timeMillis, topicId, false, finding);
    }

    @Override
    public String subject() {
        return Acceptance.subject(finding.id(), topicId);
    }

    /** What it says, in short: another reading of the log that says the same has the same content. */
    public String content() {
        return Content.of(finding);
    }

    /** The consumer group that published it, by its source; empty if that names none. */
    public Optional<String> group() {
        try {
            return source.startsWith(SOURCE_PREFIX)
                    ? Optional.of(URLDecoder.decode(source.substring(SOURCE_PREFIX.length()), StandardCharsets.UTF_8))
                    : Optional.empty();
        } catch (IllegalArgumentException e) { // Of another writer.
            return Optional.empty();
        }
    }

    /** True if an operator should be told: of anything but a proof, which is published only if it settles an alarm. */
    public boolean isAlarm() {
        return finding.type() != Finding.Type.VERIFIED;
    }
}
