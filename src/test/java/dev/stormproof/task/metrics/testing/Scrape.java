package dev.stormproof.task.metrics.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a worker's endpoint served at one moment, in Prometheus's text format. */
public record Scrape(String text) {
    private static final Pattern TYPE = Pattern.compile("^# TYPE (\\S+) \\w+$", Pattern.MULTILINE);
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

    /** Asks for {@code /metrics} as Prometheus does. */
    public static Scrape of(String host, int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + "/metrics"))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type").orElseThrow()).startsWith("text/plain");
        return new Scrape(response.body());
    }

    /** True if a port of this machine serves metrics with a text; false, too, while nobody listens there. */
    public static boolean isServed(int port, String text) {
        try {
            return of("127.0.0.1", port).text().contains(text);
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The names of the metrics. */
    public Set<String> names() {
        return TYPE.matcher(text).results().map(type -> type.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The names of the labels of a metric, of the first of its samples. */
    public Set<String> labels(String metric) {
        Matcher first = samples(metric + "(_bucket)?").findFirst().orElseThrow(() -> new AssertionError(metric));
        Set<String> labels = new TreeSet<>();
        if (first.group(2) != null) {
            LABEL.matcher(first.group(2)).results().forEach(label -> labels.add(label.group(1)));
        }
        labels.remove("le");
        return labels;
    }

    /** The sum of a metric's samples that have these labels, each as name and value. */
    public double value(String metric, String... labels) {
        List<Matcher> found = samples(metric)
                .filter(sample -> {
                    for (int i = 0; i < labels.length; i += 2) {
                        if (sample.group(2) == null
                                || !sample.group(2).contains(labels[i] + "=\"" + labels[i + 1] + "\"")) {
                            return false;
                        }
                    }
                    return true;
                })
                .toList();
        assertThat(found).as("%s %s in %s", metric, List.of(labels), text).isNotEmpty();
        return found.stream()
                .mapToDouble(sample -> Double.parseDouble(sample.group(3)))
                .sum();
    }

    private Stream<Matcher> samples(String metric) {
        return text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(SAMPLE::matcher)
                .filter(sample -> sample.matches() && sample.group(1).matches(metric));
    }
}
