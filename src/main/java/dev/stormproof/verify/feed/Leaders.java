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
 * The newest {@value #MOST} known leaders of one partition by their epochs, and where each began to write.
 *
 * <p>As text, ascending: {@code 959/5,1001/6}. A reader of that text may have fetched records that were truncated since: a
 * leader's record is before the first one of the next leader.
 *
 * @param epochByBegin the epochs, which grow with the offsets
 */
public record Leaders(NavigableMap<Long, Integer> epochByBegin) {
    public static final int MOST = 16;

    public static final Leaders NONE = new Leaders(new TreeMap<>());

    /** The epoch of an unknown leader. */
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

    /** These leaders up to the first one that was seen later, and then the later ones; only those if their first epoch is lower. */
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

    /** A single leader that wrote at an offset; {@link #NONE} if its epoch is unknown. */
    public static Leaders of(long begin, int epoch) {
        return epoch == NO_EPOCH ? NONE : new Leaders(new TreeMap<>(Map.of(begin, epoch)));
    }

    /**
     * These, if one of them wrote the record at an offset; else its leader alone, or {@link #NONE} if that is unknown. A later
     * leader may have written records after it that are never read.
     */
    public Leaders agreeingWith(long offset, int epoch) {
        return epochByBegin.containsValue(epoch) ? this : of(offset, epoch);
    }

    /** The leaders that begin before an offset. */
    public Leaders before(long offset) {
        return new Leaders(new TreeMap<>(epochByBegin.headMap(offset, false)));
    }

    /** The leaders before the last one. */
    public Leaders beforeLast() {
        return epochByBegin.isEmpty() ? this : before(epochByBegin.lastKey());
    }

    /** Where the first leader of a higher epoch begins; {@link Long#MAX_VALUE} if there is none. */
    public long beginBehind(int epoch) {
        for (Map.Entry<Long, Integer> leader : epochByBegin.entrySet()) {
            if (leader.getValue() > epoch) {
                return leader.getKey();
            }
        }
        return Long.MAX_VALUE;
    }

    /** The epoch of the last leader; {@link #NO_EPOCH} if there is none. */
    public int last() {
        return epochByBegin.isEmpty() ? NO_EPOCH : epochByBegin.lastEntry().getValue();
    }

    /** True if another leader wrote at a record's offset, as far as both are known. */
    public boolean haveCutOff(long offset, int epoch) {
        Map.@Nullable Entry<Long, Integer> there = epochByBegin.floorEntry(offset);
        return there != null && epoch != NO_EPOCH && epoch != there.getValue();
    }

    /** Reads the text form; {@link #NONE} if the text is malformed. */
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
