package dev.stormproof.proof.compare;

import dev.stormproof.proof.compare.RecordLog.Entry;
import dev.stormproof.proof.tree.Hash;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * A comparison of two logs that should hold the same records in the same order, at whatever offsets: a source and its copy.
 *
 * <pre>
 *   source   a b c | d e f g h …          heads that are equal are paired, and nothing is held
 *   target   a b c | e f X h g …          else a stretch of each is held and aligned, and what is before a pair in
 *                    └─ aligned ─┘        order with enough after it is final
 *
 *   source   [ d e f … ]                  two stretches that have no record in common: the logs are read on in turn, nothing
 *   target   [ t u v … ] … … … d          held, until one holds a record of the other's stretch; what is before it is a gap
 * </pre>
 *
 * <p>Within two stretches the differences are a smallest set, as far as the aligner finds one. A record that moved further than a
 * stretch is missing in one place and extra in the other.
 *
 * <p>Used once, by one thread.
 */
public final class LogComparison {
    /** How many records of each log are held at most, as a hash and an offset. */
    public static final int MOST_HELD = 1 << 16;

    private final RecordLog sourceLog;
    private final RecordLog targetLog;
    private final Stretch source;
    private final Stretch target;
    private final int most;
    private final LongConsumer progress;
    private final Differences differences;

    /** @param progress takes the offset that the source is compared to, often */
    public LogComparison(RecordLog source, RecordLog target, LongConsumer progress) {
        this(source, target, MOST_HELD, progress);
    }

    LogComparison(RecordLog source, RecordLog target, int most, LongConsumer progress) {
        this.sourceLog = source;
        this.targetLog = target;
        this.source = new Stretch(source, most);
        this.target = new Stretch(target, most);
        this.most = most;
        this.progress = progress;
        this.differences = new Differences(source.beginOffset() > 0, target.beginOffset() > 0);
        source.seek(source.beginOffset());
        target.seek(target.beginOffset());
    }

    public Differences run() {
        boolean more = true;
        while (more) {
            passEqual();
            boolean sourceEnds = source.fill();
            boolean targetEnds = target.fill();
            more = !(sourceEnds && targetEnds);
            if (!alignment().commit(!more) && !passAltered()) {
                passGap();
            }
            progress.accept(source.readOffset());
        }
        progress.accept(sourceLog.endOffset());
        return differences;
    }

    private StretchAlignment alignment() {
        return new StretchAlignment(source, target, differences);
    }

    private void passEqual() {
        Entry one = source.head();
        Entry other = target.head();
        while (one != null && other != null && one.content().equals(other.content())) {
            differences.pair();
            progress.accept(one.offset());
            source.dropHead();
            target.dropHead();
            one = source.head();
            other = target.head();
        }
    }

    /** For two stretches without a pair: passes what differs in headers alone; false if that is nothing. */
    private boolean passAltered() {
        Entry one = source.head();
        Entry other = target.head();
        boolean any = false;
        while (one != null && other != null && one.hasOtherHeadersThan(other)) {
            differences.altered(one.offset(), other.offset());
            any = true;
            source.dropHead();
            target.dropHead();
            one = source.head();
            other = target.head();
        }
        return any;
    }

    /** For two stretches without a pair: finds the nearest record of one log that the other's stretch holds. */
    private void passGap() {
        Search inTarget = new Search(target, source.entries());
        Search inSource = new Search(source, target.entries());
        while (!inTarget.ended() || !inSource.ended()) {
            if (inTarget.finds(most)) {
                differences.extra(source.offsetAt(0), inTarget.begin, inTarget.found, inTarget.passed);
                target.moveTo(inTarget.found);
                source.goBack();
                return;
            }
            if (inSource.finds(most)) {
                differences.missing(inSource.begin, inSource.found, target.offsetAt(0), inSource.passed);
                source.moveTo(inSource.found);
                target.goBack();
                return;
            }
        }
        // Nothing that is left is in both.
        differences.missing(inSource.begin, sourceLog.endOffset(), inTarget.begin, inSource.passed);
        differences.extra(sourceLog.endOffset(), inTarget.begin, targetLog.endOffset(), inTarget.passed);
        source.moveTo(sourceLog.endOffset());
        target.moveTo(targetLog.endOffset());
    }

    /** A search after a stretch for a record of the other log's stretch. */
    private static final class Search {
        private final Stretch stretch;
        private final Set<Hash> wanted;
        private final long begin;
        private long passed;
        private long found;
        private boolean ended;

        Search(Stretch stretch, List<Entry> others) {
            this.stretch = stretch;
            this.wanted = singles(others);
            this.begin = stretch.offsetAt(0);
            this.passed = stretch.entries().size();
        }

        /** The hashes that occur once, or all if none does: a repeated record may be found in many places. */
        private static Set<Hash> singles(List<Entry> entries) {
            Set<Hash> all = new HashSet<>();
            Set<Hash> repeated = new HashSet<>();
            for (Entry entry : entries) {
                if (!all.add(entry.content())) {
                    repeated.add(entry.content());
                }
            }
            Set<Hash> singles = new HashSet<>(all);
            singles.removeAll(repeated);
            return singles.isEmpty() ? all : singles;
        }

        boolean ended() {
            return ended;
        }

        /** Passes at most {@code most} records; true if the next one is wanted. */
        boolean finds(int most) {
            for (int i = 0; i < most && !ended; i++) {
                Entry next = stretch.beyond();
                if (next == null) {
                    ended = true;
                } else if (wanted.contains(next.content())) {
                    found = next.offset();
                    return true;
                } else {
                    passed++;
                }
            }
            return false;
        }
    }
}
