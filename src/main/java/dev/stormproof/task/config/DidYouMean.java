package dev.stormproof.task.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known key that a mistyped one probably meant, by Levenshtein distance. */
public final class DidYouMean {
    private DidYouMean() {}

    /** The nearest of {@code known}, if it differs in at most a third of the typed characters. */
    public static Optional<String> of(String typed, Collection<String> known) {
        int limit = Math.max(2, typed.length() / 3);
        return known.stream()
                .min(Comparator.comparingInt((String key) -> distance(typed, key))
                        .thenComparing(key -> key))
                .filter(key -> distance(typed, key) <= limit);
    }

    /** How many insertions, deletions and replacements of one character turn {@code a} into {@code b}. */
    static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = above[0];
            above[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = above[j];
                above[j] = Math.min(replaced, 1 + Math.min(above[j], above[j - 1]));
            }
        }
        return above[b.length()];
    }
}
