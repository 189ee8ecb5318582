package dev.stormproof.detection;

import dev.stormproof.detection.Trials.Outcome;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.trial.Arguments;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The program makes the tables of src/test/resources/roots.md: for each tree hash, kind of damage and size of interval, how often the root stayed
 * the same although the events did not.
 *
 * <p>Only roots are compared. A verifier also compares counts, and in format 1 the leaves themselves, so that it notices
 * more.
 */
public final class DetectionProgram {
    private static final String USAGE = """
            Makes the tables of src/test/resources/roots.md: how much damage a tree's root does not notice.

              scripts/trial detection [TRIALS [SEED]]

            TRIALS is the number for each kind of damage and the default tree hash (10000000, which takes half an hour on two
            cores; 100000 takes a minute). The same seed gives the same tables. Needs a JDK 17 or newer (JAVA_HOME, or java in PATH),
            and the network for the first build.
            """;

    /** Powers of two, their neighbours and sizes in between, up to the largest of interest. */
    static final List<Integer> EVENTS = List.of(2, 3, 4, 7, 8, 16, 33, 64, 128, 256, 500, 1_024, 2_048, 4_096);

    /**
     * Trials over all sizes, for each kind of damage.
     *
     * @param share the part of the wanted number of trials that is made
     */
    private record Series(TreeHash treeHash, Signatures signatures, double share) {
        String label() {
            return treeHash.label() + (signatures == Signatures.COUNTED ? ", counted signatures" : "");
        }
    }

    private static final List<Series> SERIES = List.of(
            new Series(TreeHash.XXH3, Signatures.RANDOM, 1),
            new Series(TreeHash.XXH3, Signatures.COUNTED, 1),
            new Series(TreeHash.SHA256, Signatures.RANDOM, 0.1),
            new Series(TreeHash.ADLER32, Signatures.RANDOM, 1),
            new Series(TreeHash.ADLER32, Signatures.COUNTED, 0.1));

    private final long trials;
    private final long seed;
    private final Map<Trials, Outcome> outcomes = new LinkedHashMap<>();

    private DetectionProgram(long trials, long seed) {
        this.trials = trials;
        this.seed = seed;
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        Arguments arguments = Arguments.of(USAGE, 2, args);
        DetectionProgram program = new DetectionProgram(arguments.number(0, 10_000_000), arguments.number(1, 3));
        program.run();
        program.print();
    }

    /** Trials that are to be made. */
    private record Task(Trials trials, long count, long seed) implements Callable<Outcome> {
        @Override
        public Outcome call() {
            return trials.run(count, seed);
        }

        /** How long it takes, roughly. */
        long effort() {
            return count * trials.events();
        }
    }

    private List<Task> tasks() {
        List<Task> tasks = new ArrayList<>();
        for (Series series : SERIES) {
            for (Damage damage : Damage.values()) {
                List<Integer> sizes = sizesFor(damage);
                long count = (long) Math.ceil(trials * series.share / sizes.size());
                for (int events : sizes) {
                    Trials cell = new Trials(series.treeHash, series.signatures, damage, events);
                    tasks.add(new Task(cell, count, seed + tasks.size()));
                }
            }
        }
        return tasks;
    }

    private void run() throws InterruptedException, ExecutionException {
        List<Task> tasks = tasks();
        // The long ones first, so that no thread is left alone with one at the end.
        tasks.sort(Comparator.comparingLong(Task::effort).reversed());
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<Outcome>> running = tasks.stream().map(threads::submit).toList();
            for (int i = 0; i < tasks.size(); i++) {
                outcomes.put(tasks.get(i).trials(), running.get(i).get());
                if ((i + 1) % (tasks.size() / 10) == 0) {
                    System.err.println((i + 1) + " of " + tasks.size());
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    static List<Integer> sizesFor(Damage damage) {
        return EVENTS.stream().filter(events -> events >= damage.leastEvents()).toList();
    }

    private void print() {
        System.out.printf("Seed %d.%n%n", seed);
        printTotals();
        for (Series series : SERIES) {
            printSizes(series);
        }
    }

    private void printTotals() {
        System.out.println("| tree hash | damage | trials | undetected | share, 95 % | words that agree | by chance |");
        System.out.println("|---|---|--:|--:|--:|--:|--:|");
        for (Series series : SERIES) {
            for (Damage damage : Damage.values()) {
                Outcome total = sizesFor(damage).stream()
                        .map(events -> outcome(series, damage, events))
                        .reduce(Outcome::plus)
                        .orElseThrow();
                Proportion undetected = total.undetected();
                boolean adler = series.treeHash == TreeHash.ADLER32;
                System.out.printf(
                        Locale.ROOT,
                        "| %s | %s | %,d | %,d | %s | %s | %s |%n",
                        series.label(),
                        damage.label(),
                        undetected.trials(),
                        undetected.hits(),
                        interval(undetected),
                        adler ? "" : "%,d".formatted(total.agreeingWords()),
                        adler
                                ? ""
                                : String.format(
                                        Locale.ROOT, "%,.0f (%+.1f σ)", total.expectedWords(), total.excessOfWords()));
            }
        }
    }

    private void printSizes(Series series) {
        StringBuilder head = new StringBuilder("| events |");
        StringBuilder rule = new StringBuilder("|--:|");
        for (Damage damage : Damage.values()) {
            head.append(' ').append(damage.label()).append(" |");
            rule.append("--:|");
        }
        System.out.printf("%nUndetected share, %s:%n%n%s%n%s%n", series.label(), head, rule);
        for (int events : EVENTS) {
            StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "| %,d |", events));
            for (Damage damage : Damage.values()) {
                row.append(' ')
                        .append(
                                events < damage.leastEvents()
                                        ? ""
                                        : share(outcome(series, damage, events).undetected()))
                        .append(" |");
            }
            System.out.println(row);
        }
    }

    private Outcome outcome(Series series, Damage damage, int events) {
        Outcome outcome = outcomes.get(new Trials(series.treeHash, series.signatures, damage, events));
        if (outcome == null) {
            throw new IllegalStateException("no trials of " + damage + " and " + events + " events");
        }
        return outcome;
    }

    private static String share(Proportion undetected) {
        return undetected.hits() == 0
                ? String.format(Locale.ROOT, "0 (< %.0e)", undetected.upper95())
                : String.format(Locale.ROOT, "%.1e", undetected.share());
    }

    private static String interval(Proportion undetected) {
        return undetected.hits() == 0
                ? String.format(Locale.ROOT, "0 to %.1e", undetected.upper95())
                : String.format(Locale.ROOT, "%.2e to %.2e", undetected.lower95(), undetected.upper95());
    }
}
