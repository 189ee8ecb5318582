package dev.stormproof.verify.fold;

import java.util.List;

/**
 * What must be known of a partition at the committed progress, so that its verification goes on as if it had never stopped.
 *
 * @param streams each of its streams of which a checkpoint was accepted or events were passed
 * @param complete true if no other stream has any record before the progress
 */
public record SavedHeads(List<SavedStream> streams, boolean complete) {
    /** Nothing is known of what is before the progress. */
    public static final SavedHeads NOTHING = new SavedHeads(List.of(), false);

    public SavedHeads {
        streams = List.copyOf(streams);
    }
}
