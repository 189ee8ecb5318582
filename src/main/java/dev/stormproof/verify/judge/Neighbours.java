package dev.stormproof.verify.judge;

import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import java.io.Serializable;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The events of a stream that are in the log on both sides of a gap in its sequences.
 *
 * <pre>
 *   sequences    3   4   ·   ·   ·   8   9
 *                    │   lost      │
 *               before             after
 * </pre>
 *
 * <p>They may be altered, or out of their places. One outside of the interval's evidence is unknown, and so are all in format
 * 1, whose events have no sequences.
 *
 * @param before the last event before the gap; null if none is known
 * @param after the first event after it; null if none is known
 */
public record Neighbours(
        @Nullable Neighbour before, @Nullable Neighbour after) implements Serializable {
    public static final Neighbours NONE = new Neighbours(null, null);

    /**
     * One of them.
     *
     * @param writtenMillis when its record was written; {@link LogRecord#NO_TIME} if that is unknown
     */
    public record Neighbour(long sequence, long offset, long writtenMillis) implements Serializable {
        private static Neighbour of(Event event) {
            return new Neighbour(event.sequence(), event.offset(), event.writtenMillis());
        }
    }

    /** The known neighbours, in the order of their sequences. */
    public Stream<Neighbour> known() {
        return Stream.concat(Stream.ofNullable(before), Stream.ofNullable(after));
    }

    /** The events of an interval's evidence, one for each sequence, an intact one if possible. */
    static final class Lookup {
        private final NavigableMap<Long, Event> present = new TreeMap<>();

        Lookup(Stream<Event> events) {
            events.forEach(event -> present.merge(
                    event.sequence(), event, (first, other) -> !first.intact() && other.intact() ? other : first));
        }

        /** The neighbours of the gap [begin, end). */
        Neighbours of(long begin, long end) {
            Map.Entry<Long, Event> before = present.lowerEntry(begin);
            Map.Entry<Long, Event> after = present.ceilingEntry(end);
            return new Neighbours(
                    before == null ? null : Neighbour.of(before.getValue()),
                    after == null ? null : Neighbour.of(after.getValue()));
        }
    }
}
