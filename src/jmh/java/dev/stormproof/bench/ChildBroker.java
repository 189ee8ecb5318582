package dev.stormproof.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.common.errors.InterruptException;

/** A broker in a JVM of its own, so that its work counts in no figure. */
final class ChildBroker implements AutoCloseable {
    private final Process process;
    private final String servers;

    private ChildBroker(Process process, String servers) {
        this.process = process;
        this.servers = servers;
    }

    static ChildBroker start() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.stormproof.cli.Main",
                        "dev",
                        "broker",
                        "--port",
                        "0")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader said = process.inputReader(UTF_8);
        String first = said.readLine();
        if (first == null) {
            throw new IOException("the broker ended at once");
        }
        return new ChildBroker(process, first.replaceFirst(".* serves at ([^,]+),.*", "$1"));
    }

    String servers() {
        return servers;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
