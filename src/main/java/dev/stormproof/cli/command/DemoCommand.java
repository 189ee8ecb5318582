package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.DemoSession;
import dev.stormproof.cli.session.RunOptions;
import dev.stormproof.cli.text.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code demo} shows in two minutes some faults and how they are reported. */
@Command(
        name = "demo",
        description = {
            "Emits orders, breaks one of them every ten seconds, and shows what the verification reports."
                    + " A page draws it meanwhile.",
            "",
            "Needs nothing installed: Kafka runs in this process, and its data is deleted at the end."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof demo",
            "  stormproof demo --seconds 30 --every 5 --no-browser",
            "",
            ExitCode.BEGIN + "0 exactly the injected faults were named, 1 not" + ExitCode.END
        })
public final class DemoCommand extends Subcommand {
    @Option(names = "--seconds", paramLabel = "N", description = "How long it lasts (default: ${DEFAULT-VALUE}).")
    private int seconds = 120;

    @Option(
            names = "--every",
            paramLabel = "N",
            description = "Seconds from one fault to the next (default: ${DEFAULT-VALUE}).")
    private int every = 10;

    @Option(names = "--rate", paramLabel = "N", description = "Events a second (default: ${DEFAULT-VALUE}).")
    private int rate = 300;

    @Option(
            names = "--browser",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Open the page in a browser, where there is one (the default).")
    private boolean browser = true;

    @Override
    int run(CloseStack resources) throws Exception {
        RunOptions.atLeast("--every", every, 2);
        RunOptions.atLeast("--seconds", seconds, 2 * every);
        RunOptions.atLeast("--rate", rate, 30);
        boolean named = new DemoSession(seconds, every, rate, browser, resources, out(), err()).run();
        return named ? ExitCode.VERIFIED : ExitCode.VIOLATED;
    }
}
