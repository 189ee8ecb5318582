package dev.stormproof.cli.input;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The candidates for an event are keys and values as they were serialized, each with its place. */
public interface Candidates {
    /** Hands over each of them, until the visitor has enough. */
    void forEach(Visitor visitor) throws IOException;

    /** Takes a candidate; false if it wants no more. */
    interface Visitor {
        boolean visit(String place, byte @Nullable [] key, byte @Nullable [] value);
    }
}
