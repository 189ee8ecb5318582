package dev.stormproof.cli;

import dev.stormproof.local.EmbeddedKafka;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code broker} runs only the embedded broker. */
@Command(
        name = "broker",
        description = "Runs the embedded Kafka broker until Ctrl-C, for trying other clients against it.",
        footer = {
            "",
            "Examples:",
            "  stormproof broker --topic events:3 --topic alerts",
            "  stormproof broker --port 9192 --dir kafka-data",
            "",
            ExitCode.HELP
        })
final class BrokerCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port on 127.0.0.1; 0 for a free one (default: ${DEFAULT-VALUE}).")
    private int port = 9092;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where its data lies and stays; by default a temporary directory that is deleted at the end.")
    private @Nullable Path dir;

    @Option(
            names = "--topic",
            paramLabel = "NAME[:PARTITIONS]",
            converter = TopicToCreate.Converter.class,
            description = "A topic to create unless it exists; may be given several times. "
                    + "Topics are not created by being asked for.")
    private List<TopicToCreate> topics = List.of();

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        try (CloseStack resources = new CloseStack(spec.commandLine().getErr())) {
            EmbeddedKafka kafka = resources.open(() -> start(port, dir));
            for (TopicToCreate topic : topics) {
                topic.createIn(kafka);
            }
            out.println(
                    "Kafka serves at " + kafka.bootstrapServers() + ", data in " + kafka.dir() + "; Ctrl-C ends it");
            resources.awaitEnd();
        }
        return ExitCode.VERIFIED;
    }

    /** Starts a broker, or tells what is in the way. */
    static EmbeddedKafka start(int port, @Nullable Path dir) {
        if (port < 0 || port > 65_535) {
            throw Failure.usage("--port " + port + ": a port is a number from 0 to 65535");
        }
        if (dir != null && Files.exists(dir) && !Files.isDirectory(dir)) {
            throw Failure.usage("--dir " + dir + ": is no directory");
        }
        try {
            return EmbeddedKafka.start(port, dir);
        } catch (BindException e) {
            throw Failure.own(e.getMessage() + "; stop what uses it, or take another one with --port", e);
        } catch (IOException e) {
            throw Failure.own("the embedded broker cannot write its data: " + e, e);
        } catch (KafkaException e) {
            throw Failure.own("the embedded broker does not start: " + e.getMessage(), e);
        }
    }

    /** A topic as the option names it. */
    record TopicToCreate(String name, int partitions) {
        void createIn(EmbeddedKafka kafka) {
            try {
                kafka.createTopic(name, partitions, Map.of());
            } catch (TopicExistsException e) {
                // From an earlier run on the same directory.
                return;
            } catch (KafkaException e) {
                throw Failure.usage("--topic " + name + ": " + e.getMessage(), e);
            }
        }

        static final class Converter implements ITypeConverter<TopicToCreate> {
            @Override
            public TopicToCreate convert(String text) {
                int colon = text.lastIndexOf(':');
                try {
                    String name = colon < 0 ? text : text.substring(0, colon);
                    int partitions = colon < 0 ? 1 : Integer.parseInt(text.substring(colon + 1));
                    if (!name.isEmpty() && partitions > 0) {
                        return new TopicToCreate(name, partitions);
                    }
                } catch (NumberFormatException e) {
                    throw new TypeConversionException("'" + text + "' is not NAME or NAME:PARTITIONS");
                }
                throw new TypeConversionException("'" + text + "' is not NAME or NAME:PARTITIONS");
            }
        }
    }
}
