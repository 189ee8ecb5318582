package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.Runbook;
import dev.stormproof.cli.testing.OperationsDocument;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What commands and pages say of alerts is what docs/runbook.md says. */
class RunbookTest {
    private static final List<String> OF_ALERTS = List.of("Violated", "Inconclusive", "Missed", "Strays", "Output");
    private static final String WHAT = "What happened: ";
    private static final String CLOSE = "Close it: ";

    /** Where they differ, the page's are in {@code target/runbook.json}, to be copied. */
    @Test
    void theWordsAreThePages() throws IOException {
        ObjectNode page = JsonNodeFactory.instance.objectNode();
        ObjectNode alerts = page.putObject("alerts");
        OF_ALERTS.forEach(section -> OperationsDocument.runbook(section)
                .forEach((word, lines) -> alerts.putObject(word)
                        .put("what", lines.get(0).substring(WHAT.length()))
                        .put("todo", lines.get(3).substring(CLOSE.length()))));
        ObjectNode hops = page.putObject("hops");
        OperationsDocument.table("| hop | what it says |", 0).forEach(hops::put);
        JsonNode told = new ObjectMapper().readTree(Runbook.json());
        if (!told.equals(page)) {
            Files.createDirectories(Path.of("target"));
            new ObjectMapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValue(Path.of("target", "runbook.json").toFile(), page);
        }

        assertThat(told)
                .as("cp target/runbook.json src/main/resources/dev/stormproof/alert/")
                .isEqualTo(page);
    }

    @Test
    void everyHeadingHasTheSameFourLines() {
        Stream.concat(OF_ALERTS.stream(), Stream.of("Prometheus"))
                .flatMap(section -> OperationsDocument.runbook(section).entrySet().stream())
                .forEach(heading -> assertThat(heading.getValue())
                        .as(heading.getKey())
                        .satisfiesExactly(
                                line -> assertThat(line).startsWith(WHAT),
                                line -> assertThat(line).startsWith("See it: "),
                                line -> assertThat(line).startsWith("Find the event: "),
                                line -> assertThat(line).startsWith(CLOSE)));
    }

    @Test
    void noMarkdownIsLeftInIt() {
        assertThat(Runbook.json()).doesNotContain("](", "`", "**", ".md");
        assertThat(Runbook.lines(new MissedRecords(new PartitionId("rec", 0), 107, 315)))
                .first()
                .asString()
                .startsWith("missed-records: No record from beginOffset to before endOffset was verified.");
    }
}
