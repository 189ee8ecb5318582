package dev.stormproof.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.alert.AlertText;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.AuditScope;
import dev.stormproof.cli.text.Circumstances;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.evidence.AuditPath;
import dev.stormproof.evidence.IntervalLeaves;
import dev.stormproof.evidence.Judgement;
import dev.stormproof.evidence.Outcome;
import dev.stormproof.evidence.Receipt;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.Bounds;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A session makes the receipt of one event, or says why there is none.
 *
 * <pre>
 *   event at the offset ──► its checkpoint, further down ──► the audit of that interval ──► verdict
 *                                   └──► its leaves, stated or gathered above it ──► audit path
 * </pre>
 */
public final class ReceiptSession {
    /** How many offsets are read at first to gather an interval's events; then twice as many each time. */
    private static final long FIRST_STRETCH = 4_096;

    private static final String WHAT_TO_SET = "; a receipt needs events that are protected against tampering: "
            + "stormproof.protect.against=tampering and a signing key at the producer";

    private final StormproofConfig config;
    private final Circumstances circumstances;
    private final Request request;
    private final CloseStack resources;
    private final Consumer<byte[]> file;
    private final Terminal out;
    private final Terminal err;

    /**
     * The options of the command.
     *
     * @param withContent false if the event's signature alone is shown
     * @param verifier signs the verdict on the interval; null if the receipt is to have none
     */
    public record Request(
            TopicPartition partition,
            long offset,
            boolean withContent,
            @Nullable CheckpointKey verifier) {}

    private record Read(LogRecord record, RecordContent content) {}

    private record Sealed(CheckpointRecord record, Hash bytes) {
        Format2Checkpoint checkpoint() {
            return (Format2Checkpoint) record.checkpoint();
        }
    }

    /**
     * @param config demands protection against tampering
     * @param file takes the bytes of the receipt, if there is one
     */
    public ReceiptSession(
            StormproofConfig config,
            Circumstances circumstances,
            Request request,
            CloseStack resources,
            Consumer<byte[]> file,
            Terminal out,
            Terminal err) {
        this.config = config;
        this.circumstances = circumstances;
        this.request = request;
        this.resources = resources;
        this.file = file;
        this.out = out;
        this.err = err;
    }

    /** Reads the log, audits the interval, and makes the receipt. */
    public ProofWriter run() {
        try (AuditClients opened = AuditClients.open(config)) {
            PartitionReader log = opened.ahead().of(request.partition());
            return make(log, log.bounds());
        } catch (ExpiredRangeException e) {
            throw Failure.own(place() + " has expired just now", e);
        } catch (KafkaException e) {
            throw Failure.own(place() + " cannot be read: " + Failure.ofClient(e), e);
        }
    }

    private ProofWriter make(PartitionReader log, Bounds bounds) throws ExpiredRangeException {
        if (request.offset() < bounds.begin() || request.offset() >= bounds.end()) {
            throw Failure.usage("--offset " + request.offset() + ": " + request.partition() + " holds the offsets from "
                    + bounds.begin() + " to " + (bounds.end() - 1));
        }
        Optional<Read> read = recordAt(log);
        if (read.isEmpty()) {
            throw Failure.usage(place() + " holds no record: the end of a transaction, perhaps");
        }
        if (!(read.get().record() instanceof Event event)) {
            return none(place() + " is no event of a stream" + reason(read.get().record()));
        }
        if (event.emitter() == StreamId.NO_EMITTER || event.treeHash() != TreeHash.SHA256) {
            return none(place() + " is protected against accidents alone (tree "
                    + event.treeHash().label() + ")" + WHAT_TO_SET);
        }
        if (!EventSigners.protectsAgainstTampering(event.signatureAlgorithm())) {
            return none(place() + " has a signature that protects against accidents alone" + WHAT_TO_SET);
        }
        if (!event.intact()) {
            return event.contradictsItsHeader()
                    ? new ProofWriter(ExitCode.VIOLATED, place() + " is not the event that its header signs")
                    : none(place() + " has a signature that is not known here: name event.signers");
        }
        if (request.withContent() && event.signatureAlgorithm() != EventSigners.SHA256_KEY_VALUE) {
            return none(place() + " has a signature of the application's own, which others cannot compute:"
                    + " --without-content shows that alone");
        }
        return make(log, bounds, event, read.get().content());
    }

    private ProofWriter make(PartitionReader log, Bounds bounds, Event event, RecordContent content)
            throws ExpiredRangeException {
        List<String> refused = new ArrayList<>();
        Optional<Sealed> found = checkpointOf(event, log, bounds.end(), refused);
        if (found.isEmpty()) {
            return none("no checkpoint that is believed seals " + place() + " yet"
                    + (refused.isEmpty() ? "" : "; " + refused.get(0)));
        }
        Sealed sealed = found.get();
        Optional<Verdict> judged = judge(sealed);
        if (judged.isEmpty()) {
            return none("the checkpoint at " + request.partition() + "@"
                    + sealed.record().offset() + " seals nothing");
        }
        Outcome outcome = outcome(judged.get());
        int exitCode = ExitCode.of(outcome);
        if (request.verifier() == null && outcome != Outcome.VERIFIED) {
            return new ProofWriter(
                    exitCode,
                    AlertText.summary(judged.get()) + "; with --signing-key a receipt of its events states that");
        }
        if (sealed.checkpoint().eventCount() > IntervalLeaves.MOST_EVENTS) {
            return none("the interval has more than " + IntervalLeaves.MOST_EVENTS + " events");
        }
        Optional<AuditPath> path = leaves(sealed, log, bounds.begin()).pathOf(event.sequence(), event.stated());
        if (path.isEmpty()) {
            return new ProofWriter(
                    outcome == Outcome.VERIFIED ? ExitCode.INCONCLUSIVE : exitCode,
                    "the interval's events do not have the root that its checkpoint states, so that there is no path");
        }
        AuditPath audited = path.get();
        return ProofWriter.of(
                exitCode,
                request.withContent()
                        ? "--without-content shows the event's signature alone"
                        : "stormproof.checkpoint.detail=root makes checkpoints small",
                () -> receipt(event, content, audited, sealed, judged.get(), outcome),
                file);
    }

    private byte[] receipt(
            Event event, RecordContent content, AuditPath path, Sealed sealed, Verdict verdict, Outcome outcome) {
        byte[] checkpoint = sealed.bytes().toByteArray();
        Format2Checkpoint stated = stated(checkpoint);
        Receipt receipt = request.withContent()
                ? Receipt.ofContent(event.sequence(), content.key(), content.value(), path, stated, checkpoint)
                : Receipt.ofSignature(event.sequence(), event.stated(), path, stated, checkpoint);
        CheckpointKey verifier = request.verifier();
        return verifier == null ? receipt.unjudged() : receipt.judged(judgement(sealed, verdict, outcome), verifier);
    }

    /** The checkpoint with the topic that it names itself, of which this one may be a mirror. */
    private static Format2Checkpoint stated(byte[] checkpoint) {
        try {
            return CheckpointCodec.decode(checkpoint);
        } catch (MalformedCheckpointException e) {
            throw new IllegalStateException("a checkpoint that was read is malformed", e);
        }
    }

    private Judgement judgement(Sealed sealed, Verdict verdict, Outcome outcome) {
        return new Judgement(
                circumstances.time().toString(),
                circumstances.program(),
                circumstances.clusterId(),
                request.partition().topic(),
                circumstances.topicId(),
                request.offset(),
                sealed.record().offset(),
                outcome,
                new String(AlertJson.writeData(verdict), UTF_8));
    }

    private static ProofWriter none(String reason) {
        return new ProofWriter(ExitCode.INCONCLUSIVE, reason);
    }

    private static String reason(LogRecord record) {
        if (record instanceof UnattributedRecord stray) {
            return ": " + stray.detail();
        }
        if (record instanceof OversizedRecords oversized) {
            return ": " + oversized.detail();
        }
        return ", but a checkpoint";
    }

    private Optional<Read> recordAt(PartitionReader log) throws ExpiredRangeException {
        List<Read> found = new ArrayList<>(1);
        log.scan(
                request.offset(),
                request.offset() + 1,
                (record, epoch, timestamp, content) -> found.add(new Read(record, content.get())));
        return found.stream().findFirst();
    }

    /** The first checkpoint after the event that seals it. */
    private Optional<Sealed> checkpointOf(Event event, PartitionReader log, long end, List<String> refused)
            throws ExpiredRangeException {
        List<Sealed> found = new ArrayList<>(1);
        log.scan(request.offset() + 1, end, (record, epoch, timestamp, content) -> {
            if (record instanceof UnattributedRecord stray
                    && stray.kind() == UnattributedRecord.Kind.UNTRUSTED_CHECKPOINT
                    && refused.isEmpty()) {
                refused.add("the checkpoint at " + request.partition() + "@" + stray.offset() + " is not believed: "
                        + stray.detail());
            }
            if (record instanceof CheckpointRecord sealed && states(sealed, event)) {
                byte[] bytes = content.get().headers().last(Format2Checkpoint.HEADER);
                found.add(new Sealed(sealed, Hash.copyOf(Objects.requireNonNull(bytes))));
            }
            return found.isEmpty();
        });
        return found.stream().findFirst();
    }

    private static boolean states(CheckpointRecord record, Event event) {
        return record.checkpoint() instanceof Format2Checkpoint sealed
                && sealed.stream().emitter() == event.emitter()
                && sealed.firstSequence() <= event.sequence()
                && event.sequence() < sealed.nextSequence();
    }

    /** The verdict on an interval: that of an audit of its checkpoint's offset. */
    private Optional<Verdict> judge(Sealed sealed) {
        long offset = sealed.record().offset();
        List<Finding> found = new ArrayList<>();
        AuditSession audit = new AuditSession(
                        config,
                        new AuditSession.Request(
                                request.partition().topic(),
                                new TreeSet<>(List.of(request.partition().partition())),
                                new AuditScope(offset, offset + 1, null, null, false, null, 0),
                                1),
                        resources,
                        out,
                        err)
                .onFinding(found::add);
        var unused = audit.run();
        return found.stream()
                .filter(Verdict.class::isInstance)
                .map(Verdict.class::cast)
                .filter(verdict -> verdict.interval().checkpointOffset() == offset
                        && verdict.interval()
                                .seal()
                                .checkpointHash()
                                .equals(sealed.record().chainHash()))
                .findFirst();
    }

    /** The leaves of an interval: those that it states, or those of its events, which are above its checkpoint. */
    private static IntervalLeaves leaves(Sealed sealed, PartitionReader log, long logBegin)
            throws ExpiredRangeException {
        IntervalLeaves leaves = new IntervalLeaves(sealed.checkpoint());
        leaves.putStated();
        long emitter = sealed.checkpoint().stream().emitter();
        long end = sealed.record().offset();
        for (long stretch = FIRST_STRETCH; !leaves.isWhole() && end > logBegin; stretch *= 2) {
            long begin = Math.max(logBegin, end - stretch);
            log.scan(begin, end, (record, epoch, timestamp, content) -> {
                if (record instanceof Event event && event.emitter() == emitter) {
                    leaves.put(event.sequence(), event.stated());
                }
                return true;
            });
            end = begin;
        }
        return leaves;
    }

    private static Outcome outcome(Verdict verdict) {
        if (verdict instanceof Verdict.Verified) {
            return Outcome.VERIFIED;
        }
        return verdict instanceof Verdict.Violated ? Outcome.VIOLATED : Outcome.INCONCLUSIVE;
    }

    private String place() {
        return request.partition() + "@" + request.offset();
    }
}
