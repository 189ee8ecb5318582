package dev.stormproof.side;

import dev.stormproof.checkpoint.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The places of one emitter's checkpoints: each before the first event whose sequence is at least the next one that it states; without
 * such an event, behind the emitter's last one.
 *
 * <pre>
 *   events   e0 e1 e2 e3 e4           side   #0 (next 0)   #1 (next 3)   #2 (next 5)
 *   merged   #0 e0 e1 e2 #1 e3 e4 #2
 * </pre>
 *
 * <p>For one thread: first the checkpoints, then the events, in order.
 */
final class StreamPlaces {
    private static final long NONE = -1;

    private final List<Statement> statements = new ArrayList<>();
    private final PriorityQueue<Statement> waiting =
            new PriorityQueue<>(Comparator.comparingLong((Statement statement) -> statement.next));
    private boolean closes;
    private long firstHeld = NONE;
    private long mostHeld = NONE;
    private long lastOffset = NONE;
    /** True once an event came that the checkpoints state which are there. */
    private boolean stated;
    /** Behind the last event that checkpoints from before may have stated. */
    private long unknownEnd = NONE;

    void add(Statement statement) {
        statements.add(statement);
        waiting.add(statement);
        closes |= statement.closing;
    }

    void take(Event event) {
        long sequence = event.sequence();
        firstHeld = firstHeld == NONE ? sequence : firstHeld;
        mostHeld = Math.max(mostHeld, sequence);
        lastOffset = event.offset();
        stated |= sequence >= statements.get(0).first;
        unknownEnd = stated ? unknownEnd : event.offset() + 1;
        for (Statement first = waiting.peek(); first != null && first.next <= sequence; first = waiting.peek()) {
            first.place = event.offset();
            waiting.remove();
        }
    }

    /** Places what no event follows. */
    void end(long logEnd) {
        long behind = lastOffset == NONE ? logEnd : lastOffset + 1;
        waiting.forEach(statement -> statement.place = behind);
        waiting.clear();
    }

    List<Statement> statements() {
        return statements;
    }

    /**
     * Behind the last event that stands before those of the first checkpoint that the side topic still holds: one from before may have
     * stated it. -1 if there is no such event, or no checkpoint before.
     */
    long unknownEnd() {
        return statements.get(0).number == 0 ? NONE : unknownEnd;
    }

    /** True if the events that a checkpoint states may have expired: none before its place is there. */
    boolean mayHaveExpired(Statement statement) {
        if (lastOffset == NONE) {
            return statement.next > 0;
        }
        return statement.next < firstHeld || (statement.next == firstHeld && statement.statesEvents());
    }

    /**
     * True if the events that a checkpoint states may still be on their way: nothing behind them is there, neither an event nor the
     * emitter's last checkpoint.
     */
    boolean mayBeOnTheWay(Statement statement) {
        return !closes && statement.next - 1 > mostHeld;
    }
}
