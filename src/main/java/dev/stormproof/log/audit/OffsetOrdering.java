package dev.stormproof.log.audit;

import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.StrayRecord;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * An order for the findings on a partition: by the offset that each is about, and those about one offset as they were found.
 * Of an open end the last word counts, and a verdict takes its place.
 *
 * <pre>
 *   found         @40 @25 @60 @31 …      @33 open
 *   handed on     @25 @31                up to the offset before which all is decided, and up to what is open
 *   held          @40 @60, @33
 * </pre>
 *
 * <p>A stream that ends unsealed is open up to the log's end, so that all later findings are held. If there are more
 * than {@value #MOST_HELD}, the first are handed on, though a finding about an earlier offset may follow. For one thread.
 */
final class OffsetOrdering {
    static final int MOST_HELD = 100_000;

    private static final Comparator<Held> BY_OFFSET =
            Comparator.comparingLong(Held::offset).thenComparingLong(Held::number);

    private final TreeSet<Held> held = new TreeSet<>(BY_OFFSET);
    /** The open ends, by their subjects. */
    private final Map<String, Held> open = new HashMap<>();

    private final TreeSet<Held> undecided = new TreeSet<>(BY_OFFSET);

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
        Held earlier = open.remove(finding.id());
        if (earlier != null) {
            undecided.remove(earlier);
        }
        Held now = new Held(offsetOf(finding), number++, finding);
        if (finding.isOpen()) {
            open.put(finding.id(), now);
            undecided.add(now);
            return;
        }
        held.add(now);
        if (held.size() > MOST_HELD) {
            handFirst();
        }
    }

    private void handFirst() {
        Held first = held.first();
        held.remove(first);
        findings.accept(first.finding());
    }

    /** Hands on the findings about offsets before the first undecided one. */
    void handBefore(long decidedEnd) {
        long end = undecided.isEmpty()
                ? decidedEnd
                : Math.min(decidedEnd, undecided.first().offset());
        while (!held.isEmpty() && held.first().offset() < end) {
            handFirst();
        }
    }

    void handAll() {
        held.addAll(undecided);
        undecided.clear();
        handBefore(Long.MAX_VALUE);
    }
}
