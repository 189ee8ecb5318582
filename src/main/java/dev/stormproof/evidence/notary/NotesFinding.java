package dev.stormproof.evidence.notary;

import org.jspecify.annotations.Nullable;

/**
 * Something that the notes on a partition say of its log.
 *
 * @param offset where in the log: of the first such record, or of that before which it would stand
 * @param endOffset the offset after the last one
 * @param leaf which record since the tree began, from 0; -1 if unknown
 * @param records how many; -1 if unknown
 * @param before the last note that holds; null if there is none
 * @param note the note that tells it; null if it is the end of the notes
 */
public record NotesFinding(
        Kind kind,
        long offset,
        long endOffset,
        long leaf,
        long records,
        @Nullable Note before,
        @Nullable Note note) {
    /** What is found. */
    public enum Kind {
        /** A noted record that reads otherwise now. */
        ALTERED(true),
        /** A noted record that the log has not. */
        LOST(true),
        /** A record where none was noted. */
        INSERTED(true),
        /** A noted record in another place. */
        REORDERED(true),
        /** Some of these, between two notes, and nothing tells which. */
        DIFFERENT(true),
        /** The log ended before what was noted, and what was noted behind is gone. */
        TRUNCATED(true),
        /** Two notes of one number, or a tree that does not continue the one before: the notary's chain is none. */
        FORKED(true),
        /** Noted records that the log no longer holds, as retention has it. */
        EXPIRED(false),
        /** Records that were never noted, for the log no longer held them then. */
        NEVER_NOTED(false),
        /** Notes that are no longer there, so that where the log was cut between them is not known. */
        NOTES_MISSING(false),
        /** Noted records that cannot be compared without the hashes of single ones: they are there in part, or others may stand between. */
        NOT_COMPARED(false),
        /** Noted records that are too large to be read, now or when they were noted: their places alone are compared. */
        UNREAD(false),
        /** Noted records that may lie behind an open transaction, where nobody reads yet. */
        HELD_BACK(false),
        /** Records behind the last note. */
        NOT_NOTED_YET(false);

        private final boolean violation;

        Kind(boolean violation) {
            this.violation = violation;
        }

        /** True if the log or the notes are not what they were. */
        public boolean isViolation() {
            return violation;
        }
    }
}
