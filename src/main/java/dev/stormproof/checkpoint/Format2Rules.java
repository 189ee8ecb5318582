package dev.stormproof.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.regex.Pattern;

/** The rules of format 2 for names and ranges. */
final class Format2Rules {
    static final int MAX_TOPIC_BYTES = 249;
    static final int MAX_KEY_ID_BYTES = 64;

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._-]+");

    /** How many bytes of UTF-8 an emitter's name may have. */
    static final int MAX_NAME_BYTES = 255;

    /** How many uncertain ranges a checkpoint may have. */
    static final int MAX_UNCERTAIN = 1_000;

    private Format2Rules() {}

    /** Kafka's rule for topics. */
    static boolean isTopic(String topic) {
        return isWord(topic, MAX_TOPIC_BYTES) && !topic.equals(".") && !topic.equals("..");
    }

    /** True of 1 to 64 ASCII letters, digits, dots, underscores and hyphens. */
    static boolean isKeyId(String keyId) {
        return isWord(keyId, MAX_KEY_ID_BYTES);
    }

    /** True if the name has a UTF-8 form, not too long, and does nothing to a terminal. */
    static boolean isName(String name) {
        return name.length() <= MAX_NAME_BYTES
                && name.chars().noneMatch(Character::isISOControl)
                && UTF_8.newEncoder().canEncode(name)
                && name.getBytes(UTF_8).length <= MAX_NAME_BYTES;
    }

    /** What is wrong with the ranges of an interval; empty if nothing is. */
    static String faultOfUncertain(long firstSequence, long eventCount, List<SequenceRange> uncertain) {
        if (uncertain.size() > MAX_UNCERTAIN) {
            return uncertain.size() + " uncertain ranges";
        }
        long count = 0;
        long previousEnd = -1;
        for (SequenceRange range : uncertain) {
            if (range.begin() <= previousEnd) {
                return "uncertain range " + range + " not beyond " + previousEnd;
            }
            previousEnd = range.end();
            count += range.count();
        }
        // The ranges are disjoint, so that their count cannot overflow; the sum can.
        long nextSequence = firstSequence + eventCount + count;
        if (firstSequence + eventCount < 0 || nextSequence < 0) {
            return "sequences beyond " + Long.MAX_VALUE;
        }
        if (!uncertain.isEmpty() && (uncertain.get(0).begin() < firstSequence || previousEnd > nextSequence)) {
            return "uncertain ranges outside of [" + firstSequence + ", " + nextSequence + ")";
        }
        return "";
    }

    private static boolean isWord(String text, int maxSize) {
        return text.length() <= maxSize && WORD.matcher(text).matches();
    }
}
