package dev.stormproof.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The usage of a process over time: resident memory, threads and open files, as Linux tells them.
 *
 * <p>It is flat if the mean of its last third is not above that of its second third by more than a tenth and some.
 */
final class Usage implements AutoCloseable {
    private static final long EVERY_SECONDS = 2;
    private static final double MOST_GROWTH = 1.1;
    /** Half an hour: before that a heap still grows. */
    private static final int FEWEST = 900;

    private static final int WIDTH = 800;
    private static final int HEIGHT = 120;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "usage");
        thread.setDaemon(true);
        return thread;
    });
    private final long pid;
    private final List<Sample> samples = new ArrayList<>();

    /** One look at the process. */
    record Sample(double memoryMb, double threads, double files) {}

    /** What is plotted and judged: more by {@code slack} is no growth. */
    private record Measure(String name, double slack, ToDoubleFunction<Sample> of) {}

    private static final List<Measure> MEASURES = List.of(
            new Measure("resident memory, MB", 16, Sample::memoryMb),
            new Measure("threads", 2, Sample::threads),
            new Measure("open files", 8, Sample::files));

    private Usage(long pid) {
        this.pid = pid;
    }

    /** Watches a process until closed. */
    static Usage of(long pid) {
        Usage usage = new Usage(pid);
        var unused = usage.timer.scheduleAtFixedRate(usage::look, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
        return usage;
    }

    private void look() {
        try {
            Path process = Path.of("/proc", Long.toString(pid));
            List<String> status = Files.readAllLines(process.resolve("status"));
            try (Stream<Path> files = Files.list(process.resolve("fd"))) {
                add(new Sample(field(status, "VmRSS") / 1024, field(status, "Threads"), files.count()));
            }
        } catch (IOException e) {
            // It has ended; whoever started it sees that.
        }
    }

    synchronized void add(Sample sample) {
        samples.add(sample);
    }

    private static double field(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToDouble(line -> Double.parseDouble(line.split("\\s+", -1)[1]))
                .findFirst()
                .orElse(0);
    }

    /** What grew; empty if all is flat, or if it is too early to tell. */
    synchronized List<String> complaints() {
        if (samples.size() < FEWEST) {
            return List.of();
        }
        List<String> complaints = new ArrayList<>();
        int third = samples.size() / 3;
        for (Measure measure : MEASURES) {
            double before = mean(measure, third, 2 * third);
            double after = mean(measure, 2 * third, samples.size());
            if (after > before * MOST_GROWTH + measure.slack) {
                complaints.add(String.format(Locale.ROOT, "NOT FLAT %s: %.0f, then %.0f", measure.name, before, after));
            }
        }
        return complaints;
    }

    synchronized String summary() {
        int third = samples.size() / 3;
        StringBuilder text = new StringBuilder();
        for (Measure measure : MEASURES) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s%s %.0f → %.0f",
                    text.isEmpty() ? "" : ", ",
                    measure.name,
                    mean(measure, third, 2 * third),
                    mean(measure, 2 * third, samples.size())));
        }
        return text.toString();
    }

    private double mean(Measure measure, int begin, int end) {
        return samples.subList(begin, end).stream()
                .mapToDouble(measure.of)
                .average()
                .orElse(0);
    }

    /** One line in time for each measure, from 0 up. */
    synchronized String svg() {
        StringBuilder svg = new StringBuilder(String.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n",
                WIDTH, MEASURES.size() * HEIGHT));
        int top = 0;
        for (Measure measure : MEASURES) {
            double most = samples.stream().mapToDouble(measure.of).max().orElse(1);
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"4\" y=\"%d\">%s, up to %.0f, in %d s</text>%n<polyline fill=\"none\" stroke=\"#07c\" points=\"",
                    top + 14,
                    measure.name,
                    most,
                    samples.size() * EVERY_SECONDS));
            for (int i = 0; i < samples.size(); i++) {
                double height = (HEIGHT - 24) * measure.of.applyAsDouble(samples.get(i)) / most;
                svg.append(String.format(
                        Locale.ROOT, "%.1f,%.1f ", i * (double) WIDTH / samples.size(), top + HEIGHT - 4 - height));
            }
            svg.append("\"/>\n");
            top += HEIGHT;
        }
        return svg.append("</svg>\n").toString();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
