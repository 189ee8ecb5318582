package dev.stormproof.evidence.notary;

import dev.stormproof.evidence.notary.NotesFinding.Kind;
import dev.stormproof.proof.compare.Difference;
import dev.stormproof.proof.compare.Differences;
import dev.stormproof.proof.compare.LogComparison;
import dev.stormproof.proof.compare.RecordLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares a log with its notes, interval by interval: the tree of one note and the leaves that the log has now must make the root of the next
 * note.
 *
 * <pre>
 *   notes   ──0────────1──────────────2───────3        each with the peaks of its tree
 *   log       [from, next) of 1  …                    peaks of 0 + leaves = root of 1?   unaltered
 *                                                     not: leaves that were kept name each record; else the interval is named
 * </pre>
 *
 * <p>So each interval is decided without those before it. Used once, by one thread.
 */
public final class NotesCheck {
    private static final int HASH_BYTES = NotedTree.HASH_BYTES;

    private final NoteChain chain;
    private final List<Note> notes;
    private final NotedLog log;
    private final KeptLeaves kept;
    private final LongConsumer progress;
    private final List<NotesFinding> findings = new ArrayList<>();
    private long unaltered;
    /** The note after whose interval nothing is left, and each lost record is reported. */
    private @Nullable Note endIsNamed;

    /**
     * The result.
     *
     * @param findings in the order of the log
     * @param unaltered how many noted records the log has unaltered
     */
    public record Result(List<NotesFinding> findings, long unaltered) {
        public Result {
            findings = List.copyOf(findings);
        }

        /** True if the log or the chain of notes was altered. */
        public boolean isViolated() {
            return findings.stream().anyMatch(finding -> finding.kind().isViolation());
        }

        /** True if there are noted records, and all were compared. */
        public boolean isComplete() {
            return unaltered > 0 && findings.stream().allMatch(finding -> finding.kind() == Kind.NOT_NOTED_YET);
        }
    }

    /**
     * @param notes of one origin, in any order
     * @param progress takes the offset up to which the log was compared
     */
    public NotesCheck(List<Note> notes, NotedLog log, KeptLeaves kept, LongConsumer progress) {
        this(NoteChain.of(notes), log, kept, progress);
    }

    NotesCheck(NoteChain chain, NotedLog log, KeptLeaves kept, LongConsumer progress) {
        this.chain = chain;
        this.notes = chain.notes();
        this.log = log;
        this.kept = kept;
        this.progress = progress;
        chain.forks().forEach(fork -> addFork(fork.one(), fork.other()));
    }

    /** Compares the noted log itself, in which each record is at its offset. */
    public Result ofSameLog() {
        return behind(null, 0);
    }

    /** Compares the noted log after the first note, which is trusted as it is. */
    public Result afterFirstNote() {
        return behind(notes.get(0), 1);
    }

    private Result behind(@Nullable Note first, int begin) {
        Note before = first;
        for (int i = begin; i < notes.size(); i++) {
            Note note = notes.get(i);
            long validEnd = Math.min(note.state().next(), chain.cutAfter(i));
            before = interval(before, note, validEnd);
            progress.accept(note.state().next());
        }
        if (before != null) {
            tail(before);
        }
        return new Result(findings, unaltered);
    }

    private void addFork(Note one, Note other) {
        add(Kind.FORKED, one.state().from(), other.state().next(), one.head().size(), -1, one, other);
    }

    private static boolean isFork(Note before, Note note) {
        long size = before.head().size();
        boolean replaced = note.head().size() == size && !note.root().equals(before.root());
        return note.head().size() < size || replaced;
    }

    private void fork(Note before, Note note) {
        NoteState state = note.state();
        add(Kind.FORKED, state.from(), state.next(), state.size(), -1, before, note);
    }

    private Note interval(@Nullable Note before, Note note, long validEnd) {
        NoteState state = note.state();
        if (before == null && state.number() > 0) {
            if (state.size() > 0) {
                add(Kind.NOTES_MISSING, state.begin(), state.next(), 0, state.size(), null, note);
            }
            return note;
        }
        long next = before == null ? state.begin() : before.state().next();
        long size = before == null ? 0 : before.head().size();
        boolean follows = before == null || state.number() == before.state().number() + 1;
        if (before != null && isFork(before, note)) {
            fork(before, note);
            return note;
        }
        if (!follows) {
            add(Kind.NOTES_MISSING, next, state.next(), size, -1, before, note);
        } else if (state.from() < next) {
            if (before == null || !before.equals(endIsNamed)) {
                add(Kind.TRUNCATED, state.from(), next, -1, -1, chain.lastUpTo(state.from(), note), note);
            }
        } else if (state.from() > next) {
            add(Kind.NEVER_NOTED, next, state.from(), size, -1, before, note);
        }
        long from = follows ? state.from() : next;
        NotedTree tree = before == null ? new NotedTree() : before.state().tree();
        if (state.size() > size) {
            compare(tree, before, note, from, validEnd);
        }
        return note;
    }

    private void compare(NotedTree tree, @Nullable Note before, Note note, long from, long validEnd) {
        long size = tree.size();
        long next = note.state().next();
        long readFrom = Math.max(from, log.begin());
        long readTo = Math.min(validEnd, log.end());
        long records = note.head().size() - size;
        if (validEnd <= log.begin()) {
            add(Kind.EXPIRED, from, next, size, records, before, note);
            return;
        }
        if (readFrom >= readTo) {
            return; // All of it was cut off, which is reported at the cut or at the end.
        }
        boolean whole = readFrom == from && readTo == next;
        UnreadLeaves unread = new UnreadLeaves();
        if (whole && isUnaltered(new NotedTree(tree), note, from, next, unread)) {
            addUnaltered(records, unread, before, note);
            return;
        }
        if (isKept(tree, note)) {
            long expired = readFrom - from;
            name(before, note, size, readFrom, readTo, expired, goneAfter(readTo < validEnd, next));
        } else if (whole) {
            add(Kind.DIFFERENT, from, next, size, records, before, note);
        } else {
            if (readFrom > from) {
                add(Kind.EXPIRED, from, readFrom, size, -1, before, note);
            }
            add(Kind.NOT_COMPARED, readFrom, readTo, size, -1, before, note);
        }
    }

    private boolean isUnaltered(NotedTree tree, Note note, long from, long to, UnreadLeaves unread) {
        log.read(from, to, (offset, hash, at) -> {
            unread.pass(offset, tree.size(), hash, at);
            tree.append(hash, at);
        });
        return tree.size() == note.head().size() && tree.root().equals(note.root());
    }

    /** The leaves of unread records among others. */
    private static final class UnreadLeaves {
        private long begin;
        private long end;
        private long leaf;
        private long count;

        void pass(long offset, long index, byte[] hash, int at) {
            if (RecordLeaf.isUnread(hash, at)) {
                if (count == 0) {
                    begin = offset;
                    leaf = index;
                }
                end = offset + 1;
                count++;
            }
        }
    }

    /** Adds noted records that the log has. Of unread ones among them, only the places are known to be unaltered. */
    private void addUnaltered(long records, UnreadLeaves unread, @Nullable Note before, Note note) {
        long most = Math.min(records, unread.count);
        unaltered += records;
        if (unread.count > 0) {
            unaltered -= most;
            add(Kind.UNREAD, unread.begin, unread.end, unread.leaf, unread.count, before, note);
        }
    }

    /** True if the notary kept the interval's leaves, and they are as noted. */
    private boolean isKept(NotedTree before, Note note) {
        NotedTree tree = new NotedTree(before);
        long end = note.head().size();
        while (tree.size() < end) {
            byte[] some = kept.leaves(tree.size(), Math.min(end, tree.size() + (1 << 16)));
            if (some == null) {
                return false;
            }
            for (int at = 0; at < some.length; at += HASH_BYTES) {
                tree.append(some, at);
            }
        }
        return tree.root().equals(note.root());
    }

    /**
     * Names the differences between the noted leaves from one of them and the log at [from, to).
     *
     * @param expired how many offsets there are from the leaf's to the begin of the log
     * @param goneAfter the kind of finding about what was noted later
     */
    private void name(@Nullable Note before, Note note, long leaf, long from, long to, long expired, Kind goneAfter) {
        Differences differences = new LogComparison(
                        PiecewiseLog.of(kept, leaf, note.head().size()), PiecewiseLog.of(log, from, to), offset -> {})
                .run();
        UnreadLeaves unread = new UnreadLeaves();
        log.read(from, to, (offset, hash, at) -> unread.pass(offset, -1, hash, at));
        addUnaltered(differences.same(), unread, before, note);
        boolean ended = to < note.state().next();
        new Naming(before, note, leaf, from, expired, ended ? note.head().size() - leaf : -1, goneAfter, -1, false)
                .add(differences);
    }

    private Kind goneAfter(boolean atEnd, long next) {
        return atEnd && log.writtenEnd() >= next ? Kind.HELD_BACK : Kind.TRUNCATED;
    }

    /** Makes findings of differences, which count from a leaf and from an offset. */
    private final class Naming {
        private final @Nullable Note before;
        private final Note note;
        private final long leaf;
        private final long offset;
        /** How many records may have expired: the first missing ones did. */
        private final long mostExpired;
        /** Records that are missing up to here were cut off, or are hidden; -1: none. */
        private final long cutTo;

        private final Kind cutKind;
        /** Records from here on are after the last note; -1: none. */
        private final long notedTo;
        /** True if there are unread records, which any record may replace. */
        private final boolean someUnread;

        Naming(
                @Nullable Note before,
                Note note,
                long leaf,
                long offset,
                long mostExpired,
                long cutTo,
                Kind cutKind,
                long notedTo,
                boolean someUnread) {
            this.before = before;
            this.note = note;
            this.leaf = leaf;
            this.offset = offset;
            this.mostExpired = mostExpired;
            this.cutTo = cutTo;
            this.cutKind = cutKind;
            this.notedTo = notedTo;
            this.someUnread = someUnread;
        }

        void add(Differences differences) {
            List<Difference> all = differences.named();
            if (isExpiredAlone(all)) {
                add(Kind.EXPIRED, 0, 0, 0, differences.records(Difference.Kind.MISSING));
                all.removeIf(one -> one.kind() == Difference.Kind.MISSING);
            }
            for (int i = 0; i < all.size(); i++) {
                Difference one = all.get(i);
                Difference other = i + 1 < all.size() ? all.get(i + 1) : null;
                if (other != null && isAltered(one, other)) {
                    boolean extraFirst = one.kind() == Difference.Kind.EXTRA;
                    Difference there = extraFirst ? one : other;
                    Difference noted = extraFirst ? other : one;
                    if (someUnread) {
                        addOneByOne(there, noted);
                    } else {
                        add(Kind.ALTERED, there.target(), there.targetEnd(), noted.source(), noted.records());
                    }
                    i++;
                } else {
                    add(one);
                }
            }
            if (all.size() == Differences.MOST_NAMED) {
                add(
                        Kind.DIFFERENT,
                        all.get(all.size() - 1).target(),
                        note.state().next() - offset,
                        0,
                        -1);
            }
        }

        /** True if the log has all noted records except so many of the first ones, whichever equal records were paired. */
        private boolean isExpiredAlone(List<Difference> all) {
            long gone = 0;
            for (Difference one : all) {
                if (one.kind() == Difference.Kind.MISSING) {
                    gone += one.records();
                } else if (one.kind() != Difference.Kind.EXTRA || one.source() != notedTo) {
                    return false;
                }
            }
            if (gone == 0 || gone > mostExpired || cutTo >= 0 || all.size() == Differences.MOST_NAMED) {
                return false;
            }
            RecordLog then = PiecewiseLog.of(kept, leaf + gone, note.head().size());
            RecordLog now = PiecewiseLog.of(log, offset, log.end());
            RecordLog.Entry was = then.next();
            while (was != null) {
                RecordLog.Entry is = now.next();
                if (is == null || !is.content().equals(was.content())) {
                    return false;
                }
                was = then.next();
            }
            return true;
        }

        private boolean isAltered(Difference one, Difference other) {
            return one.kind() != other.kind()
                    && isOneSided(one)
                    && isOneSided(other)
                    && (one.records() == other.records() || isFollowed(one, other))
                    && other.target() <= one.targetEnd()
                    && other.source() <= one.sourceEnd();
        }

        private boolean isFollowed(Difference one, Difference other) {
            boolean extraFirst = one.kind() == Difference.Kind.EXTRA;
            Difference there = extraFirst ? one : other;
            Difference noted = extraFirst ? other : one;
            return someUnread && noted.sourceEnd() == notedTo && there.records() > noted.records();
        }

        /** Distinguishes replaced records from unread ones, in both logs. */
        private void addOneByOne(Difference there, Difference noted) {
            RecordLog then = PiecewiseLog.of(kept, leaf + noted.source(), leaf + noted.sourceEnd());
            RecordLog now = PiecewiseLog.of(log, offset + there.target(), offset + there.targetEnd());
            Kind kind = Kind.UNREAD;
            long from = there.target();
            long to = from;
            long at = noted.source();
            long count = 0;
            RecordLog.Entry was = then.next();
            RecordLog.Entry is = now.next();
            while (was != null && is != null) {
                Kind next = isUnread(was) || isUnread(is) ? Kind.UNREAD : Kind.ALTERED;
                if (next != kind && count > 0) {
                    add(kind, from, to, at, count);
                    at += count;
                    count = 0;
                }
                kind = next;
                from = count == 0 ? there.target() + is.offset() : from;
                to = there.target() + is.offset() + 1;
                count++;
                was = then.next();
                is = now.next();
            }
            add(kind, from, to, at, count);
            if (is != null) {
                long rest = there.records() - noted.records();
                add(Kind.NOT_NOTED_YET, there.target() + is.offset(), there.targetEnd(), notedTo, rest);
            }
        }

        private boolean isUnread(RecordLog.Entry entry) {
            return entry.content().equals(RecordLeaf.UNREAD_HASH);
        }

        private boolean isOneSided(Difference one) {
            return one.kind() == Difference.Kind.MISSING || one.kind() == Difference.Kind.EXTRA;
        }

        private void add(Difference one) {
            switch (one.kind()) {
                case MISSING, EXPIRED_AT_TARGET -> missing(one);
                case EXTRA, EXPIRED_AT_SOURCE -> extra(one);
                case REORDERED, ALTERED -> add(Kind.REORDERED, one.target(), one.targetEnd(), one.source(), 1);
            }
        }

        private void extra(Difference one) {
            Kind kind = Kind.INSERTED;
            if (notedTo >= 0 && chain.unnoted().isBefore(one.source())) {
                kind = Kind.NEVER_NOTED;
            } else if (one.source() == notedTo) {
                kind = Kind.NOT_NOTED_YET;
            }
            add(kind, one.target(), one.targetEnd(), one.source(), one.records());
        }

        private void missing(Difference one) {
            Kind kind = Kind.LOST;
            long end = one.target();
            if (one.source() == 0 && mostExpired > 0) {
                kind = Kind.EXPIRED;
            } else if (one.sourceEnd() == cutTo) {
                kind = cutKind;
                end = note.state().next() - offset;
                endIsNamed = note;
            } else if (one.sourceEnd() == notedTo) {
                kind = behindCopy(one.records());
            }
            add(kind, one.target(), end, one.source(), one.records());
        }

        private void add(Kind kind, long from, long to, long at, long records) {
            NotesCheck.this.add(kind, offset + from, offset + to, leaf + at, records, before, note);
        }
    }

    /** Compares the end of the log with the last note: later noted records are gone, and later records are not noted. */
    private void tail(Note last) {
        long next = last.state().next();
        if (log.end() < next && !last.equals(endIsNamed)) {
            Note before = notes.stream()
                    .filter(note -> note.state().next() <= log.end())
                    .max(Comparator.comparingLong(note -> note.state().number()))
                    .orElse(null);
            add(goneAfter(true, next), log.end(), next, -1, -1, before, null);
        } else if (log.end() > next) {
            long[] behind = {0};
            log.read(Math.max(next, log.begin()), log.end(), (offset, hash, at) -> behind[0]++);
            if (behind[0] > 0) {
                add(Kind.NOT_NOTED_YET, next, log.end(), last.head().size(), behind[0], last, null);
            }
        }
    }

    /** Compares a copy of the log, which has the records in the same order at any offsets: each note has the number of its records. */
    public Result ofCopy() {
        if (notes.isEmpty()) {
            return new Result(findings, unaltered);
        }
        for (int i = 1; i < notes.size(); i++) {
            Note before = notes.get(i - 1);
            Note note = notes.get(i);
            if (isFork(before, note)) {
                fork(before, note);
            }
        }
        Note last = notes.get(notes.size() - 1);
        if (isKept(new NotedTree(), last)) {
            DistinctUnreadLeaves source = new DistinctUnreadLeaves(
                    PiecewiseLog.of(kept, 0, last.head().size()), (byte) 0);
            DistinctUnreadLeaves copy =
                    new DistinctUnreadLeaves(PiecewiseLog.of(log, log.begin(), log.end()), (byte) 1);
            Differences differences = new LogComparison(source, copy, progress).run();
            unaltered = differences.same();
            new Naming(
                            null,
                            last,
                            0,
                            log.begin(),
                            log.begin() > 0 ? Long.MAX_VALUE : 0,
                            -1,
                            Kind.TRUNCATED,
                            last.head().size(),
                            source.met() || copy.met())
                    .add(differences);
        } else {
            bySize(last);
        }
        return new Result(findings, unaltered);
    }

    private Kind behindCopy(long records) {
        return records <= log.writtenEnd() - log.end() ? Kind.HELD_BACK : Kind.LOST;
    }

    /** Compares without the hashes of single records: as many records as each note has, one interval after the other. */
    private void bySize(Note last) {
        if (log.begin() > 0 || notes.get(0).state().number() > 0) {
            add(Kind.NOT_COMPARED, log.begin(), log.end(), 0, last.head().size(), null, last);
            return;
        }
        Copy copy = new Copy();
        log.read(0, log.end(), copy);
        copy.end(log.end());
    }

    /** A copy that is read once: the tree of each interval begins with the peaks of the last note. */
    private final class Copy implements NotedLog.LeafTaker {
        private NotedTree tree = new NotedTree();
        private UnreadLeaves unread = new UnreadLeaves();
        private int index;
        private long begin;
        private long behind;
        private @Nullable Note before;
        /** True after a difference where there may be records without a note: then no record can be counted. */
        private boolean isUncounted;

        Copy() {
            skipEmpty();
        }

        @Override
        public void take(long offset, byte[] hash, int at) {
            if (index == notes.size()) {
                behind++;
                return;
            }
            unread.pass(offset, tree.size(), hash, at);
            tree.append(hash, at);
            Note note = notes.get(index);
            if (tree.size() == note.head().size()) {
                long differing =
                        note.head().size() - (before == null ? 0 : before.head().size());
                long size = note.head().size() - differing;
                if (tree.root().equals(note.root())) {
                    addUnaltered(differing, unread, before, note);
                } else {
                    isUncounted |= chain.unnoted().isBefore(size);
                    Kind kind = isUncounted || unread.count > 0 ? Kind.NOT_COMPARED : Kind.DIFFERENT;
                    add(kind, begin, offset + 1, size, differing, before, note);
                }
                begin = offset + 1;
                tree = note.state().tree();
                unread = new UnreadLeaves();
                before = note;
                index++;
                skipEmpty();
                progress.accept(begin);
            }
        }

        private void skipEmpty() {
            while (index < notes.size() && notes.get(index).head().size() == tree.size()) {
                index++;
            }
        }

        void end(long end) {
            if (behind > 0) {
                boolean isUnknown = isUncounted || chain.unnoted().isBefore(tree.size());
                add(isUnknown ? Kind.NOT_COMPARED : Kind.NOT_NOTED_YET, begin, end, tree.size(), behind, before, null);
            }
            if (index < notes.size()) {
                Note last = notes.get(notes.size() - 1);
                long records = last.head().size() - tree.size();
                add(behindCopy(records), end, end, tree.size(), records, before, last);
            }
        }
    }

    private void add(
            Kind kind, long offset, long end, long leaf, long records, @Nullable Note before, @Nullable Note note) {
        findings.add(new NotesFinding(kind, offset, end, leaf, records, before, note));
    }
}
