package dev.stormproof.cli.command;

import dev.stormproof.cli.input.CandidateFile;
import dev.stormproof.cli.input.Candidates;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.FindSession;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code alerts find} gives the lost events of an alert their names. */
@Command(
        name = "find",
        description = {
            "Says which of some candidates are the lost events of an alert, by the signatures that upstream stated.",
            "",
            "Candidates are keys and values as they were serialized: in a file of JSON lines, of CSV with a header, of one "
                    + "value a line, or in another topic. A match by SHA-256 names the event for certain; one by XXH3-128 does unless "
                    + "an attacker made it match. Altered and diverted events are looked for as well."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof alerts find --bootstrap-server localhost:9092 orders/2/00c0ffee00c0ffee/17",
            "  stormproof alerts find --bootstrap-server localhost:9092 orders/2/00c0ffee00c0ffee/17 --input export.jsonl",
            "  stormproof alerts find --bootstrap-server localhost:9092 orders/2/00c0ffee00c0ffee/17 --input orders.csv --key-column id --value-column body",
            "  stormproof alerts find --bootstrap-server localhost:9092 orders/2/00c0ffee00c0ffee/17 --input topic:orders-backup",
            "",
            ExitCode.BEGIN + "0 each event has a name, 2 not each" + ExitCode.END
        })
public final class FindCommand extends Subcommand {
    private static final String TOPIC = "topic:";

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Parameters(index = "0", paramLabel = "ALERT", description = "The alert: its alertId, or the id of a revision.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String alert;

    @Option(
            names = "--input",
            paramLabel = "FILE|topic:NAME",
            description =
                    "The candidates: a file, '-' for standard input, or topic:NAME. Without them it prints the events and, from "
                            + "the log, the keys on both sides of each gap.")
    private @Nullable String input;

    @Option(
            names = "--alerts-topic",
            paramLabel = "NAME",
            description = "The topic that holds the alert (default: ${DEFAULT-VALUE}).")
    private String alertsTopic = "stormproof-alerts";

    @Option(
            names = "--key-column",
            paramLabel = "NAME",
            description =
                    "The field or column that holds the key (default: ${DEFAULT-VALUE}); of JSON, NAMEBase64 holds any bytes.")
    private String keyColumn = "key";

    @Option(
            names = "--value-column",
            paramLabel = "NAME",
            description = "The same of the value (default: ${DEFAULT-VALUE}).")
    private String valueColumn = "value";

    @Option(
            names = "--json",
            description =
                    "Print a JSON object for each candidate that matches, at most 1,000, and a last one with the sum.")
    private boolean json;

    @Override
    int run(CloseStack resources) throws Exception {
        if (input == null) {
            return session(resources.open(server::connect)).describe();
        }
        boolean isTopic = input.startsWith(TOPIC);
        Candidates file = isTopic ? null : CandidateFile.of(Path.of(input), keyColumn, valueColumn);
        FindSession session = session(resources.open(server::connect));
        return session.run(file == null ? session.topic(input.substring(TOPIC.length())) : file);
    }

    private FindSession session(Connection connection) throws InterruptedException {
        Violated violated = FindSession.alert(connection, alertsTopic, alert);
        String topic = violated.interval().stream().topic();
        StormproofConfig config = connection.config(connection.clientProperties(), topic);
        return new FindSession(config, connection, violated, out(), err()).asJson(json);
    }
}
