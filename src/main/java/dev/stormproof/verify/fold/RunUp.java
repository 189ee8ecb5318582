package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.judge.PartitionId;

/**
 * The reading of the records before a place in the log, in silence, by a verifier without kept heads: which checkpoint of each
 * stream is the last one there.
 *
 * <p>What begins before the run-up is not found: the first interval of such a stream is inconclusive, then it goes on.
 */
public final class RunUp {
    /** How many offsets it takes. */
    public static final long OFFSETS = 65_536;

    private final ChainFold fold;

    /** @param beginOffset the first offset that is read */
    public RunUp(PartitionId partition, long beginOffset) {
        fold = new ChainFold(partition, beginOffset, SavedHeads.NOTHING, InactivityTimeouts.DEFAULT, Bounds.DEFAULT);
    }

    public void take(LogRecord record) {
        fold.take(new Read(record, DeliveryLink.NO_EPOCH, record.writtenMillis(), null));
        fold.drainFindings();
    }

    /** What is known of the streams before an offset. Whether their earlier intervals are verified is not. */
    public SavedHeads headsAt(long offset) {
        SavedHeads heads = fold.savedAt(offset);
        return new SavedHeads(
                heads.streams().stream().map(SavedStream::asFlawed).toList(), heads.complete());
    }
}
