package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.judge.StrayRecord;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The groups of a partition's unattributed records: those of one kind that were written within a second are one finding.
 *
 * <pre>
 *   first record of a kind ──────────────────────────────► OPEN    progress does not pass it
 *   OPEN ──another one, written less than a second later─► OPEN
 *        ──any record, written a second later or more────► found
 *        ──nothing for {@value #HOLD_MILLIS} ms, or the end of the log──► found
 * </pre>
 *
 * <p>The times are those of the records, so that every reader that begins before a group finds the same one. A record with an earlier time
 * than the first is in the group that is open; one without a time is a finding of its own. Owned by one thread.
 */
final class UnattributedGroups {
    /** The times of a group's records differ by less than this. */
    static final long SPAN_MILLIS = 1_000;

    /** How long a group waits for a record of a later time. */
    static final long HOLD_MILLIS = 3_000;

    private static final long UNKNOWN = -1;

    private final Map<UnattributedRecord.Kind, Group> open = new EnumMap<>(UnattributedRecord.Kind.class);
    private final Consumer<StrayRecord> found;

    private static final class Group {
        private StrayRecord records;
        private long sinceMillis = UNKNOWN;

        Group(StrayRecord first) {
            records = first;
        }

        boolean isOver(long writtenMillis) {
            return writtenMillis - records.writtenMillis() >= SPAN_MILLIS;
        }
    }

    /** @param found takes each group when it is complete */
    UnattributedGroups(Consumer<StrayRecord> found) {
        this.found = found;
    }

    void add(StrayRecord record) {
        Group group = open.get(record.kind());
        if (group != null && group.isOver(record.writtenMillis())) {
            close(record.kind());
            group = null;
        }
        if (record.writtenMillis() == LogRecord.NO_TIME) {
            found.accept(record);
        } else if (group == null) {
            open.put(record.kind(), new Group(record));
        } else {
            group.records = group.records.and(record);
        }
    }

    void passed(LogRecord record) {
        if (!open.isEmpty()) {
            open.values().removeIf(group -> group.isOver(record.writtenMillis()) && handed(group));
        }
    }

    void tick(long nowMillis) {
        open.values().removeIf(group -> {
            group.sinceMillis = group.sinceMillis == UNKNOWN ? nowMillis : group.sinceMillis;
            return nowMillis - group.sinceMillis >= HOLD_MILLIS && handed(group);
        });
    }

    /** Hands over all groups: no record follows. */
    void end() {
        open.values().removeIf(this::handed);
    }

    /** Forgets the groups, whose records are read again. */
    void clear() {
        open.clear();
    }

    /** The first record of an open group; {@link Long#MAX_VALUE} if there is none. */
    long firstOffset() {
        long first = Long.MAX_VALUE;
        for (Group group : open.values()) {
            first = Math.min(first, group.records.offset());
        }
        return first;
    }

    private void close(UnattributedRecord.Kind kind) {
        Group group = open.remove(kind);
        if (group != null) {
            found.accept(group.records);
        }
    }

    private boolean handed(Group group) {
        found.accept(group.records);
        return true;
    }
}
