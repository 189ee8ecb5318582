package dev.stormproof.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The producer of examples/python, driven through failures before a fake of confluent-kafka. */
// In a thread of its own: who waits for the end of a process's output cannot be interrupted.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PythonProducerTest {
    @Test
    void whatFailsIsNeverStatedAsSomethingElse() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("python3", "src/test/python/check_producer.py");
        builder.environment()
                .put(
                        "PYTHONPATH",
                        String.join(File.pathSeparator, "examples/python", "src/test/python/shim", "src/test/python"));
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Process python = builder.redirectErrorStream(true).start();
        var unused = python.onExit()
                .orTimeout(100, TimeUnit.SECONDS)
                .whenComplete((process, late) -> python.destroyForcibly());
        String said = new String(python.getInputStream().readAllBytes(), UTF_8);
        assertThat(python.waitFor()).as(said).isZero();
        assertThat(said).containsPattern("Ran [1-9][0-9]* tests");
    }
}
