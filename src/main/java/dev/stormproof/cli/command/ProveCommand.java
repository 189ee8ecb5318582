package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.AuditSession;
import dev.stormproof.cli.session.Connection;
import dev.stormproof.cli.session.ProofWriter;
import dev.stormproof.cli.session.ReceiptSession;
import dev.stormproof.cli.session.StatementSession;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.AuditScope;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.task.config.CheckingSettings;
import dev.stormproof.task.config.StormproofConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code prove} writes a proof that needs no log. */
@Command(
        name = "prove",
        description = {
            "Writes a proof that 'verify' checks without Kafka: a receipt of one event, or a statement "
                    + "over a range.",
            "",
            "A receipt (--offset) holds the event, its audit path and the signed checkpoint; with "
                    + "--signing-key also the verdict on its interval. It needs a stream that is protected against "
                    + "tampering, and checkpoint.keys in --config. A statement (--signing-key, without --offset) "
                    + "is an audit that its verifier signs. A proof that is too large for 'verify' to read, 128 MB "
                    + "or 1,000,000 lines, is not written."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof prove --bootstrap-server localhost:9092 --config keys.properties --topic orders --partition 2 --offset 4711 -o order.proof",
            "  stormproof prove --bootstrap-server localhost:9092 --topic orders --since 2026-07-01 --until 2026-10-01 --signing-key auditor-1.pem -o q3.proof",
            "",
            ExitCode.VERDICT
        })
public final class ProveCommand extends Subcommand {
    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(names = "--topic", paramLabel = "NAME", required = true, description = "The topic of the events.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    @Mixin
    private Partitions partitions = new Partitions();

    @Option(names = "--offset", paramLabel = "OFFSET", description = "The offset of the event to write a receipt of.")
    private @Nullable Long offset;

    @Option(names = "--without-content", description = "Show only the event's signature, not its key and value.")
    private boolean withoutContent;

    @Mixin
    private TimeRange range = new TimeRange();

    @Option(
            names = "--up-to-last-checkpoint",
            description = "Events after the last checkpoint of their stream do not make a statement inconclusive.")
    private boolean upToLastCheckpoint;

    @Option(
            names = "--require-protection",
            paramLabel = "KIND",
            description = "What streams of a statement must be protected against: accidents, or tampering. Receipts "
                    + "always demand tampering.")
    private @Nullable String requiredProtection;

    @Option(
            names = "--signing-key",
            paramLabel = "FILE",
            description = "The verifier's private key, from 'key create'. Its id is the file's name without .pem, "
                    + "unless given as ID:FILE.")
    private @Nullable String key;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "How many partitions are audited at once for a statement; by default, one for each processor and "
                            + "at most 4.")
    private int threads = AuditSession.DEFAULT_THREADS;

    @Mixin
    private ProofFile output = new ProofFile();

    @Override
    int run(CloseStack resources) throws Exception {
        if (offset != null && (partitions.count() != 1 || range.isGiven())) {
            throw Failure.usage("--offset names an event of one partition: it needs --partition N, and takes no range");
        }
        if (offset == null && (key == null || withoutContent)) {
            throw Failure.usage(
                    key == null
                            ? "a statement needs --signing-key, for it is worth what its signer is; or name an event with --offset"
                            : "--without-content is of receipts: name an event with --offset");
        }
        range.check();
        CheckpointKey verifier = key == null ? null : read(key);
        Connection connection = resources.open(server::connect);
        int count = connection.partitionsOf(topic);
        SortedSet<Integer> chosen = partitions.of(topic, count);
        connection.refuseCompacted(topic);
        Map<String, String> properties = connection.clientProperties();
        if (offset != null || requiredProtection != null) {
            properties.put(
                    CheckingSettings.REQUIRE_PROTECTION,
                    offset != null ? "tampering" : String.valueOf(requiredProtection));
        }
        StormproofConfig config = connection.config(properties, topic);
        AuditScope scope =
                new AuditScope(null, null, range.begin(), range.end(), upToLastCheckpoint, null, count - chosen.size());
        return offset == null
                ? prove(config, connection, chosen, scope, Objects.requireNonNull(verifier), resources)
                : prove(config, connection, new TopicPartition(topic, chosen.first()), offset, verifier, resources);
    }

    private int prove(
            StormproofConfig config,
            Connection connection,
            TopicPartition partition,
            long at,
            @Nullable CheckpointKey verifier,
            CloseStack resources)
            throws Exception {
        ProofWriter made = new ReceiptSession(
                        config,
                        connection.circumstances(topic, config),
                        new ReceiptSession.Request(partition, at, !withoutContent, verifier),
                        resources,
                        output::write,
                        out(),
                        err())
                .run();
        return reported(
                "receipt",
                made,
                " of " + partition + "@" + at
                        + (verifier == null ? ", without a verdict on its interval: --signing-key signs one" : ""));
    }

    private int prove(
            StormproofConfig config,
            Connection connection,
            SortedSet<Integer> chosen,
            AuditScope scope,
            CheckpointKey verifier,
            CloseStack resources)
            throws Exception {
        ProofWriter made = new StatementSession(
                        config,
                        connection.circumstances(topic, config),
                        new StatementSession.Request(topic, chosen, scope, threads, verifier),
                        resources,
                        out(),
                        err())
                .run(output::write);
        return reported("statement", made, " on " + topic);
    }

    private int reported(String kind, ProofWriter made, String ofWhat) {
        err().println(
                        made.reason().isEmpty()
                                ? "stormproof: " + output.described() + " is a " + kind + ofWhat
                                : "stormproof: no " + kind + ": " + made.reason());
        return made.exitCode();
    }

    private static CheckpointKey read(String idAndFile) {
        int colon = idAndFile.indexOf(':');
        String file = idAndFile.substring(colon + 1);
        String id = colon < 1 ? CheckpointKey.idOf(file) : idAndFile.substring(0, colon);
        try {
            return CheckpointKey.ofText(id, Files.readString(Path.of(file)));
        } catch (NoSuchFileException e) {
            throw Failure.usage("--signing-key: there is no file " + file, e);
        } catch (IOException e) {
            throw Failure.usage("--signing-key: " + file + " cannot be read: " + e, e);
        } catch (IllegalArgumentException e) {
            throw Failure.usage("--signing-key: " + e.getMessage(), e);
        }
    }
}
