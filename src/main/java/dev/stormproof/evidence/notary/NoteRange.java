package dev.stormproof.evidence.notary;

/**
 * A range of a partition that is compared with its notes. It is extended to whole intervals: from the last note before it to the first one that
 * covers it.
 *
 * @param from its first offset; less than 0 for the log's beginning
 * @param to the offset after it; {@link Long#MAX_VALUE} for the log's end
 * @param sinceMillis includes what was noted later; {@link Long#MAX_VALUE} if offsets alone count
 * @param untilMillis includes what was noted earlier; {@link Long#MIN_VALUE} if offsets alone count
 */
public record NoteRange(long from, long to, long sinceMillis, long untilMillis) {
    /** Everything with a note. */
    public static final NoteRange WHOLE = new NoteRange(-1, Long.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE);

    /** True if a note ends before it. */
    boolean isAfter(Note note) {
        boolean wasNotedBefore = note.state().timeMillis() <= sinceMillis;
        return note.state().next() <= from && wasNotedBefore;
    }

    /** True if all of it is before the end of a note. */
    boolean isCoveredBy(Note note) {
        boolean wasNotedBehind = note.state().timeMillis() >= untilMillis;
        return note.state().next() >= to && wasNotedBehind;
    }
}
