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
 * The decision of an operator on an event that an output stands at. It is kept as an offset of the group {@code GROUP-release},
 * with metadata, so that a task that starts again finds it.
 *
 * <pre>
 *   offset 4711, "stormproof-release/1 divert 2026-11-22T09:00:00Z alice@ops1"
 * </pre>
 *
 * @param offset where the event lies
 * @param by the operator
 */
public record Release(long offset, Action action, Instant at, String by) {
    private static final Pattern METADATA = Pattern.compile("stormproof-release/1 (retry|divert) (\\S+) (.*)");

    /** The thing to do. */
    public enum Action {
        /** The transform is tried again. */
        RETRY,
        /** The event is diverted if the transform fails on it again. */
        DIVERT
    }

    /** The group whose offsets are the releases. */
    public static String group(StormproofConfig config) {
        return config.groupId() + "-release";
    }

    /** The offset to commit. */
    public OffsetAndMetadata encode() {
        return new OffsetAndMetadata(
                offset, "stormproof-release/1 " + action.name().toLowerCase(Locale.ROOT) + " " + at + " " + by);
    }

    /** Reads an offset that was committed; empty if it is not one of ours. */
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
