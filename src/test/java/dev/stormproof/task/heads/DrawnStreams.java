package dev.stormproof.task.heads;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.fold.Head;
import dev.stormproof.verify.fold.SavedStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** What is saved of streams, drawn at random. */
final class DrawnStreams {
    private static final int[] HASHES = {0, 8, 32};
    private static final String[] NAMES = {"", "billing", "Rechnungen für Österreich", "名".repeat(85)};

    private DrawnStreams() {}

    static SavedStream stream(long emitter, SplittableRandom random) {
        return new SavedStream(
                emitter,
                some(1, SavedStream.MOST_HEADS, random, () -> head(random)),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                some(
                        0,
                        SavedStream.MOST_DROPPED,
                        random,
                        () -> new SavedStream.Dropped(drawn(0, random), hash(random))));
    }

    private static Head head(SplittableRandom random) {
        return new Head(
                drawn(-1, random),
                drawn(-1, random),
                drawn(0, random),
                hash(random),
                drawn(0, random),
                random.nextBoolean(),
                NAMES[random.nextInt(NAMES.length)],
                random.nextLong(),
                drawn(-1, random),
                random.nextBoolean(),
                random.nextBoolean());
    }

    private static long drawn(long least, SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> least;
            case 1 -> Long.MAX_VALUE;
            default -> random.nextLong(1L << random.nextInt(1, 62));
        };
    }

    private static Hash hash(SplittableRandom random) {
        byte[] bytes = new byte[HASHES[random.nextInt(HASHES.length)]];
        random.nextBytes(bytes);
        return Hash.copyOf(bytes);
    }

    private static <T> List<T> some(int least, int most, SplittableRandom random, Supplier<T> one) {
        List<T> some = new ArrayList<>();
        int count = random.nextInt(least, most + 1);
        for (int i = 0; i < count; i++) {
            some.add(one.get());
        }
        return some;
    }
}
