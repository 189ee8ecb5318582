package dev.stormproof.task.live.open;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What lasts is measured by a clock that nobody sets: the wall clock gives alerts their time, a page its own, and nothing else. */
class LiveClocksTest {
    @Test
    void theWallClockIsReadForTheTimeOfAlertsAlone() throws IOException {
        List<String> readings = new ArrayList<>();
        for (String room : List.of("task/live", "task/storm", "log", "alert")) {
            try (Stream<Path> files =
                    Files.walk(Path.of("src/main/java/dev/stormproof").resolve(room))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.readAllLines(file).stream()
                            .filter(line -> line.contains("currentTimeMillis") || line.contains(".now("))
                            .forEach(line -> readings.add(line.strip()));
                }
            }
        }

        assertThat(readings)
                .containsExactlyInAnyOrder(
                        "String next = updates.next(System.currentTimeMillis());",
                        "static final Clocks SYSTEM = new Clocks(System::nanoTime, System::currentTimeMillis);");
    }
}
