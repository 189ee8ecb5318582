package dev.stormproof.packaging.testing;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/** Prints how long each stage of a build took, and its slowest test classes, from the reports that its tests left. */
public final class BuildTimes {
    private static final int SLOWEST = 20;

    private BuildTimes() {}

    /** A test class, or several that ran at once. */
    private record Run(String name, Instant begin, Instant end) {
        double seconds() {
            return Duration.between(begin, end).toMillis() / 1e3;
        }
    }

    /** Takes the time at which the build began, and its directory. */
    public static void main(String[] arguments) throws Exception {
        Instant begin = Instant.parse(arguments[0]);
        Path target = Path.of(arguments[1]);
        List<Run> unit = runs(target.resolve("surefire-reports"), begin);
        List<Run> cluster = runs(target.resolve("failsafe-reports"), begin);
        Instant last = begin;
        last = stage("compile", "unit and broker tests", unit, last);
        stage("package", "cluster tests", cluster, last);
        if (unit.isEmpty() && cluster.isEmpty()) {
            return;
        }
        System.out.println("the slowest test classes:");
        Stream.concat(unit.stream(), cluster.stream())
                .sorted(Comparator.comparingDouble(Run::seconds).reversed())
                .limit(SLOWEST)
                .forEach(run -> System.out.printf(Locale.ROOT, "  %6.1f s  %s%n", run.seconds(), run.name));
    }

    private static Instant stage(String before, String within, List<Run> runs, Instant last) {
        if (runs.isEmpty()) {
            return last;
        }
        Instant first =
                runs.stream().map(Run::begin).min(Comparator.naturalOrder()).orElseThrow();
        Instant end = runs.stream().map(Run::end).max(Comparator.naturalOrder()).orElseThrow();
        print(before, last, first, "");
        double seconds = runs.stream().mapToDouble(Run::seconds).sum();
        print(within, first, end, String.format(Locale.ROOT, ", %.0f s in %d classes", seconds, runs.size()));
        return end;
    }

    private static void print(String stage, Instant begin, Instant end, String more) {
        Duration took = Duration.between(begin, end);
        System.out.printf("%-22s %d:%02d min%s%n", stage, took.toMinutes(), took.toSecondsPart(), more);
    }

    /** The classes that ran since: a report is written when its class has ended. */
    private static List<Run> runs(Path reports, Instant since) throws Exception {
        List<Run> runs = new ArrayList<>();
        if (!Files.isDirectory(reports)) {
            return runs;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(reports, "TEST-*.xml")) {
            for (Path file : files) {
                Instant end = Files.getLastModifiedTime(file).toInstant();
                if (end.isAfter(since)) {
                    runs.add(run(file, end));
                }
            }
        }
        return runs;
    }

    private static Run run(Path file, Instant end) throws Exception {
        try (var in = Files.newInputStream(file)) {
            Element suite = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(in)
                    .getDocumentElement();
            double seconds = Double.parseDouble(suite.getAttribute("time"));
            return new Run(suite.getAttribute("name"), end.minusMillis((long) (seconds * 1e3)), end);
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
