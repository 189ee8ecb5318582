package dev.stormproof.small;

import dev.stormproof.small.Faults.Faulty;
import dev.stormproof.small.Scenario.Answers;
import dev.stormproof.small.SmallLog.Hints;
import dev.stormproof.small.SmallStream.Ending;
import dev.stormproof.verify.fold.Bounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Every small log, verified in every way: of one stream with three intervals of 0 to 2 events, and of two streams.
 *
 * <pre>
 *   {@link #faultless}   every shape, every ending: restarts from every commit, silences, cuts, expiries, every order of answers
 *   {@link #faulty}      the same with every single fault: every restart with and without heads, every silence, every order of answers
 *   {@link #harmed}      six shapes with every single fault: every cut, every expiry, every restart from an earlier commit or a silence
 *   {@link #interleaved} two streams, one of which has every single fault
 *   {@link #pairs}       two faults and two things that happen, drawn from a seed
 * </pre>
 *
 * <p>Each part may be played from several threads.
 */
final class SmallLogs {
    private static final int MOST_ORDERS = 120;
    private static final Bounds TIGHT = new Bounds(1, 1, 3, 4_096);

    /** Shapes that have an empty interval, one of one event and one of two, in every place. */
    private static final List<List<Integer>> SIX = List.of(
            List.of(0, 1, 2), List.of(1, 2, 0), List.of(2, 0, 1), List.of(1, 1, 1), List.of(0, 0, 2), List.of(2, 2, 1));

    private final Broken broken = new Broken();
    private final LongAdder logs = new LongAdder();
    private final LongAdder plays = new LongAdder();
    private final LongAdder findings = new LongAdder();
    private final int every;

    /** @param every of so many faulty logs one is played */
    SmallLogs(int every) {
        this.every = every;
    }

    /** What one thread can do alone. */
    interface Part extends Runnable {}

    List<Part> everything() {
        List<Part> parts = new ArrayList<>();
        for (List<Integer> shape : SmallStream.shapes()) {
            parts.addAll(one(shape, Hints.values(), this::faultless));
            parts.addAll(one(shape, Hints.values(), this::faulty));
        }
        for (List<Integer> shape : SIX) {
            parts.addAll(one(shape, new Hints[] {Hints.PREDECESSOR, Hints.NONE}, this::harmed));
        }
        for (List<Integer> shape : SIX) {
            for (List<Integer> other : SIX.subList(0, 3)) {
                parts.add(() -> interleaved(shape, other));
            }
        }
        return parts;
    }

    private static List<Part> one(List<Integer> shape, Hints[] hints, Consumer<SmallLog> play) {
        List<Part> parts = new ArrayList<>();
        for (Ending ending : Ending.values()) {
            SmallStream stream = new SmallStream(0, shape, ending);
            if (stream.isPossible()) {
                Arrays.stream(hints).forEach(hint -> parts.add(() -> play.accept(SmallLog.of(stream, hint))));
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
        for (Ending ending : List.of(Ending.OPEN, Ending.CLOSED)) {
            List<SmallStream> streams =
                    List.of(new SmallStream(0, shape, ending), new SmallStream(1, other, Ending.OPEN));
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
    }

    /** One after the other, by turns, by turns of two, and one within the other. */
    private static List<List<Token>> interleavings(List<SmallStream> streams) {
        List<Token> first = streams.get(0).tokens();
        List<Token> second = streams.get(1).tokens();
        List<List<Token>> all = new ArrayList<>();
        for (int turn : new int[] {1, 2, 3, 99}) {
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
    private static @org.jspecify.annotations.Nullable List<Integer> next(List<Integer> choices, List<Integer> radices) {
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
                Scenario scenario = new Scenario(
                        steps(two.tokens().size(), random), Answers.values()[random.nextInt(4)], List.of());
                play(small, two, scenario, random.nextInt(4) == 0 ? TIGHT : Bounds.DEFAULT);
            }
        }
    }

    private static <T> T one(List<T> all, SplittableRandom random) {
        return all.get(random.nextInt(all.size()));
    }

    private static SmallLog drawn(SplittableRandom random) {
        Hints hints = Hints.values()[random.nextInt(3)];
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
        SmallStream stream =
                new SmallStream(index, one(SmallStream.shapes(), random), Ending.values()[random.nextInt(3)]);
        return stream.isPossible() ? stream : new SmallStream(index, stream.sizes(), Ending.OPEN);
    }

    private static List<Scenario.Step> steps(int size, SplittableRandom random) {
        List<Scenario.Step> steps = new ArrayList<>();
        int at = 0;
        for (int i = random.nextInt(4); i > 0 && at < size; i--) {
            at += random.nextInt(size - at + 1);
            Scenario.Kind kind = Scenario.Kind.values()[random.nextInt(Scenario.Kind.values().length)];
            steps.add(new Scenario.Step(
                    kind,
                    at,
                    random.nextInt(size + 1),
                    Scenario.Again.values()[random.nextInt(Scenario.Again.values().length)]));
        }
        return steps;
    }

    private Play play(SmallLog small, Faulty faulty, Scenario scenario) {
        return play(small, faulty, scenario, Bounds.DEFAULT);
    }

    private Play play(SmallLog small, Faulty faulty, Scenario scenario, Bounds bounds) {
        Play play = new Play(small, scenario, bounds);
        plays.increment();
        try {
            play.run(faulty.tokens());
        } catch (RuntimeException e) {
            broken.add("failed: " + e + " " + e.getStackTrace()[0] + ": ", small, faulty, scenario, play);
            return play;
        }
        findings.add(play.told().size());
        for (String what : Truth.broken(small, play)) {
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

    long plays() {
        return plays.sum();
    }

    @Override
    public String toString() {
        return logs.sum() + " small logs, played in " + plays.sum() + " ways, with " + findings.sum() + " findings";
    }
}
