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

/** {@code alerts find} finds the lost events of an alert among candidates. */
@Command(
        name = "find",
        description = {
            "Finds the lost events of an alert among candidates, by the signatures in the producer's " + "checkpoint.",
            "",
            "Candidates are keys and values as they were serialized, in another topic or in a file: .csv "
                    + "with a header, .txt with a value a line, or any other name with JSON lines. A match by "
                    + "SHA-256 is certain; one by XXH3-128 is, unless an attacker forged it. Altered and diverted "
                    + "events are found as well."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof alerts find --bootstrap-server localhost:9092 orders/2/00c0ffee00c0ffee/17",
            "  stormproof alerts find --bootstrap-server localhost:9092 orders/2/00c0ffee00c0ffee/17 --input export.jsonl",
            "  stormproof alerts find --bootstrap-server localhost:9092 orders/2/00c0ffee00c0ffee/17 --input orders.csv --key-column id --value-column body",
            "  stormproof alerts find --bootstrap-server localhost:9092 orders/2/00c0ffee00c0ffee/17 --input topic:orders-backup",
            "",
            ExitCode.BEGIN + "0 every event was found, 2 some were not" + ExitCode.END
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
            description = "The candidates: a file, '-' for JSON lines on standard input, or topic:NAME. Without it, "
                    + "the lost events are printed, with the keys on both sides of each gap.")
    private @Nullable String input;

    @Option(
            names = "--alerts-topic",
            paramLabel = "NAME",
            description = "The topic that holds the alert (default: ${DEFAULT-VALUE}).")
    private String alertsTopic = "stormproof-alerts";

    @Option(
            names = "--key-column",
            paramLabel = "NAME",
            description = "The field or column that holds the key (default: ${DEFAULT-VALUE}); in JSON, NAMEBase64 "
                    + "holds binary data.")
    private String keyColumn = "key";

    @Option(
            names = "--value-column",
            paramLabel = "NAME",
            description = "The field or column that holds the value (default: ${DEFAULT-VALUE}).")
    private String valueColumn = "value";

    @Option(
            names = "--json",
            description = "Print a JSON object for each match, at most 1,000, and a last one with the totals.")
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
