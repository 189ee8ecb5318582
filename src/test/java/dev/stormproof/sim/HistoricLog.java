package dev.stormproof.sim;

import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.EpochEnd;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
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
        private final long offset;
        final Shipment shipment;
        final int leaderEpoch;
        /** Its time, by the broker's clock or the producer's. */
        final long timeMillis;
        /** When readers could see it first, in milliseconds; -1 while they cannot. */
        long visibleAtMillis = -1;

        boolean aborted;

        Entry(LogRecord record, Shipment shipment, int leaderEpoch, long timeMillis) {
            this.record = record;
            this.offset = record.offset();
            this.shipment = shipment;
            this.leaderEpoch = leaderEpoch;
            this.timeMillis = timeMillis;
        }

        long offset() {
            return offset;
        }
    }

    private final Branch entries = new Branch();
    private final List<Branch> cutBranches = new ArrayList<>();
    /** What a replica that is away has of the log, each as of a cut. */
    private final List<Replica> replicas = new ArrayList<>();
    /** Before this the log never was another one than it is, but for what was cut off. */
    private long firstParting = Long.MAX_VALUE;

    private long partedAt;
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

    private record Replica(Branch entries, long end, TreeMap<Integer, Long> startByEpoch) {}

    /** Appends a record; one that comes behind the end of its transaction is lost if that was aborted. */
    void append(Shipment shipment, LogRecord record, long timeMillis, long nowMillis) {
        int transaction = shipment.transaction();
        if (transaction != 0 && aborted.contains(transaction)) {
            return;
        }
        Entry entry = new Entry(record, shipment, epoch, timeMillis);
        entries.append(entry);
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

    /** How many checkpoints readers see in it, expired or not. */
    long checkpoints() {
        long count = 0;
        for (Entry entry : entries.visible(0, Long.MAX_VALUE)) {
            count += entry.record instanceof CheckpointRecord ? 1 : 0;
        }
        return count;
    }

    long recordsRead() {
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
        for (Branch branch : cutBranches) {
            deleted = branch.size() == 0
                    ? deleted
                    : Math.max(deleted, branch.at(branch.size() - 1).offset() + 1);
        }
        begins.add(deleted);
    }

    /** An unclean election: everything from an offset on is gone; returns it. */
    List<Entry> cut(long offset) {
        long from = Math.max(offset, beginOffset());
        keepBranch();
        List<Entry> gone = entries.truncate(from);
        end = from;
        partedAt = from;
        seenUpTo = Math.min(seenUpTo, end);
        elect();
        return gone;
    }

    private void keepBranch() {
        Branch branch = entries.copy();
        cutBranches.add(branch);
        replicas.add(new Replica(branch, end, new TreeMap<>(startByEpoch)));
    }

    /** How many logs there are that {@link #comeBack} may bring back. */
    int replicas() {
        return replicas.size();
    }

    /**
     * An unclean election of a replica that was away since a cut, and still has the log as it was then; returns what is gone.
     *
     * @param which of them, the latest last
     */
    List<Entry> comeBack(int which) {
        Replica replica = replicas.get(which);
        long parting = parting(replica);
        keepBranch();
        List<Entry> gone = entries.truncate(parting);
        for (int i = replica.entries().indexOf(parting); i < replica.entries().size(); i++) {
            entries.append(replica.entries().at(i));
        }
        end = Math.max(replica.end(), beginOffset());
        seenUpTo = end;
        partedAt = parting;
        firstParting = Math.min(firstParting, parting);
        startByEpoch.clear();
        startByEpoch.putAll(replica.startByEpoch());
        elect();
        return gone;
    }

    /** The first offset at which a replica's log is not this one. */
    private long parting(Replica replica) {
        Branch other = replica.entries();
        int i = 0;
        while (i < entries.size() && i < other.size() && entries.at(i) == other.at(i)) {
            i++;
        }
        long here = i < entries.size() ? entries.at(i).offset() : end;
        long there = i < other.size() ? other.at(i).offset() : replica.end();
        return Math.min(here, there);
    }

    /** True if a replica ever came back. */
    boolean cameBack() {
        return firstParting < Long.MAX_VALUE;
    }

    /** Where the log last became another one. */
    long partedAt() {
        return partedAt;
    }

    /** Up to where the log is certainly the one that a leader wrote, and those before it. */
    long keptOf(int leaderEpoch) {
        long kept = endOffsetOfEpoch(leaderEpoch);
        return startByEpoch.containsKey(leaderEpoch) ? kept : Math.min(kept, firstParting);
    }

    /** A clean election. */
    void elect() {
        epoch++;
        // An epoch that wrote nothing leaves no trace in the log.
        startByEpoch.values().removeIf(start -> start >= end);
        startByEpoch.put(epoch, end);
    }

    int leaderEpoch() {
        return epoch;
    }

    boolean hasOpenTransactions() {
        return !openSince.isEmpty();
    }

    /** What readers see in [from, to), also of what expired. */
    Iterable<Entry> visible(long from, long to) {
        return entries.visible(from, Math.min(to, endOffset()));
    }

    /** The first record that readers see at or behind an offset. */
    @Nullable
    Entry next(long offset) {
        Iterator<Entry> visible = visible(offset, Long.MAX_VALUE).iterator();
        return visible.hasNext() ? visible.next() : null;
    }

    /** Where the last record lies that readers see; -1 if they see none. */
    long lastVisible() {
        long stable = endOffset();
        for (int i = entries.size() - 1; i >= 0 && entries.at(i).offset() >= beginOffset(); i--) {
            if (entries.at(i).offset() < stable && entries.at(i).visibleAtMillis >= 0) {
                return entries.at(i).offset();
            }
        }
        return -1;
    }

    /** The log as it is, then as it was before each cut, the latest first. */
    List<Branch> branches() {
        List<Branch> all = new ArrayList<>();
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
    public EpochEnd endOfEpoch(long offset, int leaderEpoch) {
        long end = Math.min(offset, Math.max(beginOffset(), endOffsetOfEpoch(leaderEpoch)));
        // What has expired leaves no trace but for the last of it.
        Map.Entry<Integer, Long> last = startByEpoch.floorEntry(leaderEpoch);
        boolean expired = last == null || endOffsetOfEpoch(last.getKey()) <= beginOffset();
        return new EpochEnd(expired ? leaderEpoch : last.getKey(), end);
    }

    @Override
    public Uuid topicId() {
        return Uuid.ZERO_UUID;
    }

    @Override
    public Bounds bounds() {
        return new Bounds(beginOffset(), endOffset(), endOffset());
    }

    @Override
    public long begin() {
        return beginOffset();
    }

    long beginOffset() {
        return begins.get(begins.size() - 1);
    }

    /** The last stable offset. */
    long endOffset() {
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
    public long scan(long from, long to, Taker taker) throws ExpiredRangeException {
        if (beforeRead != null) {
            beforeRead.run();
        }
        if (from < beginOffset()) {
            throw new ExpiredRangeException("offset " + from + " is before " + beginOffset());
        }
        for (Entry entry : visible(from, to)) {
            recordsRead++;
            if (!taker.take(entry.record, entry.leaderEpoch, entry.timeMillis, () -> OutputTopic.contentOf(entry))) {
                break;
            }
        }
        return 0;
    }

    private void reveal(long nowMillis) {
        long stable = endOffset();
        if (seenUpTo < stable) {
            for (int i = entries.indexOf(seenUpTo);
                    i < entries.size() && entries.at(i).offset() < stable;
                    i++) {
                Entry entry = entries.at(i);
                if (!entry.aborted && entry.visibleAtMillis < 0) {
                    entry.visibleAtMillis = nowMillis;
                }
            }
            seenUpTo = stable;
        }
    }
}
