package dev.stormproof.verify.chain;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.Judge;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import java.util.ArrayList;
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
 *   states what the last one states, and events came  in doubt    the head if the log shows no repetition
 *   any other                                         the head    Verified if the tree is as stated, else in {@link Doubt}
 * </pre>
 *
 * <p>Owned by one thread.
 */
final class Format1Stream extends EventStream {
    /** Checkpoints that state what the last one states, of which the log shows whether they are repetitions. */
    private final List<Head> alike = new ArrayList<>(0);

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
        heard();
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
        boolean unanchored = head().isBeginning() && !isAnchored();
        if (!unanchored && !statedBefore && isAnchored() && open().matches(record)) {
            found(new Verified(IntervalId.of(record), Basis.MATCH, firstOffset(record.offset())));
        } else if (!unanchored) {
            doubt(new Doubt(record, head(), beforeHead(), firstOffset(record.offset()), open().isWhole(), false));
        } else {
            found(RangeCase.unanchored(record));
            flaw();
        }
        if (statedBefore) {
            // What came before a repetition is of the next interval.
            alike.add(head);
            dropTree();
        } else {
            accept(head);
        }
    }

    @Override
    void judged(long checkpointOffset, Finding finding) {
        for (Head head : List.copyOf(alike)) {
            if (head.offset() == checkpointOffset) {
                alike.remove(head);
                if (finding instanceof Verdict && head.offset() > head().offset()) {
                    acceptFurtherUp(head);
                }
            }
        }
    }
}
