package dev.stormproof.small;

import dev.stormproof.small.Faults.Faulty;
import dev.stormproof.small.Scenario.Answers;
import dev.stormproof.small.SmallLog.Hints;
import dev.stormproof.small.SmallStream.Ending;
import dev.stormproof.verify.fold.Bounds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Small logs, verified in every way: of one stream with three intervals of 0 to 2 events, and of two streams.
 *
 * <pre>
 *   {@link #faultless}   every shape, ending and kind of hints: every order of answers; every restart, with all heads, with none and from
 *                every earlier commit; every silence, cut and expiry, and each of them with a restart
 *   {@link #faulty}      every shape and ending with every single fault: every order of answers, every restart with all heads and with
 *                none, every silence
 *   {@link #harmed}      six shapes with every single fault: every cut, every expiry, every restart from an earlier commit or after a
 *                silence
 *   {@link #interleaved} two streams in three orders with every single fault: every restart, with all heads, with none, with those of one
 *   {@link #pairs}       two faults and two things that happen, drawn from a seed
 * </pre>
 *
 * <p>Each part may be played from several threads.
 */
final class SmallLogs {
    private static final int MOST_ORDERS = 120;
    private static final List<Hints> HINTS = List.of(Hints.values());
    private static final List<Ending> ENDINGS = List.of(Ending.values());
    private static final List<Answers> WHOLE_ORDERS =
            List.of(Answers.AT_ONCE, Answers.FIRST_FIRST, Answers.LAST_FIRST, Answers.READ_EARLY);
    private static final Bounds TIGHT = new Bounds(1, 1, 3, 4_096);

    /** Shapes that have an empty interval, one of one event and one of two, in every place. */
    private static final List<List<Integer>> SIX = List.of(
            List.of(0, 1, 2), List.of(1, 2, 0), List.of(2, 0, 1), List.of(1, 1, 1), List.of(0, 0, 2), List.of(2, 2, 1));

    private final Broken broken = new Broken();
    private final LongAdder logs = new LongAdder();
    private final LongAdder plays = new LongAdder();
    private final LongAdder findings = new LongAdder();
    private final LongAdder brokenPlays = new LongAdder();
    private final int every;

    /** @param every of so many faulty logs one is played */
    SmallLogs(int every) {
        this.every = every;
    }

    /** What one thread can do alone. */
    interface Part extends Runnable {}

    List<Part> everything() {
        List<Part> parts = new ArrayList<>();
        List<List<Integer>> shapes = SmallStream.shapes();
        for (int i = 0; i < shapes.size(); i++) {
            for (int j = 0; j < ENDINGS.size(); j++) {
                SmallStream stream = new SmallStream(0, shapes.get(i), ENDINGS.get(j));
                Hints turn = HINTS.get((i + j) % HINTS.size());
                if (stream.isPossible()) {
                    HINTS.forEach(hints -> parts.add(() -> faultless(SmallLog.of(stream, hints))));
                    parts.add(() -> faulty(SmallLog.of(stream, turn)));
                }
            }
        }
        for (int i = 0; i < SIX.size(); i++) {
            List<Integer> shape = SIX.get(i);
            List<Integer> other = SIX.get((i + 1) % SIX.size());
            Hints turn = HINTS.get(i % HINTS.size());
            parts.add(() -> harmed(SmallLog.of(new SmallStream(0, shape, Ending.OPEN), turn)));
            parts.add(() -> interleaved(shape, other));
        }
        for (Ending ending : List.of(Ending.CLOSED, Ending.IN_DOUBT)) {
            for (List<Integer> shape : SIX.subList(2, 4)) {
                parts.add(() -> harmed(SmallLog.of(new SmallStream(0, shape, ending), Hints.PREDECESSOR)));
            }
        }
        return parts;
    }

    void faultless(SmallLog small) {
        Faulty none = Faulty.none(small.faultless());
        int size = none.tokens().size();
        logs.increment();
        orders(small, none);
        for (List<Scenario> scenarios : List.of(
                Scenario.restarts(size, true),
                Scenario.silences(size, true),
                Scenario.cuts(size, true),
                Scenario.expiries(size, true))) {
            for (Scenario scenario : scenarios) {
                play(small, none, scenario);
                play(small, none, scenario.answered(Answers.LAST_FIRST));
                play(small, none, scenario.answered(Answers.READ_EARLY));
            }
        }
    }

    void faulty(SmallLog small) {
        for (Faulty faulty : some(small)) {
            int size = faulty.tokens().size();
            logs.increment();
            orders(small, faulty);
            for (Scenario scenario : Scenario.restarts(size, false)) {
                play(small, faulty, scenario);
                play(small, faulty, scenario.answered(Answers.LAST_FIRST));
            }
            Scenario.silences(size, false).forEach(scenario -> play(small, faulty, scenario));
        }
    }

    void harmed(SmallLog small) {
        for (Faulty faulty : some(small)) {
            int size = faulty.tokens().size();
            logs.increment();
            Scenario.cuts(size, false).forEach(scenario -> play(small, faulty, scenario));
            Scenario.expiries(size, false).forEach(scenario -> play(small, faulty, scenario));
            Scenario.restarts(size, true).stream()
                    .filter(scenario -> scenario.steps().size() > 1)
                    .forEach(scenario -> play(small, faulty, scenario));
            Scenario.silences(size, true).stream()
                    .filter(scenario -> scenario.steps().size() > 1)
                    .forEach(scenario -> play(small, faulty, scenario));
        }
    }

    void interleaved(List<Integer> shape, List<Integer> other) {
        List<SmallStream> streams =
                List.of(new SmallStream(0, shape, Ending.OPEN), new SmallStream(1, other, Ending.CLOSED));
        for (List<Token> tokens : interleavings(streams)) {
            SmallLog small = new SmallLog(streams, tokens, Hints.PREDECESSOR);
            for (Faulty faulty : some(small)) {
                logs.increment();
                play(small, faulty, Scenario.PLAIN);
                play(small, faulty, Scenario.PLAIN.answered(Answers.LAST_FIRST));
                play(small, faulty, Scenario.PLAIN.answered(Answers.FIRST_FIRST));
                for (Scenario scenario : Scenario.restarts(faulty.tokens().size(), false)) {
                    play(small, faulty, scenario);
                    Scenario.Step step = scenario.steps().get(0);
                    if (step.kind() == Scenario.Kind.FORGET) {
                        play(small, faulty, Scenario.of(Scenario.Step.of(Scenario.Kind.FORGET_ONE, step.at())));
                    }
                }
            }
        }
    }

    /** By turns, by turns of three, and one within the other. */
    private static List<List<Token>> interleavings(List<SmallStream> streams) {
        List<Token> first = streams.get(0).tokens();
        List<Token> second = streams.get(1).tokens();
        List<List<Token>> all = new ArrayList<>();
        for (int turn : new int[] {1, 3}) {
            List<Token> mixed = new ArrayList<>();
            for (int i = 0; i < Math.max(first.size(), second.size()); i += turn) {
                mixed.addAll(first.subList(Math.min(i, first.size()), Math.min(i + turn, first.size())));
                mixed.addAll(second.subList(Math.min(i, second.size()), Math.min(i + turn, second.size())));
            }
            all.add(mixed);
        }
        List<Token> within = new ArrayList<>(first);
        within.addAll(first.size() / 2, second);
        all.add(within);
        return all;
    }

    /** The faultless log, and those with a single fault, as far as they are to be played. */
    private List<Faulty> some(SmallLog small) {
        List<Faulty> all =
                Faults.single(small.faultless(), small.streams().get(0).last());
        List<Faulty> some = new ArrayList<>();
        int first = Math.floorMod(small.faultless().hashCode(), every);
        for (int i = first; i < all.size(); i += every) {
            some.add(all.get(i));
        }
        some.add(Faulty.none(small.faultless()));
        return some;
    }

    /** Every order of answers. */
    private void orders(SmallLog small, Faulty faulty) {
        play(small, faulty, Scenario.PLAIN);
        play(small, faulty, Scenario.PLAIN.answered(Answers.READ_EARLY));
        List<Integer> choices = List.of();
        for (int order = 0; order < MOST_ORDERS && choices != null; order++) {
            choices = next(
                    choices,
                    play(small, faulty, Scenario.PLAIN.choosing(choices)).radices());
        }
    }

    /** The next choices after some, each below its radix; null if there are none. */
    private static @Nullable List<Integer> next(List<Integer> choices, List<Integer> radices) {
        List<Integer> all = new ArrayList<>(choices);
        while (all.size() < radices.size()) {
            all.add(0);
        }
        for (int i = radices.size() - 1; i >= 0; i--) {
            if (all.get(i) + 1 < radices.get(i)) {
                all.set(i, all.get(i) + 1);
                return new ArrayList<>(all.subList(0, i + 1));
            }
        }
        return null;
    }

    /** Logs with two faults, each played in some ways. */
    void pairs(long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < count; i++) {
            SmallLog small = drawn(random);
            int last = small.streams().get(0).last();
            Faulty one = one(Faults.single(small.faultless(), last), random);
            Faulty two = one.and(one(Faults.single(one.tokens(), last), random));
            logs.increment();
            for (int way = 0; way < 12; way++) {
                Scenario scenario =
                        new Scenario(steps(two.tokens().size(), random), one(WHOLE_ORDERS, random), List.of());
                play(small, two, scenario, random.nextInt(4) == 0 ? TIGHT : Bounds.DEFAULT);
            }
        }
    }

    private static <T> T one(List<T> all, SplittableRandom random) {
        return all.get(random.nextInt(all.size()));
    }

    private static SmallLog drawn(SplittableRandom random) {
        Hints hints = one(HINTS, random);
        List<SmallStream> streams = new ArrayList<>();
        streams.add(drawn(0, random));
        if (random.nextInt(3) > 0) {
            return SmallLog.of(streams.get(0), hints);
        }
        streams.add(drawn(1, random));
        List<Token> first = new ArrayList<>(streams.get(0).tokens());
        List<Token> second = new ArrayList<>(streams.get(1).tokens());
        List<Token> mixed = new ArrayList<>();
        while (!first.isEmpty() || !second.isEmpty()) {
            boolean fromFirst = second.isEmpty() || (!first.isEmpty() && random.nextBoolean());
            mixed.add((fromFirst ? first : second).remove(0));
        }
        return new SmallLog(streams, mixed, hints);
    }

    private static SmallStream drawn(int index, SplittableRandom random) {
        SmallStream stream = new SmallStream(index, one(SmallStream.shapes(), random), one(ENDINGS, random));
        return stream.isPossible() ? stream : new SmallStream(index, stream.sizes(), Ending.OPEN);
    }

    private static List<Scenario.Step> steps(int size, SplittableRandom random) {
        List<Scenario.Step> steps = new ArrayList<>();
        int at = 0;
        for (int i = random.nextInt(4); i > 0 && at < size; i--) {
            at += random.nextInt(size - at + 1);
            Scenario.Kind kind = one(List.of(Scenario.Kind.values()), random);
            steps.add(new Scenario.Step(
                    kind, at, random.nextInt(size + 1), one(List.of(Scenario.Again.values()), random)));
        }
        return steps;
    }

    Play play(SmallLog small, Faulty faulty, Scenario scenario) {
        return play(small, faulty, scenario, Bounds.DEFAULT);
    }

    private Play play(SmallLog small, Faulty faulty, Scenario scenario, Bounds bounds) {
        Play play = new Play(small, scenario, bounds);
        plays.increment();
        try {
            play.run(faulty.tokens());
        } catch (RuntimeException e) {
            brokenPlays.increment();
            broken.add("failed: " + e + " " + e.getStackTrace()[0] + ": ", small, faulty, scenario, play);
            return play;
        }
        findings.add(play.told().size());
        List<String> wrong = Truth.broken(small, play);
        brokenPlays.add(wrong.isEmpty() ? 0 : 1);
        for (String what : wrong) {
            broken.add(what, small, faulty, scenario, play);
        }
        return play;
    }

    Broken broken() {
        return broken;
    }

    long logs() {
        return logs.sum();
    }

    /** How many of the ways broke a promise. */
    long brokenPlays() {
        return brokenPlays.sum();
    }

    long plays() {
        return plays.sum();
    }

    @Override
    public String toString() {
        return logs.sum() + " small logs, played in " + plays.sum() + " ways, with " + findings.sum() + " findings";
    }
}
