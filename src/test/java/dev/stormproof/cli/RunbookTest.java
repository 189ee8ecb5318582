package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.Runbook;
import dev.stormproof.cli.testing.OperationsDocument;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words that commands and pages tell of alerts are those of docs/OPERATIONS.md. */
class RunbookTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "types;     | type | what it says | urgency |;       0",
                "anomalies; | kind | what happened | what to do |;   0",
                "reasons;   | reason | what happened | what to do |; 0",
                "strays;    | kind | what happened | what to do |;   1",
                "hops;      | hop | what it says | where to look |;  0"
            })
    void theWordsAreTheManuals(String about, String head, int nth) throws IOException {
        Map<String, List<String>> told = new TreeMap<>();
        JsonNode entries = new ObjectMapper().readTree(Runbook.json()).required(about);
        entries.properties()
                .forEach(entry -> told.put(
                        entry.getKey(),
                        List.of(
                                entry.getValue().required("what").asText(),
                                entry.getValue().required("todo").asText())));

        assertThat(told).isEqualTo(OperationsDocument.words(head, nth));
    }
}
