package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.testing.NamedTests;
import dev.stormproof.verify.judge.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The page docs/HOW_IT_THINKS.md: what it says of each log that it draws is what the verifier finds.
 *
 * <pre>
 *   drawing ► finding ► finding · progress 6     these records are delivered, and judged; then the findings on them
 * </pre>
 *
 * <p>A line without findings says that there are none. {@code ⏳} lets more time pass than was promised; {@code │} has another
 * verifier go on from the progress.
 */
class HowItThinksTest {
    private static final Path PAGE = Path.of("docs/HOW_IT_THINKS.md");
    private static final Pattern DRAWN = Pattern.compile("^```drawn\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern ALERT = Pattern.compile("^```json\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final long BEYOND_ANY_PROMISE_MILLIS = 2 * DrawnLog.PROMISE_MILLIS;

    static Stream<String> drawnLogs() throws IOException {
        return DRAWN.matcher(Files.readString(PAGE)).results().map(block -> block.group(1));
    }

    @ParameterizedTest
    @MethodSource("drawnLogs")
    void ofEachDrawnLogThePageSaysWhatTheVerifierFinds(String drawn) {
        DrawnLog log = DrawnLog.of("");
        for (String line : drawn.lines().toList()) {
            Step step = Step.of(line);
            step.play(log);
            assertThat(log.findings()).as(line).isEqualTo(step.findings());
            step.progress()
                    .ifPresent(progress -> assertThat(log.progress()).as(line).isEqualTo(progress));
        }
    }

    @Test
    void thereAreDrawnLogs() throws IOException {
        assertThat(drawnLogs()).hasSizeGreaterThan(5);
    }

    /** The alert is the one on the first violation of the log that is drawn last before it. */
    @Test
    void theAlertIsTheOneThatIsWritten() throws IOException {
        String page = Files.readString(PAGE);
        MatchResult alert = ALERT.matcher(page).results().findFirst().orElseThrow();
        List<MatchResult> before = DRAWN.matcher(page)
                .results()
                .filter(block -> block.start() < alert.start())
                .toList();
        DrawnLog log = DrawnLog.of("");
        List<Finding> found = new ArrayList<>();
        for (String line : before.get(before.size() - 1).group(1).lines().toList()) {
            Step.of(line).play(log);
            found.addAll(log.verifier().drainFindings());
        }
        Finding violated = found.stream()
                .filter(finding -> finding.type() == Finding.Type.VIOLATED)
                .findFirst()
                .orElseThrow();

        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(alert.group(1))).isEqualTo(json.readTree(AlertJson.writeData(violated)));
    }

    @Test
    void everyTestThatItNamesExists() throws IOException {
        assertThat(NamedTests.in(Files.readString(PAGE)).missing()).isEmpty();
    }

    /** One line of a drawing. */
    private record Step(String records, List<String> findings, Optional<Long> progress) {
        static Step of(String line) {
            String[] parts = line.split("· progress ", 2);
            String[] told = parts[0].split("►", -1);
            return new Step(
                    told[0].strip(),
                    Stream.of(told).skip(1).map(String::strip).toList(),
                    parts.length == 1 ? Optional.empty() : Optional.of(Long.valueOf(parts[1].strip())));
        }

        void play(DrawnLog log) {
            if (records.equals("⏳")) {
                log.tick(0).tick(BEYOND_ANY_PROMISE_MILLIS);
            } else if (records.equals("│")) {
                log.restart().verify();
            } else {
                log.append(records).verify();
            }
        }
    }
}
