package dev.stormproof.verify.fold;

import java.util.ArrayList;
import java.util.List;

/**
 * The checkpoints before a partition's progress whose streams owe the next one: where each lies, or where to begin to look for
 * them, if they are too many to be named.
 *
 * @param offsets where they lie, ascending; empty if they are to be looked for
 * @param since the offset from which on they are looked for; {@link #NAMED} if each is named
 */
public record Promises(List<Long> offsets, long since) {
    /** The {@code since} of promises that are all named. */
    public static final long NAMED = -1;

    /** No stream owes anything. */
    public static final Promises NONE = new Promises(List.of(), NAMED);

    public Promises {
        offsets = List.copyOf(offsets);
        if (since != NAMED && !offsets.isEmpty()) {
            throw new IllegalArgumentException("named " + offsets + ", and looked for since " + since);
        }
    }

    /** Promises that are all named. */
    public static Promises at(List<Long> offsets) {
        return new Promises(offsets, NAMED);
    }

    /** Promises that are found in the log from an offset on. */
    public static Promises since(long offset) {
        return new Promises(List.of(), offset);
    }

    /** The same with at most so many names: if there are more, they are to be looked for. */
    public Promises named(int most) {
        return offsets.size() <= most ? this : since(offsets.get(0));
    }

    /** These and others. */
    Promises and(Promises others) {
        List<Long> all = new ArrayList<>(offsets);
        all.addAll(others.offsets);
        all.sort(null);
        if (since == NAMED && others.since == NAMED) {
            return at(all.stream().distinct().toList());
        }
        long lowest = since == NAMED ? others.since : others.since == NAMED ? since : Math.min(since, others.since);
        return since(all.isEmpty() ? lowest : Math.min(lowest, all.get(0)));
    }

    boolean isEmpty() {
        return offsets.isEmpty() && since == NAMED;
    }
}
