package dev.stormproof.cli;

import java.io.IOException;

/** The events that a command emits, in order and as often as asked for. */
sealed interface EventSource extends AutoCloseable permits LineFile, GeneratedOrders {
    /** How many events there are. */
    long count();

    /** Visits every event, in order. */
    void forEach(Visitor visitor) throws IOException;

    /** What the events are, for people. */
    String title();

    /** What one event is, for people: {@code line}, for instance. */
    String unit();

    @Override
    void close() throws IOException;

    /** Takes one event. */
    interface Visitor {
        /**
         * Takes the event at {@code index}, from 0.
         *
         * @return false to end the visit
         */
        boolean visit(long index, byte[] value);
    }
}
