package dev.stormproof.cli;

import java.io.IOException;

/** A source holds the events that a command emits, and hands them out in order, as often as asked. */
interface EventSource extends AutoCloseable {
    long count();

    void forEach(Visitor visitor) throws IOException;

    /** The name of the events, for people. */
    String title();

    /** The name of one event, for people: {@code line}, for instance. */
    String unit();

    @Override
    default void close() throws IOException {}

    interface Visitor {
        /** Takes the event at {@code index}, from 0; returns false to end the visit. */
        boolean visit(long index, byte[] value);
    }
}
