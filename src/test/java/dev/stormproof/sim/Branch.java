package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.sim.HistoricLog.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The records of a log in the order of their offsets, as it is or as it was before an unclean election. */
final class Branch {
    private final List<Entry> entries = new ArrayList<>();
    private final Map<Long, List<Entry>> byEmitter = new HashMap<>();

    /** The same records in a branch of their own. */
    Branch copy() {
        Branch copy = new Branch();
        entries.forEach(copy::append);
        return copy;
    }

    void append(Entry entry) {
        entries.add(entry);
        emitterOf(entry.record)
                .ifPresent(emitter -> byEmitter
                        .computeIfAbsent(emitter, first -> new ArrayList<>())
                        .add(entry));
    }

    /** Drops everything from an offset on; returns it. */
    List<Entry> truncate(long offset) {
        List<Entry> tail = entries.subList(indexOf(offset), entries.size());
        List<Entry> gone = List.copyOf(tail);
        tail.clear();
        byEmitter.values().forEach(stream -> stream.removeIf(entry -> entry.offset() >= offset));
        return gone;
    }

    int size() {
        return entries.size();
    }

    Entry at(int index) {
        return entries.get(index);
    }

    /** What lies at an offset; null if nothing does. */
    @Nullable
    Entry get(long offset) {
        int index = indexOf(offset);
        return index < entries.size() && at(index).offset() == offset ? at(index) : null;
    }

    /** Where the first record at or behind an offset stands; behind the last one if there is none. */
    int indexOf(long offset) {
        int low = 0;
        int high = entries.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle).offset() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** All records, whether or not readers could see them. */
    List<Entry> entries() {
        return entries;
    }

    /** What readers saw of it in [from, to), in order. */
    Iterable<Entry> visible(long from, long to) {
        return () -> new Visible(entries, indexOf(from), to);
    }

    /** What readers saw of one stream, in order. */
    Iterable<Entry> visibleOf(long emitter) {
        List<Entry> stream = byEmitter.getOrDefault(emitter, List.of());
        return () -> new Visible(stream, 0, Long.MAX_VALUE);
    }

    private static OptionalLong emitterOf(LogRecord record) {
        if (record instanceof Event event) {
            return OptionalLong.of(event.emitter());
        }
        return record instanceof CheckpointRecord checkpoint
                ? OptionalLong.of(checkpoint.checkpoint().stream().emitter())
                : OptionalLong.empty();
    }

    private static final class Visible implements Iterator<Entry> {
        private final List<Entry> entries;
        private final long to;
        private int next;

        Visible(List<Entry> entries, int next, long to) {
            this.entries = entries;
            this.next = next;
            this.to = to;
        }

        @Override
        public boolean hasNext() {
            while (next < entries.size() && entries.get(next).visibleAtMillis < 0) {
                next++;
            }
            return next < entries.size() && entries.get(next).offset() < to;
        }

        @Override
        public Entry next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return entries.get(next++);
        }
    }
}
