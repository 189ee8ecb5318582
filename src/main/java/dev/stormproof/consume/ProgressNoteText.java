package dev.stormproof.consume;

import dev.stormproof.leader.Leaders;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The note that a verifier writes beside its progress, as far as a reader needs it: which topic the progress is in, where it began, and whose records it has passed. */
final class ProgressNoteText {
    private static final Pattern TOPIC_ID = Pattern.compile("\"stormproof/1 topic=([0-9a-f]{16}) ");

    private static final Pattern FROM = Pattern.compile(" from=([0-9]{1,19})[ \"]");

    private static final Pattern LED = Pattern.compile(" led=([0-9,/]+)\"");

    private ProgressNoteText() {}

    /** The offset at which the verification began; 0 if the note names none. */
    static long from(String metadata) {
        Matcher matcher = FROM.matcher(metadata);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** The leaders that wrote what the progress has passed, as far as the verifier knew them. */
    static Leaders leaders(String metadata) {
        Matcher matcher = LED.matcher(metadata);
        return matcher.find() ? Leaders.ofText(matcher.group(1)) : Leaders.NONE;
    }

    /** The id of the topic, 0 if the verifier did not know it; empty if no verifier wrote the offset. */
    static OptionalLong topicId(String metadata) {
        Matcher matcher = TOPIC_ID.matcher(metadata);
        return matcher.find() ? OptionalLong.of(Long.parseUnsignedLong(matcher.group(1), 16)) : OptionalLong.empty();
    }
}
