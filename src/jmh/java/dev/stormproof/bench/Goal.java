package dev.stormproof.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A figure that is wanted, and how to tell from what was measured. */
sealed interface Goal {
    /** A goal that is only shown. */
    double NONE = Double.NaN;

    /** The path of 100,000 events: more where Java multiplies words unsigned in one instruction. */
    double PATH = Runtime.version().feature() < 18 ? 7 : 9;

    /** Behind a benchmark's name: with Adler-32 as zlib computes it. */
    String ZLIB = " zlib";

    /** The benchmarks that it takes, as {@link Figures} names them. */
    List<String> benchmarks();

    /** The figure as a line of text. */
    Line judge(Measurements measurements);

    /** A printed figure, and whether it is reached. */
    record Line(String text, boolean reached) {}

    /** What is plotted of it: how many times less CPU time ours takes; empty of those that are no such factor. */
    default Optional<Spread> factors(Measurements measurements) {
        return Optional.empty();
    }

    /** What it is called in tables and plots. */
    String name();

    /** How many times less CPU time ours takes: at least {@code wanted}. */
    record Factor(String name, String naive, String ours, double wanted) implements Goal {
        @Override
        public List<String> benchmarks() {
            return List.of(naive, ours);
        }

        @Override
        public Line judge(Measurements measurements) {
            Spread factors = spread(measurements);
            boolean reached = !(factors.median() < wanted);
            return line(
                    name, "%.1fx, least %.1fx".formatted(factors.median(), factors.least()), "%.0fx", wanted, reached);
        }

        @Override
        public Optional<Spread> factors(Measurements measurements) {
            return Optional.of(spread(measurements));
        }

        private Spread spread(Measurements measurements) {
            return Spread.of(measurements.cpuRatios(naive, ours));
        }
    }

    /** The CPU time of ours as a share of the naive one's: at most {@code wanted}. */
    record Share(String name, String naive, String ours, double wanted) implements Goal {
        @Override
        public List<String> benchmarks() {
            return List.of(naive, ours);
        }

        @Override
        public Line judge(Measurements measurements) {
            Spread shares = Spread.of(measurements.cpuRatios(ours, naive));
            boolean reached = !(shares.median() > wanted);
            return line(
                    name,
                    "%.2f %%, most %.2f %%".formatted(100 * shares.median(), 100 * shares.most()),
                    "%.1f %%",
                    100 * wanted,
                    reached);
        }
    }

    /** How many bytes are allocated for each of {@code events}: at most {@code wanted}. */
    record Allocation(String name, String benchmark, int events, double wanted) implements Goal {
        @Override
        public List<String> benchmarks() {
            return List.of(benchmark);
        }

        @Override
        public Line judge(Measurements measurements) {
            double bytes = Spread.of(measurements.allocatedBytes(benchmark)).most() / events;
            return line(name, "%.4f B an event".formatted(bytes), "%.2f B", wanted, !(bytes > wanted));
        }
    }

    private static Line line(String name, String got, String wantedFormat, double wanted, boolean reached) {
        String judgement = Double.isNaN(wanted)
                ? ""
                : "wanted " + String.format(Locale.ROOT, wantedFormat, wanted) + (reached ? "  reached" : "  MISSED");
        return new Line(String.format(Locale.ROOT, "  %-52s %-28s %s", name, got, judgement), reached);
    }

    /**
     * All figures, in the order of docs/PERFORMANCE.md.
     *
     * <p>A JDK 17 compiles Adler-32 to vector instructions where the processor has AVX2; before JDK 16, and elsewhere, it
     * calls zlib, as it did for the implementation that the baseline stands for. Both are shown.
     */
    static List<Goal> all() {
        List<Goal> goals = new ArrayList<>();
        goals.addAll(path("100,000 events, detail root", "root", 100_000, PATH));
        goals.addAll(path("100,000 events, detail leaves", "leaves", 100_000, NONE));
        goals.addAll(path("16 events, detail root", "root", 16, NONE));
        goals.addAll(path("16 events, detail leaves", "leaves", 16, NONE));
        goals.add(path("100,000 events, detail root, sha256", "rootSha256", 100_000, NONE)
                .get(0));
        goals.add(path("100,000 events, detail leaves, sha256", "leavesSha256", 100_000, NONE)
                .get(0));
        goals.add(new Factor(
                "the naive path, trusting nodes, 100,000 events",
                "CheckpointPath.naive events=100000",
                "CheckpointPath.naiveTrustingNodes events=100000",
                NONE));
        goals.addAll(factors("root of 100,000 events, xxh3", "BuildRoot.naive", "BuildRoot.xxh3", 100_000, NONE));
        goals.add(factors("root of 100,000 events, sha256", "BuildRoot.naive", "BuildRoot.sha256", 100_000, NONE)
                .get(0));
        goals.add(new Allocation("allocated for the root, xxh3", "BuildRoot.xxh3 events=100000", 100_000, 0.01));
        goals.add(new Allocation("allocated for the root, sha256", "BuildRoot.sha256 events=100000", 100_000, 0.01));
        goals.add(alignment("identical", "NONE", 0.015));
        goals.add(alignment("one fault", "ONE", 0.07));
        goals.add(alignment("1,000 faults", "THOUSAND", 0.6));
        for (String faults : List.of("NONE", "ONE", "THOUSAND")) {
            goals.add(new Allocation(
                    "allocated for the alignment, faults " + faults,
                    "Alignment.ours faults=" + faults,
                    Alignment.EVENTS,
                    64));
        }
        return goals;
    }

    private static Goal alignment(String name, String faults, double wanted) {
        return new Share(
                "alignment of 100,000 events, " + name,
                "Alignment.naive faults=" + faults,
                "Alignment.ours faults=" + faults,
                wanted);
    }

    private static List<Goal> path(String name, String ours, int events, double wanted) {
        return factors("path of " + name, "CheckpointPath.naive", "CheckpointPath." + ours, events, wanted);
    }

    private static List<Goal> factors(String name, String naive, String ours, int events, double wanted) {
        String parameter = " events=" + events;
        return List.of(
                new Factor(name, naive + parameter, ours + parameter, wanted),
                new Factor(name + ", zlib", naive + parameter + ZLIB, ours + parameter, NONE));
    }
}
