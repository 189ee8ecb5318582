package dev.stormproof.cli.session;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.terminal.Failure;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** The broker in this process, as commands start it. */
public final class LocalBroker {
    private LocalBroker() {}

    /** Starts a broker; the failure says which obstacle to remove. */
    public static EmbeddedKafka start(int port, @Nullable Path dir) {
        if (port < 0 || port > 65_535) {
            throw Failure.usage("--port " + port + ": a port is a number from 0 to 65535");
        }
        if (dir != null && Files.exists(dir) && !Files.isDirectory(dir)) {
            throw Failure.usage("--dir " + dir + ": is no directory");
        }
        try {
            return EmbeddedKafka.start(port, dir, Map.of());
        } catch (BindException e) {
            throw Failure.own(e.getMessage() + "; stop what uses it, or take another one with --port", e);
        } catch (IOException e) {
            throw Failure.own("the embedded broker cannot write its data: " + e, e);
        } catch (KafkaException e) {
            throw Failure.own("the embedded broker does not start: " + e.getMessage(), e);
        }
    }
}
