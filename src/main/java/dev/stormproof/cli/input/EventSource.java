package dev.stormproof.cli.input;

import java.io.IOException;

/** A source hands out the events that a command emits, in order. */
public interface EventSource {
    void forEach(Visitor visitor) throws IOException;

    /** The name of the events, for people. */
    String title();

    /** The name of one event, for people: {@code line}, for instance. */
    String unit();

    interface Visitor {
        /** Takes the event at {@code index}, from 0; returns false to end the visit. */
        boolean visit(long index, byte[] value);
    }

    /** A source that knows how many events it has, and hands them out as often as asked. */
    interface Counted extends EventSource {
        long count();
    }
}
