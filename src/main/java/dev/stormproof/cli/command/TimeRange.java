package dev.stormproof.cli.command;

import dev.stormproof.cli.terminal.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a range of a log by the times of its records. */
final class TimeRange {
    @Option(
            names = "--since",
            paramLabel = "TIME",
            description =
                    "The first time of the range: 2026-01-31T08:00:00Z, 2026-01-31 (its beginning, in UTC) or 1h (ago; s, "
                            + "m, h, d); by default, the log's beginning.")
    private @Nullable Instant since;

    @Option(names = "--until", paramLabel = "TIME", description = "The first time after the range; by default, none.")
    private @Nullable Instant until;

    boolean isGiven() {
        return since != null || until != null;
    }

    /** Refuses a range that ends before it begins. */
    void check() {
        if (since != null && until != null && until.isBefore(since)) {
            throw Failure.usage("--since " + since + " --until " + until + ": a range begins before it ends");
        }
    }

    @Nullable
    Instant begin() {
        return since;
    }

    @Nullable
    Instant end() {
        return until;
    }
}
