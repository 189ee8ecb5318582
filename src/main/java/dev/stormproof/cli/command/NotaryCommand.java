package dev.stormproof.cli.command;

import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.NotesSession;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.local.CloseStack;
import dev.stormproof.submit.Failure;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code notary} says what a notary's notes prove; {@code verify} takes them. */
@Command(
        name = "notary",
        description = {
            "Says what the notes of a notary prove. 'verify' takes notes, of topics that anybody writes: see its --help.",
        },
        subcommands = {NotaryCommand.Audit.class},
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  stormproof notary audit --bootstrap-server localhost:9092 --topic orders --notes notes --tiles tiles --notary-key notary-1:MCow…",
            "",
            ExitCode.HELP
        })
public final class NotaryCommand {
    /** {@code notary audit} compares a topic with the notes on it. */
    @Command(
            name = "audit",
            description = {
                "Reads a topic and compares it with the notes that were taken of it: what was lost, altered, inserted or "
                        + "reordered since. It joins no consumer group and writes nothing.",
                "",
                "With --tiles each record is named; else the interval between two notes. With --copy-of, a mirror or a "
                        + "restored backup is compared with the notes on its source, without the source: records count by "
                        + "their order, whatever their offsets."
            },
            footer = {
                "",
                "Examples:",
                "  stormproof notary audit --bootstrap-server localhost:9092 --topic orders --notes notes --tiles tiles --notary-key notary-1:MCow…",
                "  stormproof notary audit --bootstrap-server dc2:9092 --topic dc1.orders --copy-of orders --notes notes --notes-server dc3:9092 --notary-key notary-1:MCow…",
                "",
                "Exit codes: 0 all that was noted is unaltered, 1 it is not, 2 not all of it could be compared, 64 wrong "
                        + "usage, 70 a failure of our own or of what we need."
            })
    static final class Audit extends Subcommand {
        @Mixin
        private ServerOptions server = new ServerOptions();

        @Mixin
        private NotesOptions notes = new NotesOptions();

        @Option(names = "--topic", paramLabel = "NAME", required = true, description = "The topic to compare.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String topic;

        @Option(
                names = "--partition",
                paramLabel = "N",
                split = ",",
                description = "The partitions; by default, all of the topic's.")
        private List<Integer> partitions = List.of();

        @Option(
                names = "--copy-of",
                paramLabel = "NAME",
                description = "The topic that the notes are on, of which --topic is a copy.")
        private @Nullable String copyOf;

        @Option(names = "--json", description = "Print one JSON object.")
        private boolean json;

        @Override
        int run(CloseStack resources) throws Exception {
            Connection connection = resources.open(server::connect);
            SortedSet<Integer> chosen = choose(topic, partitions, connection.partitionsOf(topic));
            return new NotesSession(
                            connection,
                            notes.open(connection, resources),
                            new NotesSession.Request(topic, chosen, copyOf, json),
                            resources,
                            out(),
                            err())
                    .run();
        }
    }

    static SortedSet<Integer> choose(String topic, List<Integer> partitions, int count) {
        SortedSet<Integer> chosen = new TreeSet<>(
                partitions.isEmpty() ? IntStream.range(0, count).boxed().toList() : partitions);
        for (int partition : chosen) {
            if (partition < 0 || partition >= count) {
                throw Failure.usage(
                        "--partition " + partition + ": topic " + topic + " has partitions 0 to " + (count - 1));
            }
        }
        return chosen;
    }
}
