package dev.stormproof.detection;

import dev.stormproof.proof.tree.TreeHash;
import java.util.SplittableRandom;

/**
 * The trials of one kind inflict one kind of damage on trees of one size, each time at another random place.
 *
 * <p>Small trees are new for every trial. Large ones are used for as many as an eighth of their leaves, mended in between:
 * a new tree would cost far more than the nodes above a damage.
 */
record Trials(TreeHash treeHash, Signatures signatures, Damage damage, int events) {
    private static final int EVENTS_PER_TRIAL = 8;

    /**
     * What came out of trials.
     *
     * @param undetected how often the root stayed what it was
     * @param agreeingWords how many of all words of 16 bits stayed what they were
     * @param words how many words there were
     */
    record Outcome(Proportion undetected, long agreeingWords, long words) {
        Outcome plus(Outcome other) {
            return new Outcome(
                    new Proportion(
                            undetected.hits() + other.undetected.hits(),
                            undetected.trials() + other.undetected.trials()),
                    agreeingWords + other.agreeingWords,
                    words + other.words);
        }

        /** How many words would agree by chance. */
        double expectedWords() {
            return words / 65_536.0;
        }

        /** How many standard deviations more words agree than would by chance. */
        double excessOfWords() {
            return (agreeingWords - expectedWords()) / Math.sqrt(expectedWords());
        }
    }

    /** The same seed gives the same outcome. */
    Outcome run(long trials, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TrialTree tree = new TrialTree(treeHash, signatures, events);
        int trialsPerTree = Math.max(1, events / EVENTS_PER_TRIAL);
        long undetected = 0;
        long agreeingWords = 0;
        for (long trial = 0; trial < trials; trial++) {
            if (trial % trialsPerTree == 0) {
                tree.plant(events, random);
            }
            damage.strike(tree, random);
            if (tree.isUnnoticed()) {
                undetected++;
            }
            agreeingWords += tree.agreeingWords();
            tree.mend();
        }
        return new Outcome(new Proportion(undetected, trials), agreeingWords, trials * tree.words());
    }
}
