package dev.stormproof.log.audit;

import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.LatestRevisions;
import dev.stormproof.verify.judge.StrayRecord;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * An order for the findings on a partition: by the offset that each is about, and those about one offset as they were found.
 * Only the last revision of each subject is handed on.
 *
 * <pre>
 *   found         @40 @25 @60 @31 …      @33 provisional
 *   handed on     @25 @31                up to the offset before which all is decided, and up to what is provisional
 *   held          @40 @60, @33
 * </pre>
 *
 * <p>A stream that ends unsealed is provisional up to the log's end, so that all later findings are held. If there are more
 * than {@value #MOST_HELD}, the first are handed on, though a finding about an earlier offset may follow. For one thread.
 */
final class OffsetOrdering {
    static final int MOST_HELD = 100_000;

    private final PriorityQueue<Held> held =
            new PriorityQueue<>(Comparator.comparingLong(Held::offset).thenComparingLong(Held::number));
    private final LatestRevisions<Finding> provisional = new LatestRevisions<>(Integer.MAX_VALUE);
    private final TreeMap<Long, Integer> undecided = new TreeMap<>();

    private final Consumer<Finding> findings;
    private long number;

    private record Held(long offset, long number, Finding finding) {}

    /** @param findings takes each once it is final, or at the end */
    OffsetOrdering(Consumer<Finding> findings) {
        this.findings = findings;
    }

    /** The offset that a finding is about: that of the checkpoint, or of the first stray record. */
    static long offsetOf(Finding finding) {
        return finding instanceof StrayRecord records ? records.offset() : finding.anchorOffset();
    }

    void add(Finding finding) {
        // Of an open end the last word counts; whatever is said of its checkpoint takes its place.
        settle(finding.id());
        // Two checkpoints may bear one number.
        boolean sealed = finding.revision() != Finding.UNSEALED_REVISION;
        String subject = sealed ? finding.id() + "@" + finding.anchorOffset() : finding.id();
        settle(subject);
        if (finding.revision() == Finding.FINAL_REVISION) {
            hold(finding);
        } else {
            provisional.put(subject, finding.revision(), finding);
            undecided.merge(offsetOf(finding), 1, Integer::sum);
        }
    }

    private void settle(String subject) {
        provisional.get(subject).ifPresent(earlier -> {
            provisional.remove(subject);
            undecided.merge(offsetOf(earlier), -1, (count, less) -> count == 1 ? null : count + less);
        });
    }

    private void hold(Finding finding) {
        held.add(new Held(offsetOf(finding), number++, finding));
        if (held.size() > MOST_HELD) {
            findings.accept(held.remove().finding());
        }
    }

    /** Hands on the findings about offsets before the first undecided one. */
    void handBefore(long decidedEnd) {
        long end = undecided.isEmpty() ? decidedEnd : Math.min(decidedEnd, undecided.firstKey());
        while (!held.isEmpty() && held.element().offset() < end) {
            findings.accept(held.remove().finding());
        }
    }

    void handAll() {
        undecided.clear();
        provisional.values().forEach(this::hold);
        handBefore(Long.MAX_VALUE);
    }
}
