package dev.stormproof.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertSchema;
import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Verdict;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.judge.Verdict.Violated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The findings that a topology told so far, as its topics of alerts and of verdicts hold them. */
final class Told {
    final List<ConsumerRecord<byte[], byte[]>> raw = new ArrayList<>();
    private final List<Alert> alerts = new ArrayList<>();
    private final List<Alert> verdicts = new ArrayList<>();

    void take(ConsumerRecord<byte[], byte[]> record, String alertsTopic) {
        raw.add(record);
        try {
            (record.topic().equals(alertsTopic) ? alerts : verdicts).add(AlertSchema.read(record.value()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last word on each alert of a topic. */
    List<Finding> alerts(String topic) {
        Map<String, Finding> last = new LinkedHashMap<>();
        alerts.stream()
                .filter(alert -> alert.finding().id().startsWith(topic + "/"))
                .forEach(alert -> last.put(alert.finding().id(), alert.finding()));
        return List.copyOf(last.values());
    }

    List<Verdict> finalVerdicts(String topic) {
        return verdicts.stream()
                .filter(alert -> alert.finding().id().startsWith(topic + "/"))
                .map(Alert::finding)
                .filter(Verdict.class::isInstance)
                .map(Verdict.class::cast)
                .filter(verdict -> verdict.revision() == Finding.FINAL_REVISION)
                .toList();
    }

    /** True once the alert of a verdict was read, for one that needs any. */
    boolean isAlerted(Verdict verdict) {
        return verdict instanceof Verified || eventIds().contains(verdict.revisionId());
    }

    Set<String> namedIn(String topic) {
        Set<String> named = new TreeSet<>();
        for (Finding finding : alerts(topic)) {
            assertThat(finding).isNotInstanceOf(Inconclusive.class);
            if (finding instanceof Violated violated) {
                violated.anomalies().forEach(anomaly -> name(anomaly, named));
            }
        }
        return named;
    }

    List<String> eventIds() {
        return alerts.stream().map(alert -> alert.finding().revisionId()).toList();
    }

    private static void name(Anomaly anomaly, Set<String> named) {
        String kind = anomaly.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
        for (long sequence = anomaly.begin(); sequence < anomaly.end(); sequence++) {
            named.add(kind + " " + sequence);
        }
    }
}
