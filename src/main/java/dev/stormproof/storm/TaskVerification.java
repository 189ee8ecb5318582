package dev.stormproof.storm;

import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.verify.Bounds;
import dev.stormproof.verify.Finding;
import dev.stormproof.verify.Link;
import dev.stormproof.verify.PartitionVerifier;
import dev.stormproof.verify.Patience;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;

/**
 * The verification of all partitions of one task: deliveries go in, findings come out, the log is read where needed.
 *
 * <p>Audits are made in the threads of a pool; what they found is taken when the next delivery or {@link #tick} comes.
 * Until then a partition's progress does not pass what they are about.
 *
 * <p>Not thread-safe: one task, one thread.
 */
final class TaskVerification {
    private final LogRecordParser parser;
    private final ToLongFunction<TopicPartition> firstOffsets;
    private final TaskAudits audits;
    private final Patience patience;
    private final Consumer<Finding> findings;
    private final Map<TopicPartition, PartitionVerifier> verifiers = new HashMap<>();

    /**
     * @param progressAtStart how far the task's partitions were verified when it began
     * @param firstOffsets where to begin in a partition that has none, and of which the first delivery is no start
     * @param patience how long streams may be silent
     * @param findings takes what is found, in order within a partition
     */
    TaskVerification(
            LogRecordParser parser,
            Map<TopicPartition, Progress> progressAtStart,
            ToLongFunction<TopicPartition> firstOffsets,
            TaskAudits audits,
            Patience patience,
            Consumer<Finding> findings) {
        this.parser = parser;
        this.firstOffsets = firstOffsets;
        this.audits = audits;
        this.patience = patience;
        this.findings = findings;
        progressAtStart.forEach((partition, progress) -> verifiers.put(partition, newVerifier(partition, progress)));
    }

    /** Takes the next delivery of a partition. */
    void take(Delivery delivery) {
        TopicPartition partition = new TopicPartition(delivery.topic(), delivery.partition());
        Custody custody = delivery.custody();
        PartitionVerifier verifier = verifiers.computeIfAbsent(
                partition, gained -> newVerifier(gained, Progress.at(firstOffset(gained, delivery))));
        LogRecord record = parser.parse(
                delivery.topic(),
                delivery.partition(),
                delivery.offset(),
                delivery.value(),
                delivery.headers()::last,
                delivery.observed());
        verifier.take(
                new Link(
                        delivery.offset(),
                        custody.previous(),
                        custody.start(),
                        custody.leaderEpoch(),
                        custody.incarnation()),
                record);
        verifier.drainFindings().forEach(findings);
        audits.ask(partition);
        drainAudits();
    }

    /** Notes the time, about once a second: tries audits again that could not be made, and looks after silent streams. */
    void tick(long nowMillis) {
        audits.tick(nowMillis);
        drainAudits();
        verifiers.values().forEach(verifier -> {
            verifier.tick(nowMillis);
            verifier.drainFindings().forEach(findings);
        });
        audits.askAll();
    }

    /** How far each partition is verified: where a reader must begin again to miss nothing undecided. */
    Map<TopicPartition, Progress> progress() {
        Map<TopicPartition, Progress> progress = new HashMap<>();
        verifiers.forEach((partition, verifier) -> progress.put(
                partition, new Progress(verifier.progressOffset(), verifier.progressEpoch(), verifier.promises())));
        return progress;
    }

    /**
     * Where to begin in a partition without progress: a spout's start says that nothing came before; a record in mid-chain
     * says that something did.
     */
    private long firstOffset(TopicPartition partition, Delivery first) {
        return first.custody().start() ? first.offset() : firstOffsets.applyAsLong(partition);
    }

    private PartitionVerifier newVerifier(TopicPartition partition, Progress progress) {
        PartitionVerifier verifier = new PartitionVerifier(
                partition.topic(),
                partition.partition(),
                progress.offset(),
                progress.leaderEpoch(),
                patience,
                Bounds.DEFAULT);
        verifier.expect(progress.promises());
        audits.add(partition, verifier);
        return verifier;
    }

    private void drainAudits() {
        List<TopicPartition> answered = audits.drain();
        if (!answered.isEmpty()) {
            answered.forEach(partition -> Objects.requireNonNull(verifiers.get(partition))
                    .drainFindings()
                    .forEach(findings));
            audits.askAll();
        }
    }
}
