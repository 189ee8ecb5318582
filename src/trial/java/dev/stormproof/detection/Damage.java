package dev.stormproof.detection;

import java.util.SplittableRandom;

/** Damage happens to the events of an interval between their emission and their verification. */
enum Damage {
    /** An event and its successor change places. */
    ADJACENT_SWAP("adjacent swap", 2),
    /** Two events, any distance apart, change places. */
    TRANSPOSITION("transposition", 2),
    /** A run of 2 events or more goes to another place. */
    BLOCK_MOVE("block move", 3),
    /** An event is not there; in half of the trials a run of up to 16. */
    LOSS("loss", 2),
    /** An event is there once more: right behind itself in half of the trials, else somewhere later. */
    DUPLICATION("duplication", 2),
    /** An event has another signature: one that differs in a bit or a digit in half of the trials, else a new one. */
    REPLACEMENT("replacement", 2);

    private static final int LONGEST_LOSS = 16;

    private final String label;
    private final int leastEvents;

    Damage(String label, int leastEvents) {
        this.label = label;
        this.leastEvents = leastEvents;
    }

    String label() {
        return label;
    }

    /** How many events an interval must have for this to happen to it. */
    int leastEvents() {
        return leastEvents;
    }

    /** Does it at a random place to an interval, which it really changes. */
    void strike(TrialTree tree, SplittableRandom random) {
        int count = tree.count();
        switch (this) {
            case ADJACENT_SWAP -> {
                int i = random.nextInt(count - 1);
                tree.swap(i, i + 1);
            }
            case TRANSPOSITION -> {
                int i = random.nextInt(count);
                int j = random.nextInt(count - 1);
                tree.swap(i, j < i ? j : j + 1);
            }
            case BLOCK_MOVE -> {
                int run = 2 + random.nextInt(Math.max(1, count / 2 - 1));
                int from = random.nextInt(count - run + 1);
                int to = random.nextInt(count - run);
                tree.move(from, run, to < from ? to : to + 1);
            }
            case LOSS -> {
                int longest = Math.min(LONGEST_LOSS, count - 1);
                int run = longest == 1 || random.nextBoolean() ? 1 : 2 + random.nextInt(longest - 1);
                tree.lose(random.nextInt(count - run + 1), run);
            }
            case DUPLICATION -> {
                int i = random.nextInt(count);
                tree.duplicate(i, random.nextBoolean() ? i + 1 : i + 1 + random.nextInt(count - i));
            }
            case REPLACEMENT -> tree.replace(random.nextInt(count), random.nextBoolean(), random);
        }
    }
}
