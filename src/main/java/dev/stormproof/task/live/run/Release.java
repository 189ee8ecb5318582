package dev.stormproof.task.live.run;

import dev.stormproof.task.config.StormproofConfig;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * The decision of an operator on an event at which an output is halted. It is an offset of the group {@code GROUP-release} with metadata, so
 * that a restarted task finds it.
 *
 * <pre>
 *   offset 4711, "stormproof-release/1 divert 2026-11-22T09:00:00Z alice@ops1"
 * </pre>
 *
 * @param offset the event's
 * @param by the operator
 */
public record Release(long offset, Action action, Instant at, String by) {
    private static final Pattern METADATA = Pattern.compile("stormproof-release/1 (retry|divert) (\\S+) (.*)");

    public enum Action {
        /** The task tries the transform again. */
        RETRY,
        /** The task diverts the event if the transform fails on it again. */
        DIVERT
    }

    /** The group whose offsets are the releases. */
    public static String group(StormproofConfig config) {
        return config.groupId() + "-release";
    }

    public OffsetAndMetadata encode() {
        return new OffsetAndMetadata(
                offset, "stormproof-release/1 " + action.name().toLowerCase(Locale.ROOT) + " " + at + " " + by);
    }

    /** Reads a committed offset; empty if it is no release. */
    static Optional<Release> decode(OffsetAndMetadata committed) {
        Matcher matcher = METADATA.matcher(committed.metadata());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Action action = Action.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
        try {
            return Optional.of(
                    new Release(committed.offset(), action, Instant.parse(matcher.group(2)), matcher.group(3)));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
