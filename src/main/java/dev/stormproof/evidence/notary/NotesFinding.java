package dev.stormproof.evidence.notary;

import org.jspecify.annotations.Nullable;

/**
 * A finding of the comparison of a log with its notes.
 *
 * @param offset of the first such record, or of the record before which it would be
 * @param endOffset the offset after the last one
 * @param leaf the index of the record in the tree, from 0; -1 if unknown
 * @param records the number of records; -1 if unknown
 * @param before the last note that holds; null if there is none
 * @param note the note that shows it; null after the last note
 */
public record NotesFinding(
        Kind kind,
        long offset,
        long endOffset,
        long leaf,
        long records,
        @Nullable Note before,
        @Nullable Note note) {
    public enum Kind {
        /** A noted record has another content now. */
        ALTERED(true),
        /** A noted record is missing. */
        LOST(true),
        /** There is a record where none was noted. */
        INSERTED(true),
        /** A noted record is in another place. */
        REORDERED(true),
        /** Some of these, between two notes; which is unknown. */
        DIFFERENT(true),
        /** The log ended before noted records, and they are gone. */
        TRUNCATED(true),
        /** Two notes have the same number, or a tree does not continue the last one: the notary's chain is forked. */
        FORKED(true),
        /** Noted records have expired by retention. */
        EXPIRED(false),
        /** Records expired before they were noted. */
        NEVER_NOTED(false),
        /** Notes are missing, so it is unknown where the log was cut between them. */
        NOTES_MISSING(false),
        /** Noted records cannot be compared without the hashes of single ones: some are missing, or others may be between them. */
        NOT_COMPARED(false),
        /** Noted records are too large to be read, now or when they were noted: only their places are compared. */
        UNREAD(false),
        /** Noted records may be hidden by an open transaction. */
        HELD_BACK(false),
        /** Records follow the last note. */
        NOT_NOTED_YET(false);

        private final boolean violation;

        Kind(boolean violation) {
            this.violation = violation;
        }

        /** True if the log or the notes were altered. */
        public boolean isViolation() {
            return violation;
        }
    }
}
