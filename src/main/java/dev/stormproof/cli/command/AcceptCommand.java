package dev.stormproof.cli.command;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertText;
import dev.stormproof.alert.Guidance;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.AcceptSession;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.NextCommands;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code alerts accept} records that an alert is known and accepted. */
@Command(
        name = "accept",
        description = {
            "Accepts an alert: writes to the alerts topic who accepts it and why. It changes no verdict. Page and audit"
                    + " then count it as accepted, and still show it.",
            "",
            "It accepts the alert as it is now: a later verdict on an unsealed interval is not accepted " + "with it.",
            "",
            "ALERT is the alert's data.alertId. Every writer of the alerts topic can accept."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof alerts accept --bootstrap-server localhost:9092 orders/2/00000000000a11ce/7@4711"
                    + " --reason \"lost in the outage of 3 May, sent again\" --by alice"
        })
public final class AcceptCommand extends Subcommand {
    @Mixin
    private ServerOptions server = new ServerOptions();

    @Parameters(index = "0", paramLabel = "ALERT", description = "The alert's data.alertId.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String alertId;

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why the alert is acceptable.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String reason;

    @Option(names = "--by", paramLabel = "NAME", required = true, description = "Who accepts it.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String by;

    @Option(
            names = "--alerts-topic",
            paramLabel = "NAME",
            description = "The alerts topic; by default alerts.topic of --config, or stormproof-alerts.")
    private @Nullable String topic;

    @Override
    int run(CloseStack resources) throws Exception {
        if (reason.isBlank() || reason.equals(NextCommands.REASON)) {
            throw Failure.usage("--reason " + reason + ": state why the alert is acceptable");
        }
        if (by.isBlank()) {
            throw Failure.usage("--by is empty: state your name");
        }
        Connection connection = resources.open(server::connect);
        Alert accepted = new AcceptSession(connection, connection.alertsTopic(topic)).accept(alertId, by, reason);
        out().println("accepted, by " + by + ": " + AlertText.summary(accepted.finding()));
        Guidance.next(accepted.finding())
                .ifPresent(next ->
                        err().println("stormproof: this alert is " + next + "; that has to be accepted as well"));
        return ExitCode.VERIFIED;
    }
}
