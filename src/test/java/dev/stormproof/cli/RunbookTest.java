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
import org.junit.jupiter.api.Test;

/** The words that commands and pages tell of alerts are those of docs/operations/alerts.md. */
class RunbookTest {
    /** Where they differ, the manual's are in {@code target/runbook.json}, to be copied. */
    @Test
    void theWordsAreTheManuals() throws IOException {
        ObjectNode manual = JsonNodeFactory.instance.objectNode();
        add(manual, "types", "| type | what it says | urgency |", 0);
        add(manual, "anomalies", "| kind | what happened | what to do |", 0);
        add(manual, "reasons", "| reason | what happened | what to do |", 0);
        add(manual, "strays", "| kind | what happened | what to do |", 1);
        add(manual, "hops", "| hop | what it says | where to look |", 0);
        JsonNode told = new ObjectMapper().readTree(Runbook.json());
        if (!told.equals(manual)) {
            Files.createDirectories(Path.of("target"));
            new ObjectMapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValue(Path.of("target", "runbook.json").toFile(), manual);
        }

        assertThat(told)
                .as("cp target/runbook.json src/main/resources/dev/stormproof/alert/")
                .isEqualTo(manual);
    }

    /** The brackets of a half-open range and those of a link after it were once taken for one link. */
    @Test
    void noMarkdownIsLeftInIt() {
        assertThat(Runbook.json().replaceAll("\\[begin, end\\)", ""))
                .doesNotContain("](", "`", "**", ".md", "[m", "[o");
        assertThat(Runbook.lines(new MissedRecords(new PartitionId("rec", 0), 107, 315)))
                .first()
                .asString()
                .contains("nothing from beginOffset to endOffset was verified")
                .endsWith("See missed records.");
    }

    private static void add(ObjectNode manual, String about, String head, int nth) {
        ObjectNode table = manual.putObject(about);
        OperationsDocument.words(head, nth)
                .forEach((word, cells) ->
                        table.putObject(word).put("what", cells.get(0)).put("todo", cells.get(1)));
    }
}
