package dev.stormproof.cli.command;

import dev.stormproof.cli.terminal.Failure;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a range of one partition's log by offsets. */
final class OffsetRange {
    @Option(
            names = "--from",
            paramLabel = "OFFSET",
            description = "The first offset of the range; by default, the log's beginning.")
    private @Nullable Long from;

    @Option(
            names = "--to",
            paramLabel = "OFFSET",
            description = "The offset after the last one; by default, where the log ends now.")
    private @Nullable Long to;

    boolean isGiven() {
        return from != null || to != null;
    }

    /** Refuses a range that ends before it begins, or that is named by times as well. */
    void check(TimeRange times) {
        if (from != null && to != null && from > to) {
            throw Failure.usage("--from " + from + " --to " + to + ": a range begins before it ends");
        }
        times.check();
        if (times.isGiven() && isGiven()) {
            throw Failure.usage(
                    "--from and --to name a range by offsets, --since and --until by times: give one of both");
        }
    }

    /** Refuses offsets of several partitions. */
    void checkPartitions(Set<Integer> partitions) {
        if (partitions.size() > 1 && isGiven()) {
            throw Failure.usage("--from and --to are offsets of one partition: name it with --partition");
        }
    }

    @Nullable
    Long from() {
        return from;
    }

    @Nullable
    Long to() {
        return to;
    }
}
