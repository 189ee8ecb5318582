package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.ConformanceSession;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ConformanceReport;
import dev.stormproof.cli.text.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dev conformance} judges what an emitter in another language wrote. */
@Command(
        name = "conformance",
        description = {
            "Judges what an emitter in another language wrote to a topic, case by case, each a rule of docs/FORMAT.md.",
            "",
            "It reads the topic from its beginning to its end as of now, and writes nothing. Make the emitter write what --list "
                    + "names, into a topic of its own, close it, then run this.",
            "",
            "A case is pass, FAIL with what was expected and found, or not seen with what would show it. Optional cases need "
                    + "something that an emitter may leave out."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof dev conformance --list",
            "  stormproof dev conformance --bootstrap-server localhost:9092 --topic trial",
            "  stormproof dev conformance --bootstrap-server localhost:9092 --topic trial --require-all --config keys.properties",
            "  stormproof dev conformance --bootstrap-server localhost:9092 --topic trial --json",
            "",
            ExitCode.BEGIN
                    + "0 no case failed, and each required one was seen, 1 a case failed, 2 a required one was not seen"
                    + ExitCode.END
        })
public final class ConformanceCommand extends Subcommand {
    @Option(names = "--list", description = "Print the cases, and what the emitter must write for each.")
    private boolean list;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(names = "--topic", paramLabel = "NAME", description = "The topic that the emitter wrote to.")
    private @Nullable String topic;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Partitions partitions;

    @Option(names = "--require-all", description = "Demand that the optional cases are seen too.")
    private boolean requireAll;

    @Option(names = "--json", description = "Print one JSON object a line: for each case, then the sum.")
    private boolean json;

    @Override
    int run(CloseStack resources) throws Exception {
        if (list) {
            ConformanceReport.list(json, out());
            return ExitCode.VERIFIED;
        }
        if (topic == null) {
            throw Failure.usage("name --bootstrap-server and --topic, or --list");
        }
        Connection connection = resources.open(server::connect);
        return new ConformanceReport(topic, requireAll, out())
                .print(
                        ConformanceSession.judge(
                                connection, topic, partitions.of(topic, connection.partitionsOf(topic))),
                        json);
    }
}
