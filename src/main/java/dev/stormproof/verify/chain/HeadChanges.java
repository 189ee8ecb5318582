package dev.stormproof.verify.chain;

import java.util.List;
import java.util.Set;

/**
 * How what is kept beside the progress differs from what was kept before.
 *
 * @param changed streams as they are at the progress; some of them may be as before
 * @param removed emitters of streams of which nothing is kept any more
 * @param complete see {@link SavedHeads#complete}
 */
public record HeadChanges(List<SavedStream> changed, Set<Long> removed, boolean complete) {
    public HeadChanges {
        changed = List.copyOf(changed);
        removed = Set.copyOf(removed);
    }
}
