package dev.stormproof.verify.feed;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The leaders of one partition by their epochs, and where each began to write; the newest {@value #MOST} of those that are known.
 *
 * <p>As text, ascending: {@code 959/5,1001/6}. Whoever reads that text may have fetched records that were cut off since: a leader's record lies
 * before the one from which the next leader wrote on.
 *
 * @param epochByBegin the epochs, which grow with the offsets
 */
public record Leaders(NavigableMap<Long, Integer> epochByBegin) {
    public static final int MOST = 16;

    /** Those of a partition of which nothing is known. */
    public static final Leaders NONE = new Leaders(new TreeMap<>());

    /** The epoch of a leader of whom nothing is known. */
    public static final int NO_EPOCH = -1;

    private static final Pattern ONE = Pattern.compile("([0-9]{1,19})/([0-9]{1,10})(?:,|$)");

    public Leaders {
        TreeMap<Long, Integer> growing = new TreeMap<>();
        int last = NO_EPOCH;
        for (Map.Entry<Long, Integer> one : epochByBegin.entrySet()) {
            if (one.getValue() > last) {
                last = one.getValue();
                growing.put(Math.max(0, one.getKey()), last);
            }
        }
        while (growing.size() > MOST) {
            growing.pollFirstEntry();
        }
        epochByBegin = Collections.unmodifiableNavigableMap(growing);
    }

    /** These as they were, and then those that were seen later, from their first one on; the latter alone if he is earlier than these. */
    public Leaders followedBy(Leaders later) {
        if (later.epochByBegin.isEmpty()) {
            return this;
        }
        Map.Entry<Long, Integer> first = later.epochByBegin.firstEntry();
        TreeMap<Long, Integer> all = new TreeMap<>(epochByBegin.headMap(first.getKey(), false));
        // Epochs grow along a log: the log of those before is gone from somewhere on.
        if (!all.isEmpty() && all.lastEntry().getValue() > first.getValue()) {
            all.clear();
        }
        all.putAll(later.epochByBegin);
        return new Leaders(all);
    }

    /** Of whom alone the last is known, who wrote from an offset on or before; {@link #NONE} if he is not. */
    public static Leaders of(long begin, int epoch) {
        return epoch == NO_EPOCH ? NONE : new Leaders(new TreeMap<>(Map.of(begin, epoch)));
    }

    /**
     * These, if one of them wrote the record at an offset; else the one who did alone, or {@link #NONE} if it is unknown who did. Behind that
     * record a later one may have written what nobody reads.
     */
    public Leaders agreeingWith(long offset, int epoch) {
        return epochByBegin.containsValue(epoch) ? this : of(offset, epoch);
    }

    /** Those of them that begin before an offset. */
    public Leaders before(long offset) {
        return new Leaders(new TreeMap<>(epochByBegin.headMap(offset, false)));
    }

    /** Those before the last of them. */
    public Leaders beforeLast() {
        return epochByBegin.isEmpty() ? this : before(epochByBegin.lastKey());
    }

    /** Where the first of them begins that is later than an epoch; {@link Long#MAX_VALUE} if none is. */
    public long beginBehind(int epoch) {
        for (Map.Entry<Long, Integer> leader : epochByBegin.entrySet()) {
            if (leader.getValue() > epoch) {
                return leader.getKey();
            }
        }
        return Long.MAX_VALUE;
    }

    /** The epoch of the last of them; {@link #NO_EPOCH} if there is none. */
    public int last() {
        return epochByBegin.isEmpty() ? NO_EPOCH : epochByBegin.lastEntry().getValue();
    }

    /** True if a record lies where another leader than its own wrote, as far as both are known. */
    public boolean haveCutOff(long offset, int epoch) {
        Map.@Nullable Entry<Long, Integer> there = epochByBegin.floorEntry(offset);
        return there != null && epoch != NO_EPOCH && epoch != there.getValue();
    }

    /** Reads the text; {@link #NONE} if it is another one. */
    public static Leaders ofText(String text) {
        TreeMap<Long, Integer> found = new TreeMap<>();
        Matcher one = ONE.matcher(text);
        int end = 0;
        try {
            while (one.find() && one.start() == end) {
                found.put(Long.parseLong(one.group(1)), Integer.parseInt(one.group(2)));
                end = one.end();
            }
        } catch (NumberFormatException e) {
            return NONE;
        }
        return end == text.length() ? new Leaders(found) : NONE;
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(",");
        epochByBegin.forEach((begin, epoch) -> text.add(begin + "/" + epoch));
        return text.toString();
    }
}
