package dev.stormproof.verify;

import dev.stormproof.checkpoint.CheckpointRecord;
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
 *   Doubtful     ──checkpoint──────────────────────────────────────────────────────────────────────────► Doubtful
 *                ──the log confirms the last one───────────────────────────────────────────────────────► Trusted
 *                ──the log confirms an older one───────────────────────────────────────────────────────► Doubtful, with that to fall back to
 *                ──the log rejects the last one────────────────────────────────────────────────────────► Doubtful at the older one, or NoCheckpoint
 *                ──the log confirms one behind that older one──────────────────────────────────────────► Trusted
 *                ──the last one expired before it was judged; given up─────────────────────────────────► Doubtful, nothing to fall back to
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

    /** The checkpoint that counts if the last one seals nothing. */
    @Nullable
    LastCheckpoint fallback();

    /** The anchor once the log confirmed that a checkpoint seals. */
    Anchor confirmed(LastCheckpoint checkpoint);

    /** The anchor once the log showed that the last checkpoint seals nothing. */
    default Anchor rejected() {
        LastCheckpoint fallback = fallback();
        return fallback == null ? new NoCheckpoint(false) : new Doubtful(fallback, null, NONE);
    }

    /** The anchor once its last checkpoint expired before it was judged, or nothing more is expected of the stream. */
    default Anchor unconfirmed() {
        LastCheckpoint last = last();
        return last == null ? new NoCheckpoint(false) : new Doubtful(last, null, NONE);
    }

    /** The anchor of a log that was truncated; without a checkpoint if none is left. */
    default Anchor truncated(long offset) {
        LastCheckpoint last = last();
        LastCheckpoint left = last == null || last.offset() < offset ? last : fallback();
        if (left == null || left.offset() >= offset) {
            return new NoCheckpoint(false);
        }
        LastCheckpoint fallback = fallback();
        if (left.equals(fallback)) {
            return new Trusted(left);
        }
        return new Doubtful(left, fallback != null && fallback.offset() < offset ? fallback : null, NONE);
    }

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
        public @Nullable LastCheckpoint fallback() {
            return null;
        }

        @Override
        public Anchor confirmed(LastCheckpoint checkpoint) {
            return new Trusted(checkpoint);
        }

        @Override
        public Anchor rejected() {
            throw new IllegalStateException("rejected in " + this + ", which has no checkpoint");
        }
    }

    record Trusted(LastCheckpoint last) implements Anchor {
        @Override
        public boolean isContinuedBy(CheckpointRecord record) {
            return last.isContinuedBy(record);
        }

        @Override
        public LastCheckpoint fallback() {
            return last;
        }

        @Override
        public Anchor confirmed(LastCheckpoint checkpoint) {
            // guard: newer-checkpoint-behind-a-refused-one-anchors: this
            return checkpoint.offset() > last.offset() ? new Trusted(checkpoint) : this;
        }
    }

    /** The last checkpoint may seal nothing; then the fallback counts, one that is known to seal, if there is any. */
    record Doubtful(LastCheckpoint last, @Nullable LastCheckpoint fallback, long unsealedSince) implements Anchor {
        @Override
        public boolean isContinuedBy(CheckpointRecord record) {
            // guard: what-continues-doubt-has-the-log-read: last.isContinuedBy(record)
            return false;
        }

        @Override
        public Anchor confirmed(LastCheckpoint checkpoint) {
            if (checkpoint.offset() >= last.offset()) {
                return new Trusted(checkpoint);
            }
            // guard: older-checkpoint-is-no-fallback
            if (fallback != null && fallback.offset() >= checkpoint.offset()) {
                return this;
            }
            long since = unsealedSince == NONE ? NONE : Math.max(unsealedSince, checkpoint.offset() + 1);
            // guard: late-checkpoint-leaves-events-open: this
            return new Doubtful(last, checkpoint, since);
        }
    }
}
