package dev.stormproof.alert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.cli.testing.Findings;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Undelivered;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What somebody accepted, as it is written, and of what it speaks. */
class AcceptancesTest {
    private static final Alert OPEN = Findings.violated(0, 4, true, Findings.anomaly(Kind.LOST, 0, 417, 418));
    private static final Alert FINAL = Findings.violated(0, 4, false, Findings.anomaly(Kind.LOST, 0, 417, 419));

    private final Acceptances acceptances = new Acceptances();

    private static Acceptance of(Alert alert) {
        return Acceptance.of(alert, 1_700_000_000_000L, "alice", "sent again");
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        Alert ofATopic = new Alert("/stormproof/orders", 1, -7, FINAL.finding());
        for (Alert alert : new Alert[] {OPEN, FINAL, ofATopic}) {
            byte[] written = AlertJson.write(of(alert));
            AlertSchema.check(written);
            assertThat(AlertJson.readRecord(written)).isEqualTo(of(alert));
        }
        assertThatThrownBy(() -> AlertJson.read(AlertJson.write(of(FINAL))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("an acceptance");
        String without = new String(AlertJson.write(of(FINAL)), UTF_8).replace("\"by\"", "\"who\"");
        assertThatThrownBy(() -> AlertJson.readRecord(without.getBytes(UTF_8))).isInstanceOf(IOException.class);
    }

    /** Everything that is written can be seen, whoever shows the bytes. */
    @Test
    void aReasonSteersNoTerminal() {
        Acceptance sly = Acceptance.of(FINAL, 1, "mallory\u001b[2J", "\u202enothing\r\nVERIFIED");
        assertThat(new String(AlertJson.write(sly), UTF_8).chars())
                .noneMatch(Character::isISOControl)
                .noneMatch(c -> Character.getType(c) == Character.FORMAT);
    }

    @Test
    void aVerdictIsOpenAgain() {
        assertThat(acceptances.add(of(OPEN))).isTrue();
        assertThat(acceptances.of(OPEN)).contains(of(OPEN));
        assertThat(acceptances.of(FINAL)).isEmpty();

        assertThat(acceptances.add(of(FINAL))).isTrue();
        assertThat(acceptances.of(FINAL)).contains(of(FINAL));
        assertThat(acceptances.of(OPEN)).as("the earlier one, read late").isPresent();
        assertThat(acceptances.add(of(OPEN))).isFalse();
    }

    /** An audit reads the interval again, and finds more than was accepted, or something else. */
    @Test
    void whatSaysSomethingElseOfTheSameIntervalIsOpenAgain() {
        acceptances.add(of(FINAL));
        Alert more = Findings.violated(0, 4, false, Findings.anomaly(Kind.LOST, 0, 417, 917));
        assertThat(acceptances.of(more)).isEmpty();
        assertThat(acceptances.of(Findings.inconclusive(0, 4))).isEmpty();

        assertThat(acceptances.add(of(more))).isTrue();
        assertThat(acceptances.of(more)).isPresent();
        assertThat(acceptances.add(of(more))).isFalse();
    }

    /** Topics that bore one name have alerts of the same ids. */
    @Test
    void anotherTopicOfTheNameIsNotAccepted() {
        acceptances.add(of(new Alert("/s", 1, 7, FINAL.finding())));
        assertThat(acceptances.of(new Alert("/s", 1, 8, FINAL.finding()))).isEmpty();
        assertThat(acceptances.of(FINAL)).isEmpty();
    }

    @Test
    void whatIsNotToldForGoodSaysWhatFollows() {
        assertThat(Guidance.next(OPEN.finding()).orElseThrow()).startsWith("not final: ");
        assertThat(Guidance.next(Findings.unsealed(0, 4).finding()).orElseThrow())
                .startsWith("not final: ");
        assertThat(Guidance.next(new Undelivered(new PartitionId("t", 0), 3, Undelivered.Kind.HALTED, "", -1))
                        .orElseThrow())
                .startsWith("not over: ");
        assertThat(Guidance.next(FINAL.finding())).isEmpty();
        assertThat(Guidance.next(Findings.verified(0, 3).finding())).isEmpty();
    }

    @Test
    void linksLeadWhereTheReaderIs() throws Exception {
        Links links = new Links(
                "https://wiki.example.org/stormproof",
                "kubectl exec deploy/verify -- stormproof audit",
                RecordUrls.NONE);
        String written = new String(AlertJson.write(FINAL, Integer.MAX_VALUE, links), UTF_8);
        assertThat(written)
                .contains("\"runbook\":\"https://wiki.example.org/stormproof/docs/runbook.md#lost\"")
                .contains("\"audit\":\"kubectl exec deploy/verify -- stormproof audit --topic t --partition 0");
        assertThat(AlertJson.write(FINAL, Integer.MAX_VALUE, Links.DEFAULT)).isEqualTo(AlertJson.write(FINAL));
        Links ofMirror = new Links("", "audit", Map.of("t", " --mirror-of o"), RecordUrls.NONE);
        assertThat(Guidance.audit(FINAL.finding(), ofMirror).orElseThrow())
                .startsWith("audit --topic t --partition 0 --from ")
                .endsWith(" --mirror-of o");
    }

    @Test
    void beyondTheBytesTheAcceptanceOfLongestAgoIsForgottenAndItsAlertIsOpen() {
        String reason = "x".repeat(1 << 24); // Two bytes each.
        List<Alert> alerts = IntStream.range(0, 3)
                .mapToObj(number -> Findings.violated(0, number, false, Findings.anomaly(Kind.LOST, 0, 417, 418)))
                .toList();
        alerts.forEach(alert -> acceptances.add(Acceptance.of(alert, 1, "alice", reason)));
        assertThat(acceptances.all()).hasSize(1);
        assertThat(acceptances.of(alerts.get(1))).isEmpty();
        assertThat(acceptances.of(alerts.get(2))).isPresent();
    }
}
