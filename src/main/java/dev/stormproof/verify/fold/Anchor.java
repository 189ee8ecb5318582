package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import org.jspecify.annotations.Nullable;

/**
 * The trust of one stream: whether its next checkpoint may be judged by the events that were seen since its last one.
 *
 * <p>A value; each transition returns the next one.
 *
 * <pre>
 *   NoCheckpoint  none was seen. At the log's beginning nothing can lie before, which anchors format 1.
 *   Trusted       the last checkpoint is known to seal: what continues it is judged by what was seen
 *   Doubtful      the last checkpoint may seal nothing (a repetition, late, forged, the first one seen)
 *
 *   NoCheckpoint ──checkpoint in order (number 0 of a new stream; the first of format 1 that matches)──► Trusted
 *                ──any other checkpoint, or one from before the reading began──────────────────────────► Doubtful
 *                ──the log confirms an earlier one─────────────────────────────────────────────────────► Trusted
 *                ──given up────────────────────────────────────────────────────────────────────────────► NoCheckpoint, not at the beginning
 *   Trusted      ──checkpoint that continues it (format 1: and matches)────────────────────────────────► Trusted
 *                ──any other checkpoint────────────────────────────────────────────────────────────────► Doubtful
 *                ──the log confirms a newer one, after it rejected those behind that─────────────────────► Trusted
 *                ──the log rejects it, or it expired before it was judged; given up────────────────────► Doubtful
 *   Doubtful     ──checkpoint──────────────────────────────────────────────────────────────────────────► Doubtful, with the same to fall
 *                                                                                                         back to, or else this
 *                ──the log confirms the last one───────────────────────────────────────────────────────► Trusted
 *                ──the log confirms an older one───────────────────────────────────────────────────────► Doubtful, with that to fall back to
 *                ──the log rejects the last one────────────────────────────────────────────────────────► Doubtful at the older one, with that to fall
 *                                                                                                         back to if it is known to seal, else with
 *                                                                                                         what that had; or NoCheckpoint
 *                ──the log rejects the older one───────────────────────────────────────────────────────► Doubtful, nothing to fall back to
 *                ──the log confirms one behind that older one──────────────────────────────────────────► Trusted
 *                ──the last one expired before it was judged; given up─────────────────────────────────► Doubtful, nothing to fall back to
 *                ──an older one did, of a greater number than what there is to fall back to────────────► Doubtful, with that to fall back to
 *   any          ──truncated───────────────────────────────────────────────────────────────────────────► what lies before the cut
 * </pre>
 */
sealed interface Anchor {
    long NONE = -1;

    /** The last checkpoint; null if none was seen. */
    @Nullable
    LastCheckpoint last();

    /** The first event that counts as open once the last checkpoint turns out to seal nothing; {@link #NONE}. */
    default long unsealedSince() {
        return NONE;
    }

    /** True if a checkpoint is in order: it continues what is trusted. */
    boolean isContinuedBy(CheckpointRecord record);

    /** The anchor once a checkpoint came, {@code trusted} if it is known to seal, while events were open since an offset. */
    default Anchor checkpoint(LastCheckpoint next, boolean trusted, long openSince) {
        return trusted ? new Trusted(next) : new Doubtful(next, fallback(), openSince);
    }

    /** What counts if the next checkpoint seals nothing. */
    Anchor fallback();

    /** The anchor once the stream's last checkpoint from before the reading began is known. */
    default Anchor learned(LastCheckpoint checkpoint) {
        return last() == null ? Doubtful.of(checkpoint) : this;
    }

    /** The anchor once the log confirmed that a checkpoint seals. */
    Anchor confirmed(LastCheckpoint checkpoint);

    /** The anchor once the log showed that the checkpoint at an offset seals nothing. */
    Anchor rejected(long offset);

    /** The anchor once its last checkpoint expired before it was judged, or nothing more is expected of the stream. */
    default Anchor unconfirmed() {
        LastCheckpoint last = last();
        return last == null ? new NoCheckpoint(false) : Doubtful.of(last);
    }

    /**
     * The anchor once a checkpoint expired before it was judged: the last one, if those behind it were refused; before the last one, what
     * counts if that seals nothing.
     */
    default Anchor undecided(LastCheckpoint checkpoint) {
        LastCheckpoint last = last();
        return last != null && last.offset() < checkpoint.offset() ? Doubtful.of(checkpoint) : this;
    }

    /** The anchor once what came behind its last checkpoint was refused: what was seen since that is not known to be whole. */
    default Anchor behindRefused() {
        return unconfirmed();
    }

    /** The anchor of a log that was truncated; without a checkpoint if none is left. */
    Anchor truncated(long offset);

    record NoCheckpoint(boolean atLogBeginning) implements Anchor {
        @Override
        public @Nullable LastCheckpoint last() {
            return null;
        }

        @Override
        public boolean isContinuedBy(CheckpointRecord record) {
            return atLogBeginning;
        }

        @Override
        public Anchor fallback() {
            return new NoCheckpoint(false);
        }

        @Override
        public Anchor confirmed(LastCheckpoint checkpoint) {
            return new Trusted(checkpoint);
        }

        @Override
        public Anchor rejected(long offset) {
            return this;
        }

        @Override
        public Anchor truncated(long offset) {
            return new NoCheckpoint(false);
        }
    }

    record Trusted(LastCheckpoint last) implements Anchor {
        @Override
        public boolean isContinuedBy(CheckpointRecord record) {
            return last.isContinuedBy(record);
        }

        @Override
        public Anchor fallback() {
            return this;
        }

        @Override
        public Anchor confirmed(LastCheckpoint checkpoint) {
            return checkpoint.offset() > last.offset() ? new Trusted(checkpoint) : this;
        }

        @Override
        public Anchor rejected(long offset) {
            return last.offset() == offset ? Doubtful.of(last) : this;
        }

        @Override
        public Anchor behindRefused() {
            return new Doubtful(last, this, NONE);
        }

        @Override
        public Anchor truncated(long offset) {
            return last.offset() < offset ? this : new NoCheckpoint(false);
        }
    }

    /** The last checkpoint may seal nothing; then what was before it counts. */
    record Doubtful(LastCheckpoint last, Anchor before, long unsealedSince) implements Anchor {
        /** A checkpoint before which nothing is known. */
        static Doubtful of(LastCheckpoint last) {
            return new Doubtful(last, new NoCheckpoint(false), NONE);
        }

        @Override
        public Anchor fallback() {
            return before.last() == null ? of(last) : before;
        }

        @Override
        public boolean isContinuedBy(CheckpointRecord record) {
            return false;
        }

        @Override
        public Anchor confirmed(LastCheckpoint checkpoint) {
            if (checkpoint.offset() >= last.offset()) {
                return new Trusted(checkpoint);
            }
            LastCheckpoint known = before.last();
            if (known != null && known.offset() > checkpoint.offset()) {
                return this;
            }
            long since = unsealedSince == NONE ? NONE : Math.max(unsealedSince, checkpoint.offset() + 1);
            return new Doubtful(last, new Trusted(checkpoint), since);
        }

        @Override
        public Anchor undecided(LastCheckpoint checkpoint) {
            LastCheckpoint known = before.last();
            if (last.offset() < checkpoint.offset()) {
                return of(checkpoint);
            }
            if (known != null && known.offset() > checkpoint.offset()) {
                return this;
            }
            long since = unsealedSince == NONE ? NONE : Math.max(unsealedSince, checkpoint.offset() + 1);
            return new Doubtful(last, of(checkpoint), since);
        }

        @Override
        public Anchor learned(LastCheckpoint checkpoint) {
            return new Doubtful(last, before.learned(checkpoint), unsealedSince);
        }

        @Override
        public Anchor rejected(long offset) {
            return last.offset() == offset
                    ? before.behindRefused()
                    : new Doubtful(last, before.rejected(offset), unsealedSince);
        }

        @Override
        public Anchor behindRefused() {
            return new Doubtful(last, before, NONE);
        }

        @Override
        public Anchor truncated(long offset) {
            Anchor left = before.truncated(offset);
            return last.offset() < offset ? new Doubtful(last, left, NONE) : left;
        }
    }
}
