package dev.stormproof.merkle;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * An alignment in the making: what is known of the leaves between the common ends.
 *
 * <pre>
 *   expected   | prefix | places 0, 1, 2, …    | suffix |
 *   observed   | prefix | items 0, 1, 2, 3, …  | suffix |
 * </pre>
 *
 * <p>Belongs to one thread.
 */
final class AlignmentDraft {
    static final int NONE = -1;

    private static final byte IN_ORDER = 1;
    private static final byte REORDERED = 2;
    private static final byte DUPLICATE = 4;
    private static final byte ALTERED = 8;
    private static final byte ANY = 15;

    private final int prefix;
    /** For each item the index of the expected leaf that it is, alters or copies. */
    private final int[] partners;
    /** What each item is; 0 as long as it is nothing, and in the end if it is foreign. */
    private final byte[] kinds;
    /** For each place whether an item is there for it. */
    private final boolean[] taken;

    AlignmentDraft(Leaves expected, Leaves observed, CommonPrefixSuffix ends) {
        int trimmed = ends.prefix() + ends.suffix();
        this.prefix = ends.prefix();
        this.partners = new int[observed.count() - trimmed];
        this.kinds = new byte[partners.length];
        this.taken = new boolean[expected.count() - trimmed];
        Arrays.fill(partners, NONE);
    }

    int itemCount() {
        return partners.length;
    }

    int placeCount() {
        return taken.length;
    }

    boolean isTaken(int place) {
        return taken[place];
    }

    /** True if the item is nothing yet. */
    boolean isOpen(int item) {
        return kinds[item] == 0;
    }

    boolean isInOrder(int item) {
        return (kinds[item] & IN_ORDER) != 0;
    }

    /** The place that the item is there for. */
    int placeOf(int item) {
        return partners[item] - prefix;
    }

    void inOrder(int item, int place) {
        take(item, place, IN_ORDER);
    }

    void reordered(int item, int place) {
        take(item, place, REORDERED);
    }

    /** The item stands for the place, with another content; whether in order may be said besides. */
    void altered(int item, int place) {
        take(item, place, ALTERED);
    }

    void duplicate(int item, int expectedIndex) {
        partners[item] = expectedIndex;
        kinds[item] |= DUPLICATE;
    }

    private void take(int item, int place, byte kind) {
        partners[item] = prefix + place;
        kinds[item] |= kind;
        taken[place] = true;
    }

    /** The expected leaf that an observed one is, alters or copies; {@link #NONE} of a foreign one. */
    int expectedIndexOf(int observedIndex) {
        int item = observedIndex - prefix;
        if (item < 0) {
            return observedIndex;
        }
        return item < partners.length ? partners[item] : observedIndex + taken.length - partners.length;
    }

    int[] lost() {
        return IntStream.range(0, taken.length)
                .filter(place -> !taken[place])
                .map(place -> prefix + place)
                .toArray();
    }

    int[] reordered() {
        return observedOf(REORDERED, REORDERED);
    }

    int[] duplicates() {
        return observedOf(DUPLICATE, DUPLICATE);
    }

    int[] foreign() {
        return observedOf(ANY, 0);
    }

    int[] alteredObserved() {
        return observedOf(ALTERED, ALTERED);
    }

    int[] alteredExpected() {
        return Arrays.stream(alteredObserved())
                .map(item -> partners[item - prefix])
                .toArray();
    }

    /** The observed leaves of whose kind the bits of {@code mask} are {@code kind}. */
    private int[] observedOf(int mask, int kind) {
        return IntStream.range(0, kinds.length)
                .filter(item -> (kinds[item] & mask) == kind)
                .map(item -> prefix + item)
                .toArray();
    }
}
