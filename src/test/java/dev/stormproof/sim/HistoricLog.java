package dev.stormproof.sim;

import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.log.PartitionReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a log: transactions, retention and unclean elections; and everything that it ever held, for the oracle.
 *
 * <p>Readers see what is committed, up to the first record of an open transaction.
 */
final class HistoricLog implements PartitionReader {
    /** A record and what is known of it. */
    static final class Entry {
        final LogRecord record;
        final Shipment shipment;
        final int leaderEpoch;
        /** Its time, by the broker's clock or the producer's. */
        final long timeMillis;
        /** When readers could see it first, in milliseconds; -1 while they cannot. */
        long visibleAtMillis = -1;

        boolean aborted;

        Entry(LogRecord record, Shipment shipment, int leaderEpoch, long timeMillis) {
            this.record = record;
            this.shipment = shipment;
            this.leaderEpoch = leaderEpoch;
            this.timeMillis = timeMillis;
        }

        long offset() {
            return record.offset();
        }
    }

    private final NavigableMap<Long, Entry> entries = new TreeMap<>();
    private final List<NavigableMap<Long, Entry>> cutBranches = new ArrayList<>();
    private final List<Long> begins = new ArrayList<>(List.of(0L));
    private final Map<Integer, Long> openSince = new HashMap<>();
    private final Set<Integer> aborted = new HashSet<>();
    private final Map<Integer, List<Entry>> byTransaction = new HashMap<>();
    private final Set<Integer> ended = new HashSet<>();
    private long end;
    private long seenUpTo;
    private int epoch = 3;
    private final TreeMap<Integer, Long> startByEpoch = new TreeMap<>(Map.of(3, 0L));
    private @Nullable Runnable beforeRead;
    private long recordsRead;

    /** Appends a record; one that comes behind the end of its transaction is lost if that was aborted. */
    void append(Shipment shipment, LogRecord record, long timeMillis, long nowMillis) {
        int transaction = shipment.transaction();
        if (transaction != 0 && aborted.contains(transaction)) {
            return;
        }
        Entry entry = new Entry(record, shipment, epoch, timeMillis);
        entries.put(end, entry);
        if (transaction != 0 && !ended.contains(transaction)) {
            openSince.putIfAbsent(transaction, end);
            byTransaction
                    .computeIfAbsent(transaction, first -> new ArrayList<>())
                    .add(entry);
        }
        end++;
        reveal(nowMillis);
    }

    /** Takes offsets that no reader ever sees a record at, as those of aborted transactions. */
    void skip(int offsets, long nowMillis) {
        end += offsets;
        reveal(nowMillis);
    }

    /** How many records it has, visible or not, expired or not. */
    int size() {
        return entries.size();
    }

    /** How many records auditors were handed so far. */
    @Override
    public long recordsRead() {
        return recordsRead;
    }

    void endTransaction(int transaction, boolean commit, long nowMillis) {
        if (!ended.add(transaction)) {
            return;
        }
        if (!commit) {
            aborted.add(transaction);
            byTransaction.getOrDefault(transaction, List.of()).forEach(entry -> entry.aborted = true);
        }
        openSince.remove(transaction);
        end++;
        reveal(nowMillis);
    }

    /** Retention: forgets everything before an offset. */
    void expireBefore(long offset) {
        long now = Math.max(beginOffset(), Math.min(offset, endOffset()));
        if (now > beginOffset()) {
            begins.add(now);
        }
    }

    /** The topic is deleted: nothing of it can be read any more. */
    void delete() {
        openSince.clear();
        long deleted = end;
        for (NavigableMap<Long, Entry> branch : cutBranches) {
            deleted = branch.isEmpty() ? deleted : Math.max(deleted, branch.lastKey() + 1);
        }
        begins.add(deleted);
    }

    /** An unclean election: everything from an offset on is gone; returns it. */
    List<Entry> cut(long offset) {
        long from = Math.max(offset, beginOffset());
        cutBranches.add(new TreeMap<>(entries));
        NavigableMap<Long, Entry> tail = entries.tailMap(from, true);
        List<Entry> gone = new ArrayList<>(tail.values());
        tail.clear();
        end = from;
        seenUpTo = Math.min(seenUpTo, end);
        elect();
        return gone;
    }

    /** A clean election. */
    void elect() {
        epoch++;
        // An epoch that wrote nothing leaves no trace in the log.
        startByEpoch.values().removeIf(start -> start >= end);
        startByEpoch.put(epoch, end);
    }

    boolean hasOpenTransactions() {
        return !openSince.isEmpty();
    }

    /** The record at an offset; null if there is none. */
    @Nullable
    LogRecord at(long offset) {
        Entry entry = entries.get(offset);
        return entry == null ? null : entry.record;
    }

    /** What readers see in [from, to), also of what expired. */
    Collection<Entry> visible(long from, long to) {
        return visible(entries, from, Math.min(to, endOffset()));
    }

    static List<Entry> visible(NavigableMap<Long, Entry> branch, long from, long to) {
        List<Entry> visible = new ArrayList<>();
        if (from < to) {
            for (Entry entry : branch.subMap(from, to).values()) {
                if (entry.visibleAtMillis >= 0) {
                    visible.add(entry);
                }
            }
        }
        return visible;
    }

    /** The first record that readers see at or behind an offset. */
    @Nullable
    Entry next(long offset) {
        for (Entry entry : entries.tailMap(offset, true).values()) {
            if (entry.offset() >= endOffset()) {
                return null;
            }
            if (entry.visibleAtMillis >= 0) {
                return entry;
            }
        }
        return null;
    }

    /** The log as it is, then as it was before each cut, the latest first. */
    List<NavigableMap<Long, Entry>> branches() {
        List<NavigableMap<Long, Entry>> all = new ArrayList<>();
        all.add(entries);
        for (int i = cutBranches.size() - 1; i >= 0; i--) {
            all.add(cutBranches.get(i));
        }
        return all;
    }

    /** Where the log ever began. */
    List<Long> begins() {
        return begins;
    }

    /** What happens before each read of an auditor. */
    void beforeRead(@Nullable Runnable event) {
        beforeRead = event;
    }

    /** The offset of the next record. */
    long rawEndOffset() {
        return end;
    }

    /** Where the records of a leader epoch, and of those before it, end. A transaction marker begins an epoch, too. */
    long endOffsetOfEpoch(int leaderEpoch) {
        Map.Entry<Integer, Long> next = startByEpoch.higherEntry(leaderEpoch);
        return next == null ? end : next.getValue();
    }

    @Override
    public long endOffsetOfEpoch(long offset, int leaderEpoch) {
        return Math.min(offset, Math.max(beginOffset(), endOffsetOfEpoch(leaderEpoch)));
    }

    @Override
    public long beginOffset() {
        return begins.get(begins.size() - 1);
    }

    /** The last stable offset. */
    @Override
    public long endOffset() {
        long stable = end;
        for (long since : openSince.values()) {
            stable = Math.min(stable, since);
        }
        return stable;
    }

    @Override
    public long offsetForTime(long millis) {
        for (Entry entry : visible(beginOffset(), Long.MAX_VALUE)) {
            if (entry.timeMillis >= millis) {
                return entry.offset();
            }
        }
        return endOffset();
    }

    @Override
    public void scan(long from, long to, Taker taker) throws ExpiredRangeException {
        if (beforeRead != null) {
            beforeRead.run();
        }
        if (from < beginOffset()) {
            throw new ExpiredRangeException("offset " + from + " is before " + beginOffset());
        }
        for (Entry entry : visible(from, to)) {
            recordsRead++;
            if (!taker.take(entry.record, entry.leaderEpoch, entry.timeMillis, () -> OutputTopic.contentOf(entry))) {
                return;
            }
        }
    }

    private void reveal(long nowMillis) {
        long stable = endOffset();
        if (seenUpTo < stable) {
            for (Entry entry : entries.subMap(seenUpTo, stable).values()) {
                if (!entry.aborted && entry.visibleAtMillis < 0) {
                    entry.visibleAtMillis = nowMillis;
                }
            }
            seenUpTo = stable;
        }
    }
}
