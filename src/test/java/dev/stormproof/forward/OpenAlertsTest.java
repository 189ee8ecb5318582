package dev.stormproof.forward;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.judge.Anomaly.Kind;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is kept of alerts, and what is told of them. */
@Timeout(60)
class OpenAlertsTest {
    private final OpenAlerts alerts = new OpenAlerts();

    private static Alert violated(int number) {
        return Findings.violated(0, number, false, Findings.anomaly(Kind.LOST, 0, 417, 418));
    }

    /** An alert whose summary is so long. */
    private static byte[] ofCharacters(Alert alert, int characters) {
        String written = new String(AlertJson.write(alert), UTF_8);
        return written.replace("\"summary\":\"", "\"summary\":\"" + "x".repeat(characters))
                .getBytes(UTF_8);
    }

    private List<String> subjects() {
        return alerts.all().stream().map(standing -> standing.alert().subject()).toList();
    }

    @Test
    void ofARecordNothingIsKeptBehindWhatTellsTheAlertAgain() throws IOException {
        Alert alert = violated(1);
        WeakReference<JsonNode> record = new WeakReference<>(
                alerts.take(AlertJson.write(alert)).orElseThrow().written());
        WeakReference<JsonNode> acceptance =
                new WeakReference<>(alerts.take(AlertJson.write(Acceptance.of(alert, 1, "alice", "sent again")))
                        .orElseThrow()
                        .written());

        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while ((record.get() != null || acceptance.get() != null) && System.nanoTime() < deadlineNanos) {
            System.gc();
        }
        assertThat(record.get()).isNull();
        assertThat(acceptance.get()).isNull();
        assertThat(alerts.all()).singleElement().satisfies(standing -> {
            assertThat(standing.state()).isEqualTo(Standing.State.ACCEPTED);
            assertThat(standing.alert().summary()).isNotEmpty();
        });
    }

    @Test
    void beyondTheBytesTheAlertOfLongestAgoIsForgottenAndCountsAsNew() throws IOException {
        int characters = 8 << 20; // Two bytes each.
        int fitting = (int) (OpenAlerts.MOST_BYTES / (2L * characters)) - 1;
        for (int number = 0; number < fitting; number++) {
            alerts.take(ofCharacters(violated(number), characters));
        }
        assertThat(alerts.all()).hasSize(fitting);
        assertThat(alerts.take(AlertJson.write(violated(0)))).as("known").isEmpty();

        alerts.take(ofCharacters(violated(fitting), characters));
        alerts.take(ofCharacters(violated(fitting + 1), characters));
        assertThat(subjects())
                .contains(
                        violated(0).subject(),
                        violated(fitting).subject(),
                        violated(fitting + 1).subject())
                .doesNotContain(violated(1).subject());
        assertThat(alerts.take(AlertJson.write(violated(1)))).as("forgotten").isPresent();
    }
}
