package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.session.LocalBroker;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code dev broker} runs only the embedded broker. */
@Command(
        name = "broker",
        description = "Runs the embedded Kafka broker until Ctrl-C, for trying other clients against it.",
        footer = {
            "",
            "Examples:",
            "  stormproof dev broker --topic events:3 --topic alerts",
            "  stormproof dev broker --port 9192 --dir kafka-data"
        })
public final class BrokerCommand extends Subcommand {
    private static final long FAULT_CHECK_MILLIS = 500;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port on 127.0.0.1; 0 for a free one (default: ${DEFAULT-VALUE}).")
    private int port = 9092;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "The directory of its data, which stays; by default a temporary directory that is deleted at the end.")
    private @Nullable Path dir;

    @Option(
            names = "--topic",
            paramLabel = "NAME[:PARTITIONS]",
            description =
                    "A topic to create unless it exists; may be repeated. The broker creates no topic on its own.")
    private List<TopicToCreate> topics = List.of();

    @Override
    int run(CloseStack resources) throws Exception {
        EmbeddedKafka kafka = resources.open(() -> LocalBroker.start(port, dir));
        topics.forEach(topic -> topic.createIn(kafka));
        out().println("Kafka serves at " + kafka.bootstrapServers() + ", data in " + kafka.dir() + "; Ctrl-C ends it");
        while (!resources.awaitEnd(FAULT_CHECK_MILLIS)) {
            kafka.fault().ifPresent(fault -> {
                throw Failure.own("the embedded broker cannot serve any more: " + fault);
            });
        }
        return ExitCode.VERIFIED;
    }

    /** A topic as the option names it. */
    public record TopicToCreate(String name, int partitions) {
        private static final Pattern TEXT = Pattern.compile("([^:]+)(?::([1-9][0-9]{0,8}))?");

        public static TopicToCreate of(String text) {
            Matcher matcher = TEXT.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is not NAME or NAME:PARTITIONS");
            }
            String partitions = matcher.group(2);
            return new TopicToCreate(matcher.group(1), partitions == null ? 1 : Integer.parseInt(partitions));
        }

        void createIn(EmbeddedKafka kafka) {
            try {
                kafka.createTopic(name, partitions, Map.of());
            } catch (TopicExistsException e) {
                return; // From an earlier run on the same directory.
            } catch (KafkaException e) {
                throw Failure.usage("--topic " + name + ": " + e.getMessage(), e);
            }
        }
    }
}
