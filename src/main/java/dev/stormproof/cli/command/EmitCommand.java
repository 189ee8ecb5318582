package dev.stormproof.cli.command;

import dev.stormproof.cli.fault.FaultInjector;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.fault.InjectedFault;
import dev.stormproof.cli.input.EventSource;
import dev.stormproof.cli.input.InputFiles;
import dev.stormproof.cli.input.LineFile;
import dev.stormproof.cli.input.LineStream;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.RunOptions;
import dev.stormproof.cli.session.SourceEmitter;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dev emit} sends the lines of a file as signed events with checkpoints to an existing topic. */
@Command(
        name = "emit",
        description = "Sends the lines of a file to an existing topic as signed events with checkpoints, as they come; "
                + "line i goes to partition i mod N of the topic's N partitions. Ctrl-C seals what was sent.",
        footer = {
            "",
            "Examples:",
            "  stormproof dev emit --bootstrap-server localhost:9092 --topic events --input app.log",
            "  stormproof dev emit --bootstrap-server localhost:9092 --topic events --input app.log --inject lose=1,alter=1",
            "  tail -F app.log | stormproof dev emit --bootstrap-server localhost:9092 --topic events"
        })
public final class EmitCommand extends Subcommand {
    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(names = "--topic", paramLabel = "NAME", required = true, description = "The topic to write to.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description = "The events, one a line; - for standard input, which is the default.")
    private Path input = Path.of("-");

    @Option(
            names = "--checkpoint-every",
            paramLabel = "N",
            description = "Events of a partition between two checkpoints (default: ${DEFAULT-VALUE}).")
    private int checkpointEvery = 1_000;

    @Option(names = "--name", paramLabel = "NAME", description = "The emitter's name in its checkpoints.")
    private String name = "stormproof dev emit";

    @Option(
            names = "--inject",
            paramLabel = "KIND=N[,KIND=N...]",
            description =
                    "Faults to inject after the signer, to see them named: lose, duplicate, swap, move, alter. The input is "
                            + "counted before the first event is sent.")
    private RunOptions.Faults inject = new RunOptions.Faults(Map.of());

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides where faults are injected (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    private @Nullable FaultInjector injector;

    @Override
    int run(CloseStack resources) throws Exception {
        RunOptions.atLeast("--checkpoint-every", checkpointEvery, 1);
        server.check();
        EventSource source = source(resources);
        Connection connection = resources.open(server::connect);
        int partitions = connection.partitionsOf(topic);
        FaultPlan plan = source instanceof EventSource.Counted counted
                ? inject.plan(topic, partitions, counted.count(), checkpointEvery, seed)
                : FaultPlan.none();
        CheckpointingProducer<byte[], byte[]> producer = producer(connection.clientProperties(), plan);
        SourceEmitter emitter = resources.open(() -> new SourceEmitter(source, producer, topic, partitions));
        emitter.run();
        if (!emitter.isComplete()) {
            throw Failure.own("interrupted");
        }
        emitter.stats()
                .forEach((partition, stats) -> out().println(topic + "-" + partition + "  " + stats.eventsSent()
                        + " events  " + stats.checkpointsSent() + " checkpoints"
                        + (stats.emitter() == 0 ? "" : String.format("  emitter %016x", stats.emitter()))));
        out().println(emitter.sent() + (emitter.sent() == 1 ? " event" : " events") + " sent to " + topic);
        if (injector != null) {
            for (InjectedFault fault : injector.injected()) {
                out().println("injected  " + fault.kind().label() + "  sequence " + fault.sequence() + "  "
                        + fault.topic() + "-" + fault.partition());
            }
        }
        return ExitCode.VERIFIED;
    }

    private EventSource source(CloseStack resources) throws Exception {
        if (!inject.counts().isEmpty()) {
            return LineFile.open(input, resources);
        }
        // Opened outside of open(): a named pipe waits for its writer, and would keep the stack from being closed.
        InputStream in = InputFiles.open(input);
        resources.open(() -> in);
        return new LineStream(in, InputFiles.title(input));
    }

    private CheckpointingProducer<byte[], byte[]> producer(Map<String, String> clientProperties, FaultPlan plan) {
        Map<String, Object> settings = new HashMap<>(clientProperties);
        settings.put(EmitterConfig.EMITTER_NAME, name);
        settings.put(EmitterConfig.MAX_EVENTS, checkpointEvery);
        return Failure.configured(
                "",
                () -> new CheckpointingProducer<>(
                        settings, new ByteArraySerializer(), new ByteArraySerializer(), inner -> inject(inner, plan)));
    }

    private Producer<byte[], byte[]> inject(Map<String, Object> settings, FaultPlan plan) {
        Producer<byte[], byte[]> writer = new KafkaProducer<>(settings);
        if (inject.counts().isEmpty()) {
            return writer;
        }
        injector = new FaultInjector(writer, plan);
        return injector;
    }
}
