package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.NotaryProofs;
import dev.stormproof.cli.session.NotesSession;
import dev.stormproof.cli.session.NotesSource;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.evidence.notary.Note;
import dev.stormproof.evidence.notary.NoteKey;
import dev.stormproof.evidence.notary.TlogProof;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.SortedSet;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code notary} shows what a notary's notes prove; {@code watch} takes them. */
@Command(
        name = "notary",
        description = {
            "Shows what the notes of a notary prove. 'watch' takes the notes, also of topics without "
                    + "signing producers: see its --help.",
        },
        subcommands = {
            NotaryCommand.Audit.class,
            NotaryCommand.Prove.class,
            NotaryCommand.Consistency.class,
            NotaryCommand.Notes.class,
            NotaryCommand.Tiles.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  stormproof notary audit --bootstrap-server localhost:9092 --topic orders --notes notes --tiles tiles --notary-key notary-1:MCow…"
        })
public final class NotaryCommand {
    @Command(
            name = "audit",
            description = {
                "Compares a topic with the notes on it, and reports what was lost, altered, inserted or "
                        + "reordered since. It joins no consumer group and writes nothing.",
                "",
                "With --tiles it names each record, otherwise the interval between two notes. With --copy-of "
                        + "it compares a mirror or a restored backup with the notes on its source, by the order of the "
                        + "records, whatever their offsets.",
                "",
                "A range is extended to whole intervals, from the last note before it to the first one that "
                        + "covers it. The report lists the rest as not judged. A range of times includes all that was "
                        + "noted between them."
            },
            footer = {
                "",
                "Examples:",
                "  stormproof notary audit --bootstrap-server localhost:9092 --topic orders --notes notes --tiles tiles --notary-key notary-1:MCow…",
                "  stormproof notary audit --bootstrap-server localhost:9092 --topic orders --since 2026-01-31T08:00:00Z --notes notes --notary-key notary-1:MCow…",
                "  stormproof notary audit --bootstrap-server dc2:9092 --topic dc1.orders --copy-of orders --notes notes --notes-bootstrap-server dc3:9092 --notary-key notary-1:MCow…",
                "",
                "Exit codes: 0 all noted records are unaltered in key, value and headers, 1 they are not, 2 "
                        + "some could not be compared, 64 wrong usage, 70 a failure of our own or of what we need."
            })
    static final class Audit extends Subcommand {
        @Mixin
        private ServerOptions server = new ServerOptions();

        @Mixin
        private NotesOptions notes = new NotesOptions();

        @Option(names = "--topic", paramLabel = "NAME", required = true, description = "The topic to compare.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String topic;

        @Mixin
        private Partitions partitions = new Partitions();

        @Option(
                names = "--copy-of",
                paramLabel = "NAME",
                description = "The source of --topic, on which the notes are.")
        private @Nullable String copyOf;

        @Option(
                names = "--topic-id",
                paramLabel = "ID",
                description = "Kafka's id of the topic whose notes count, if there are notes on several topics of that "
                        + "name. The others are reported as not judged. Without it, the records of a topic that was "
                        + "deleted and created again count as gone, and the exit code is 1. With --copy-of it is "
                        + "required then.")
        private @Nullable String topicId;

        @Mixin
        private OffsetRange offsets = new OffsetRange();

        @Mixin
        private TimeRange times = new TimeRange();

        @Option(names = "--json", description = "Print one JSON object.")
        private boolean json;

        @Override
        int run(CloseStack resources) throws Exception {
            offsets.check(times);
            if (copyOf != null && (times.isGiven() || offsets.isGiven())) {
                throw Failure.usage("--copy-of compares records by their order from the first one on: leave out "
                        + "--from, --to, --since and --until");
            }
            Connection connection = resources.open(server::connect);
            SortedSet<Integer> chosen = partitions.of(topic, connection.partitionsOf(topic));
            offsets.checkPartitions(chosen);
            NotesSession.Scope scope = new NotesSession.Scope(offsets.from(), offsets.to(), times.begin(), times.end());
            return new NotesSession(
                            connection,
                            notes.open(connection, resources),
                            new NotesSession.Request(
                                    topic, chosen, partitions.count() == 0, copyOf, topicId, scope, json),
                            resources,
                            out(),
                            err())
                    .run();
        }
    }

    /** A command about one partition. */
    abstract static class OfPartition extends Subcommand {
        @Mixin
        private ServerOptions server = new ServerOptions();

        @Mixin
        private NotesOptions notes = new NotesOptions();

        @Option(names = "--topic", paramLabel = "NAME", required = true, description = "The notarized topic.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String topic;

        @Option(names = "--partition", paramLabel = "N", required = true, description = "Its partition.")
        private int partition;

        @Override
        final int run(CloseStack resources) throws Exception {
            Connection connection = resources.open(server::connect);
            Partitions.demand(topic, partition, connection.partitionsOf(topic));
            TopicPartition of = place();
            NotesSource source = notes.open(connection, resources);
            return run(resources.open(() -> NotaryProofs.open(connection, source, of, err())), source);
        }

        abstract int run(NotaryProofs proofs, NotesSource source) throws Exception;

        final TopicPartition place() {
            return new TopicPartition(topic, partition);
        }

        final void report(String words) {
            err().println("stormproof: " + words);
        }
    }

    @Command(
            name = "prove",
            description = {
                "Writes a proof that a record was in the log when it was noted: c2sp.org/tlog-proof@v1, "
                        + "which 'verify' and the tools of C2SP check without Kafka.",
                "",
                "It needs the log between two notes, as it was noted."
            },
            footer = {
                "",
                "Examples:",
                "  stormproof notary prove --bootstrap-server localhost:9092 --topic orders --partition 2 --offset 4711 --notes notes --notary-key notary-1:MCow… -o order.tlog-proof"
            })
    static final class Prove extends OfPartition {
        @Option(names = "--offset", paramLabel = "OFFSET", required = true, description = "The record's offset.")
        private long offset;

        @Option(
                names = "--without-content",
                description = "Leave the record out of the proof; 'verify --extra' reads its bytes from a file.")
        private boolean withoutContent;

        @Mixin
        private ProofFile output = new ProofFile();

        @Override
        int run(NotaryProofs proofs, NotesSource source) {
            TlogProof proof = proofs.inclusion(offset, !withoutContent);
            output.write(proof.encode());
            report(output + " is a proof of record number " + proof.index() + " of "
                    + proofs.last().origin());
            return ExitCode.VERIFIED;
        }
    }

    @Command(
            name = "consistency",
            description = {
                "Writes a proof that the tree of a note continues that of an earlier note: the body of "
                        + "add-checkpoint of c2sp.org/tlog-witness.",
                "",
                "It needs the tiles, or the log between the two notes."
            },
            footer = {
                "",
                "Examples:",
                "  stormproof notary consistency --bootstrap-server localhost:9092 --topic orders --partition 2 --from 100 --to 200 --notes notes --tiles tiles --notary-key notary-1:MCow… -o orders.consistency"
            })
    static final class Consistency extends OfPartition {
        @Option(names = "--from", paramLabel = "NUMBER", required = true, description = "The earlier note's number.")
        private long from;

        @Option(names = "--to", paramLabel = "NUMBER", required = true, description = "The later note's number.")
        private long to;

        @Mixin
        private ProofFile output = new ProofFile();

        @Override
        int run(NotaryProofs proofs, NotesSource source) {
            output.write(proofs.consistency(from, to).encode());
            report(output + " proves that note " + to + " on " + proofs.last().origin() + " continues note " + from);
            return ExitCode.VERIFIED;
        }
    }

    @Command(
            name = "notes",
            description = {"Prints the notes on a partition, and the key of each tree as a C2SP vkey."},
            footer = {
                "",
                "Examples:",
                "  stormproof notary notes --bootstrap-server localhost:9092 --topic orders --partition 2 --notes notes --notary-key notary-1:MCow… --last"
            })
    static final class Notes extends OfPartition {
        @Option(names = "--last", description = "Print only the last note, as it is signed.")
        private boolean last;

        @Option(names = "--number", paramLabel = "NUMBER", description = "Print only this note, as it is signed.")
        private @Nullable Long number;

        @Override
        int run(NotaryProofs proofs, NotesSource source) {
            Long wanted = last ? Long.valueOf(proofs.last().state().number()) : number;
            String key =
                    new NoteKey(proofs.last().origin().text(), source.request().key()).text();
            for (Note note : proofs.notes()) {
                if (wanted == null) {
                    out().println(note.state().number() + "  "
                            + Instant.ofEpochMilli(note.state().timeMillis()) + "  "
                            + note.head().size() + " records up to offset "
                            + note.state().next() + "  root "
                            + note.root().toHex());
                } else if (note.state().number() == wanted) {
                    new String(note.signed().encode(), StandardCharsets.UTF_8)
                            .lines()
                            .forEach(out()::println);
                }
            }
            if (wanted == null) {
                out().println("key  " + key);
            }
            return ExitCode.VERIFIED;
        }
    }

    @Command(
            name = "tiles",
            description = {
                "Writes the tree of a partition's last note, with its checkpoint, as static files of "
                        + "c2sp.org/tlog-tiles. Existing files of this tree are kept; those of another tree are "
                        + "refused."
            },
            footer = {
                "",
                "Examples:",
                "  stormproof notary tiles --bootstrap-server localhost:9092 --topic orders --partition 2 --notes notes --tiles tiles --notary-key notary-1:MCow… -o orders-2"
            })
    static final class Tiles extends OfPartition {
        @Option(
                names = {"-o", "--output"},
                paramLabel = "DIR",
                required = true,
                description = "The directory to write to.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private Path dir;

        @Override
        int run(NotaryProofs proofs, NotesSource source) {
            try {
                int written = proofs.export(dir);
                long note = proofs.last().state().number();
                String origin = proofs.last().origin().text();
                report(written + " files written to " + dir + ", the tree of note " + note + " on " + origin);
            } catch (IOException e) {
                throw Failure.usage("--output " + dir + " cannot be written: " + e, e);
            }
            return ExitCode.VERIFIED;
        }
    }
}
