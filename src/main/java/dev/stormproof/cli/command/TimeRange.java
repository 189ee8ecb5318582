package dev.stormproof.cli.command;

import dev.stormproof.cli.terminal.Failure;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a range of a log by the times of its records. */
final class TimeRange {
    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "The first time of the range, such as 2026-01-31T08:00:00Z; by default, the log's beginning.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "The first time behind the range; by default, none.")
    private @Nullable String until;

    boolean isGiven() {
        return since != null || until != null;
    }

    /** Refuses what is no time, and a range that ends before it begins. */
    void check() {
        Instant begin = begin();
        Instant end = end();
        if (begin != null && end != null && end.isBefore(begin)) {
            throw Failure.usage("--since " + since + " --until " + until + ": a range begins before it ends");
        }
    }

    @Nullable
    Instant begin() {
        return time("--since", since);
    }

    @Nullable
    Instant end() {
        return time("--until", until);
    }

    private static @Nullable Instant time(String option, @Nullable String text) {
        try {
            return text == null ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw Failure.usage(option + " " + text + ": no time such as 2026-01-31T08:00:00Z", e);
        }
    }
}
