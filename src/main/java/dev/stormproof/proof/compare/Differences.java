package dev.stormproof.proof.compare;

import dev.stormproof.proof.compare.Difference.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A collection of the differences between two logs: the first {@value #MOST_NAMED} with their offsets, and the number of all.
 *
 * <p>Neighbours of one kind are one range.
 */
public final class Differences {
    public static final int MOST_NAMED = 1_000;

    private final boolean sourceBeganLate;
    private final boolean targetBeganLate;
    private final List<Difference> named = new ArrayList<>();
    private final Map<Kind, Long> records = new EnumMap<>(Kind.class);
    private @Nullable Difference last;
    private long same;

    /**
     * @param sourceBeganLate true if the source no longer holds its beginning
     * @param targetBeganLate true if the target no longer holds its
     */
    Differences(boolean sourceBeganLate, boolean targetBeganLate) {
        this.sourceBeganLate = sourceBeganLate;
        this.targetBeganLate = targetBeganLate;
    }

    /** The first ranges, by their places in the logs. */
    public List<Difference> named() {
        List<Difference> all = new ArrayList<>(named);
        if (last != null && all.size() < MOST_NAMED) {
            all.add(last);
        }
        return all;
    }

    public long records(Kind kind) {
        return records.getOrDefault(kind, 0L);
    }

    /** How many records are the same in both logs, in order. */
    public long same() {
        return same;
    }

    void pair() {
        same++;
        close();
    }

    /** Records of the source that are missing in the target, at an offset there. */
    void missing(long begin, long end, long target, long count) {
        add(same == 0 && targetBeganLate ? Kind.EXPIRED_AT_TARGET : Kind.MISSING, begin, end, target, target, count);
    }

    /** Records of the target that are missing in the source, at an offset there. */
    void extra(long source, long begin, long end, long count) {
        add(same == 0 && sourceBeganLate ? Kind.EXPIRED_AT_SOURCE : Kind.EXTRA, source, source, begin, end, count);
    }

    void altered(long source, long target) {
        add(Kind.ALTERED, source, source + 1, target, target + 1, 1);
    }

    void reordered(long source, long target) {
        add(Kind.REORDERED, source, source + 1, target, target + 1, 1);
    }

    private void add(Kind kind, long source, long sourceEnd, long target, long targetEnd, long count) {
        if (count == 0) {
            return;
        }
        records.merge(kind, count, Long::sum);
        Difference before = last;
        if (before != null && before.kind() == kind && kind != Kind.REORDERED) {
            last = new Difference(
                    kind, before.source(), sourceEnd, before.target(), targetEnd, before.records() + count);
            return;
        }
        close();
        last = new Difference(kind, source, sourceEnd, target, targetEnd, count);
    }

    private void close() {
        if (last != null && named.size() < MOST_NAMED) {
            named.add(last);
        }
        last = null;
    }
}
