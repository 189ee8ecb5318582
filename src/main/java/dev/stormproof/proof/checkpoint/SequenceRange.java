package dev.stormproof.proof.checkpoint;

import java.io.Serializable;

/** The sequences [begin, end) of a stream, at least one. */
public record SequenceRange(long begin, long end) implements Serializable {
    public SequenceRange {
        if (begin < 0 || end <= begin) {
            throw new IllegalArgumentException("[" + begin + ", " + end + ")");
        }
    }

    public long count() {
        return end - begin;
    }

    public boolean contains(long sequence) {
        return begin <= sequence && sequence < end;
    }

    @Override
    public String toString() {
        return "[" + begin + ", " + end + ")";
    }
}
