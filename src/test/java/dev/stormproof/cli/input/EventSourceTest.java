package dev.stormproof.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources hand out the events that commands emit. */
class EventSourceTest {
    @Test
    void aFileHasItsLines(@TempDir Path dir) throws Exception {
        Path file = Files.writeString(dir.resolve("app.log"), "one\r\ntwo\nthree");
        try (CloseStack resources = new CloseStack(Terminal.over(new StringWriter()))) {
            LineFile lines = LineFile.open(file, resources);
            assertThat(lines.count()).isEqualTo(3);
            assertThat(valuesOf(lines)).containsExactly("one", "two", "three");
            assertThat(valuesOf(lines)).as("a second time").hasSize(3);
        }
        assertThat(file).exists();
    }

    @Test
    void aVisitEndsWhenTheVisitorSaysSo() throws IOException {
        List<Long> seen = new ArrayList<>();
        new LineStream(new ByteArrayInputStream("one\ntwo\nthree".getBytes(StandardCharsets.UTF_8)), "test")
                .forEach((index, value) -> seen.add(index) && index < 1);
        assertThat(seen).containsExactly(0L, 1L);
    }

    @Test
    void whatCannotBeReadIsNamed(@TempDir Path dir) {
        assertThatThrownBy(() -> InputFiles.open(dir.resolve("none.log")))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("there is no file")
                .hasMessageContaining("none.log");
        assertThatThrownBy(() -> InputFiles.open(dir)).hasMessageContaining("is a directory");
    }

    @Test
    void ordersAreJsonAndTheSameForTheSameSeed() throws IOException {
        List<String> orders = valuesOf(new GeneratedOrders(500, 7));
        assertThat(orders).hasSize(500).doesNotHaveDuplicates().isEqualTo(valuesOf(new GeneratedOrders(500, 7)));
        assertThat(orders).isNotEqualTo(valuesOf(new GeneratedOrders(500, 8)));
        assertThat(new ObjectMapper().readTree(orders.get(0)).get("order").asInt())
                .isEqualTo(100_000);
    }

    private static List<String> valuesOf(EventSource source) throws IOException {
        List<String> values = new ArrayList<>();
        source.forEach((index, value) -> {
            assertThat(index).isEqualTo(values.size());
            return values.add(new String(value, StandardCharsets.UTF_8));
        });
        return values;
    }
}
