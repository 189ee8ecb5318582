package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Judge;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import java.util.List;
import java.util.function.Consumer;

/**
 * The stream of format 1, which has neither numbers nor sequences: the leaves of each checkpoint against the events since the last one.
 *
 * <pre>
 *   checkpoint C                                      is          and
 *   ──────────────────────────────────────────────────────────────────────────────────────────────────
 *   states what the last one states, and no event     a stray     repeated
 *     came since
 *   the first one that is known                       the head    unanchored, unless every record before it was read
 *   any other                                         the head    Verified if the tree is as stated, else in {@link Doubt}
 *     that states what the last one states          the head    always in doubt, and so is the next one: copies are inconclusive
 * </pre>
 *
 * <p>Owned by one thread.
 */
final class Format1Stream extends EventStream {
    /** @param beginOffset the first offset that may be the stream's, for any of its events may be the first */
    Format1Stream(StreamId id, long beginOffset, boolean anchored, Consumer<Finding> findings) {
        super(id, beginOffset, anchored, anchored, findings);
    }

    Format1Stream(StreamId id, SavedStream saved, Consumer<Finding> findings) {
        super(id, saved, findings);
    }

    @Override
    List<SavedStream.Dropped> droppedBefore(long offset) {
        return List.of();
    }

    @Override
    void checkpoint(CheckpointRecord record) {
        Head head = new Head(
                record.offset(),
                record.offset(),
                0,
                Judge.rootOf(record.checkpoint().leaves().orElseThrow()),
                0,
                false,
                "",
                record.writtenMillis(),
                firstOffset(record.offset()),
                open().isWhole(),
                isAnchored());
        boolean statedBefore = head.hash().equals(head().hash());
        if (statedBefore && open().isWhole() && open().count() == 0) {
            found(StrayRecord.repetition(record));
            return;
        }
        followDoubts(record);
        if (head().isBeginning() && !isAnchored()) {
            found(RangeCase.unanchored(record));
        } else if (!statedBefore && !isAfterACopy() && isAnchored() && open().matches(record)) {
            found(new Verified(IntervalId.of(record), Basis.MATCH, firstOffset(record.offset())));
        } else {
            doubt(new Doubt(record, head(), beforeHead(), firstOffset(record.offset()), open().isWhole(), false));
        }
        accept(head);
    }

    private boolean isAfterACopy() {
        Head before = beforeHead();
        return before != null && before.hash().equals(head().hash());
    }
}
