package dev.stormproof.forward;

import static dev.stormproof.emit.testing.Clients.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.AlertJson;
import dev.stormproof.cli.testing.Findings;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.judge.Anomaly.Kind;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.local.OnKafka;
import dev.stormproof.local.SharedKafka;
import dev.stormproof.metrics.testing.Scrape;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Alerts reach a receiver that fails, is slow, or goes away; and a forwarder that ends and begins again. */
@OnKafka
@Timeout(120)
class ForwarderTest {
    private static final Backoff QUICK = new Backoff(0, 5, 50);

    private final EmbeddedKafka kafka;
    private final String topic;
    private final String group = SharedKafka.unique("forward");
    private final List<String> troubles = new CopyOnWriteArrayList<>();

    ForwarderTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
        this.topic = SharedKafka.createTopic(kafka, "alerts", 1);
    }

    private static Alert violated(int number, boolean provisional) {
        return Findings.violated(0, number, provisional, Findings.anomaly(Kind.LOST, 0, 417, 418));
    }

    private static Receiver webhook(HookServer server) {
        return new Webhook(Post.to(server.address(), Map.of("Authorization", "Bearer secret"), Duration.ofMillis(500)));
    }

    private static Receiver alertmanager(HookServer server) {
        return new Alertmanager(
                Post.to(Alertmanager.api(server.address()), Map.of(), Duration.ofMillis(500)),
                () -> 1_700_000_000_000L);
    }

    private void writeInTransaction(byte[] alert) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", topic),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            var unused = producer.send(new ProducerRecord<>(topic, alert));
            producer.commitTransaction();
        }
    }

    private void write(byte[]... records) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (byte[] record : records) {
                producer.send(new ProducerRecord<>(topic, "key".getBytes(UTF_8), record))
                        .get();
            }
        }
    }

    /** Forwards until something is so. */
    private void forward(Receiver receiver, Backoff backoff, long repeatMillis, BooleanSupplier until)
            throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        try (Forwarder forwarder = new Forwarder(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group, "max.poll.records", 500),
                topic,
                true,
                receiver,
                backoff,
                repeatMillis,
                troubles::add)) {
            forwarder.run(() -> until.getAsBoolean() || System.nanoTime() > deadlineNanos);
        }
        assertThat(until.getAsBoolean()).as("in time; %s", troubles).isTrue();
    }

    private void forward(Receiver receiver, BooleanSupplier until) throws Exception {
        forward(receiver, QUICK, 3_600_000, until);
    }

    private static List<String> ids(HookServer server) {
        return server.taken.stream().map(event -> event.get("id").asText()).toList();
    }

    @Test
    void eachRevisionIsSentOnceAsItStandsInTheTopic() throws Exception {
        try (HookServer server = new HookServer()) {
            Alert provisional = violated(4, true);
            Alert last = violated(4, false);
            write(AlertJson.write(provisional), AlertJson.write(provisional), AlertJson.write(last));
            forward(webhook(server), () -> server.taken.size() >= 2);

            assertThat(ids(server))
                    .containsExactly(
                            provisional.finding().revisionId(), last.finding().revisionId());
            JsonNode first = server.taken.get(0);
            assertThat(first.at("/data/provisional").asBoolean()).isTrue();
            assertThat(first.at("/data/next").asText()).startsWith("provisional: this alert comes again");
            assertThat(server.taken.get(1).at("/data").has("next")).isFalse();
            assertThat(server.headers.get(0))
                    .isEqualTo("Bearer secret application/cloudevents+json; charset=UTF-8 /hook");
        }
    }

    @Test
    void whatIsRefusedIsSentAgainUntilItIsTaken() throws Exception {
        try (HookServer server = new HookServer()) {
            server.refusals.set(7);
            write(AlertJson.write(violated(1, false)), AlertJson.write(violated(2, false)));
            forward(webhook(server), () -> server.taken.size() >= 2);

            assertThat(ids(server))
                    .containsExactly(
                            violated(1, false).finding().revisionId(),
                            violated(2, false).finding().revisionId());
            assertThat(troubles)
                    .anyMatch(line -> line.contains("answers 503"))
                    .anyMatch(line -> line.contains("takes alerts again"));
        }
    }

    @Test
    void aRevisionThatWasToldIsNotSentAgain() throws Exception {
        try (HookServer server = new HookServer()) {
            byte[] alert = AlertJson.write(violated(1, false));
            write(alert, alert, alert, AlertJson.write(violated(2, false)));
            forward(
                    webhook(server),
                    () -> ids(server).contains(violated(2, false).finding().revisionId()));
            assertThat(server.taken).hasSize(2);
        }
    }

    @Test
    void afterTheLastAttemptItEndsAndTheNextOneBeginsThere() throws Exception {
        try (HookServer server = new HookServer()) {
            server.refusals.set(3);
            write(AlertJson.write(violated(1, false)));
            assertThatThrownBy(() -> forward(webhook(server), new Backoff(3, 5, 50), 3_600_000, () -> false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in 3 attempts")
                    .hasMessageContaining("503");
            assertThat(server.taken).isEmpty();

            forward(webhook(server), () -> server.taken.size() == 1);
        }
    }

    @Test
    void whatIsOpenIsCountedThoughTheReceiverTakesNothingAndSoIsWhatIsAcceptedMeanwhile() throws Exception {
        try (HookServer server = new HookServer();
                Forwarder forwarder = new Forwarder(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group),
                        topic,
                        true,
                        webhook(server),
                        new Backoff(0, 600_000, 600_000),
                        3_600_000,
                        troubles::add)) {
            server.refusals.set(1_000_000);
            write(AlertJson.write(violated(1, false)), AlertJson.write(violated(2, false)));
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
            forwarder.run(() -> (count(forwarder, Standing.State.OPEN) == 2 && forwarder.failingSeconds() > 0)
                    || System.nanoTime() > deadlineNanos);
            assertThat(count(forwarder, Standing.State.OPEN)).isEqualTo(2);

            write(AlertJson.write(Acceptance.of(violated(2, false), 1_000, "alice", "sent again")));
            forwarder.run(() -> count(forwarder, Standing.State.ACCEPTED) == 1 || System.nanoTime() > deadlineNanos);
            assertThat(count(forwarder, Standing.State.ACCEPTED)).isEqualTo(1);
            assertThat(count(forwarder, Standing.State.OPEN)).isEqualTo(1);
            assertThat(server.taken).isEmpty();
        }
    }

    /** Else a scrape sees open what was accepted long ago, or misses what is open. */
    @Test
    void alertsAreCountedOnceTheTopicIsReadToItsEnd() throws Exception {
        write(
                AlertJson.write(violated(1, false)),
                AlertJson.write(violated(2, false)),
                AlertJson.write(Acceptance.of(violated(1, false), 1_000, "alice", "sent again")));
        Set<String> seen = new LinkedHashSet<>();
        try (HookServer server = new HookServer();
                Forwarder forwarder = new Forwarder(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group, "max.poll.records", 1),
                        topic,
                        true,
                        webhook(server),
                        QUICK,
                        3_600_000,
                        troubles::add)) {
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
            forwarder.run(() -> {
                seen.add(count(forwarder, Standing.State.OPEN) + " open, " + count(forwarder, Standing.State.ACCEPTED)
                        + " accepted");
                return seen.contains("1 open, 1 accepted") || System.nanoTime() > deadlineNanos;
            });
        }
        assertThat(seen).containsExactly("0 open, 0 accepted", "1 open, 1 accepted");
    }

    @Test
    void whatWaitsForAReceiverThatTakesNothingIsBounded() throws Exception {
        int all = 20;
        for (int number = 0; number < all; number++) {
            byte[] alert = AlertJson.write(violated(number, false));
            byte[] large = Arrays.copyOf(alert, 900_000);
            Arrays.fill(large, alert.length, large.length, (byte) ' ');
            write(large);
        }
        try (HookServer server = new HookServer();
                Forwarder forwarder = new Forwarder(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group),
                        topic,
                        true,
                        webhook(server),
                        new Backoff(0, 600_000, 600_000),
                        3_600_000,
                        troubles::add)) {
            server.refusals.set(1_000_000);
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
            forwarder.run(() -> forwarder.standings().size() >= 10 || System.nanoTime() > deadlineNanos);
            AtomicInteger rounds = new AtomicInteger();
            forwarder.run(() -> rounds.incrementAndGet() > all);

            assertThat(forwarder.standings()).hasSizeBetween(10, all - 1);

            // What is behind them may expire meanwhile.
            deleteBefore(all);
            forwarder.run(() -> saysWhatWasDeleted() || System.nanoTime() > deadlineNanos);
            assertThat(saysWhatWasDeleted()).as("%s", troubles).isTrue();
        }
    }

    private boolean saysWhatWasDeleted() {
        return troubles.stream().anyMatch(line -> line.contains("were deleted before they were forwarded"));
    }

    private static long count(Forwarder forwarder, Standing.State state) {
        return forwarder.standings().stream()
                .filter(standing -> standing.state() == state)
                .count();
    }

    /** The receiver has it, and its answer does not come in time: what it gets once more is that one alone. */
    @Test
    void aSlowAnswerRepeatsOneRequest() throws Exception {
        try (HookServer server = new HookServer()) {
            server.silences.set(1);
            write(AlertJson.write(violated(1, false)), AlertJson.write(violated(2, false)));
            forward(webhook(server), () -> server.taken.size() >= 3);
            String first = violated(1, false).finding().revisionId();
            assertThat(ids(server))
                    .containsExactly(first, first, violated(2, false).finding().revisionId());
        }
    }

    @Test
    void whoBeginsAgainKnowsWhatWasTold() throws Exception {
        try (HookServer server = new HookServer()) {
            write(AlertJson.write(violated(1, false)));
            forward(webhook(server), () -> server.taken.size() == 1);
            write(AlertJson.write(violated(1, false)), AlertJson.write(violated(2, false)));
            forward(
                    webhook(server),
                    () -> ids(server).contains(violated(2, false).finding().revisionId()));
            assertThat(server.taken).hasSize(2);
        }
    }

    @Test
    void whatWasDeletedBeforeItWasForwardedIsSaid() throws Exception {
        try (HookServer server = new HookServer()) {
            write(AlertJson.write(violated(1, false)));
            forward(webhook(server), () -> committed().containsValue(new OffsetAndMetadata(1, "leader-epoch=0")));
            assertThat(troubles).isEmpty();

            write(IntStream.range(2, 5)
                    .mapToObj(number -> AlertJson.write(violated(number, false)))
                    .toArray(byte[][]::new));
            deleteBefore(3);
            forward(webhook(server), () -> server.taken.size() == 2);
            assertThat(troubles)
                    .singleElement()
                    .asString()
                    .startsWith(topic + "-0: alerts of [1, 3) were deleted before they were forwarded");
        }
    }

    @Test
    void theEndOfATransactionThatWasDeletedIsNoAlert() throws Exception {
        try (HookServer server = new HookServer()) {
            writeInTransaction(AlertJson.write(violated(1, false)));
            AtomicInteger rounds = new AtomicInteger();
            forward(webhook(server), () -> !server.taken.isEmpty() && rounds.incrementAndGet() > 4);
            deleteBefore(2);
            write(AlertJson.write(violated(2, false)));
            forward(webhook(server), () -> server.taken.size() == 2);
            assertThat(troubles).isEmpty();
        }
    }

    /** A partition whose alerts wait for the receiver is not read on, and what is behind them may expire. */
    @Test
    void whatIsDeletedWhileThePartitionIsNotReadOnIsSaidOnce() {
        Forwarder.Followed followed = new Forwarder.Followed(new TopicPartition(topic, 0), new OffsetAndMetadata(5), 0);
        assertThat(followed.beginsAt(5)).isEmpty();
        assertThat(followed.sends(5, Optional.of(0))).isTrue();
        followed.readTo(7);
        assertThat(followed.beginsAt(7)).isEmpty();

        assertThat(followed.beginsAt(90))
                .hasValueSatisfying(line -> assertThat(line).startsWith(topic + "-0: alerts of [7, 90) were deleted"));
        assertThat(followed.beginsAt(90)).isEmpty();
        assertThat(followed.sends(90, Optional.of(0))).isTrue();
    }

    private void deleteBefore(long offset) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(offset)))
                    .all()
                    .get();
        }
    }

    /** 400 alerts, a receiver that goes away and comes back, and a forwarder that ends every now and then. */
    @Test
    void noAlertIsLostThoughBothSidesEndAndBeginAgain() throws Exception {
        byte[][] records = IntStream.range(0, 400)
                .mapToObj(number -> AlertJson.write(violated(number, false)))
                .toArray(byte[][]::new);
        write(records);
        List<String> taken = new ArrayList<>();
        int port = 0;
        int starts = 0;
        while (taken.stream().distinct().count() < records.length && starts < 40) {
            starts++;
            try (HookServer server = new HookServer(port)) {
                port = server.port();
                server.refusals.set(2);
                int most = 20 + 7 * starts;
                int before = (int) taken.stream().distinct().count();
                forward(
                        webhook(server),
                        () -> server.taken.size() >= most || before + server.taken.size() >= records.length);
                taken.addAll(ids(server));
            }
        }
        assertThat(taken.stream().distinct()).hasSize(records.length);
        assertThat(taken).as("one repeated at most for each start").hasSizeLessThanOrEqualTo(records.length + starts);
    }

    /** What came before its first start is not its business, what comes while it is away is. */
    @Test
    void aNewGroupBeginsWithWhatComesAndMissesNothingFromThenOn() throws Exception {
        try (HookServer server = new HookServer()) {
            write(AlertJson.write(violated(1, false)), AlertJson.write(violated(2, false)));
            Map<String, Object> properties =
                    Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group, "max.poll.records", 1);
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            try (Forwarder first =
                    new Forwarder(properties, topic, false, webhook(server), QUICK, 3_600_000, troubles::add)) {
                first.run(() -> !committed().isEmpty() || System.nanoTime() > deadlineNanos);
            }
            assertThat(committed()).as("before it has read all that there is").containsValue(new OffsetAndMetadata(2));
            write(AlertJson.write(violated(3, false)));
            try (Forwarder second =
                    new Forwarder(properties, topic, false, webhook(server), QUICK, 3_600_000, troubles::add)) {
                second.run(() -> !server.taken.isEmpty() || System.nanoTime() > deadlineNanos);
            }
            assertThat(ids(server)).containsExactly(violated(3, false).finding().revisionId());
        }
    }

    /** The group's offsets, as Kafka has them. */
    private Map<TopicPartition, OffsetAndMetadata> committed() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            return admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
        } catch (ExecutionException | InterruptedException e) {
            return Map.of(); // There is no such group yet.
        }
    }

    @Test
    void whatStandsBeforeTheLastOffsetIsOfAnotherLogAndIsSent() {
        Forwarder.Followed followed = new Forwarder.Followed(new TopicPartition(topic, 0), new OffsetAndMetadata(2), 0);
        assertThat(LongStream.range(0, 4).mapToObj(offset -> followed.sends(offset, Optional.of(7))))
                .containsExactly(false, false, true, true);

        assertThat(LongStream.range(0, 2).mapToObj(offset -> followed.sends(offset, Optional.of(7))))
                .containsExactly(true, true);
    }

    /** Of such a log the offset that was committed says nothing: another leader may have written beyond it by now. */
    @Test
    void whatALaterLeaderWroteWhereTheLogLostItsEndWhileNobodyReadItIsSent() {
        TopicPartition partition = new TopicPartition(topic, 0);
        Forwarder.Followed after = new Forwarder.Followed(partition, new OffsetAndMetadata(5, "leader-epoch=2"), 0);
        assertThat(after.sends(0, Optional.of(0))).isFalse();
        assertThat(after.sends(1, Optional.of(0))).isFalse();
        assertThat(after.sends(2, Optional.of(1))).isFalse();
        assertThat(after.sends(3, Optional.of(3))).isTrue();
        assertThat(after.sends(4, Optional.of(3))).isTrue();
    }

    @Test
    void theLatestLeaderIsCommittedWithTheOffset() {
        Forwarder.Followed followed = new Forwarder.Followed(new TopicPartition(topic, 0), new OffsetAndMetadata(0), 0);
        for (int offset = 0; offset < 5; offset++) {
            assertThat(followed.sends(offset, Optional.of(offset / 2))).isTrue();
        }

        assertThat(followed.position()).isEqualTo(new OffsetAndMetadata(5, "leader-epoch=2"));
    }

    @Test
    void theLeaderOfWhatIsReadAgainIsNotCommitted() {
        TopicPartition partition = new TopicPartition(topic, 0);
        Forwarder.Followed followed = new Forwarder.Followed(partition, new OffsetAndMetadata(5, "leader-epoch=2"), 5);
        assertThat(followed.sends(3, Optional.of(1))).isFalse();
        followed.readTo(4);
        assertThat(followed.isToCommit()).isFalse();

        assertThat(followed.sends(4, Optional.of(2))).isFalse();
        followed.readTo(5);
        assertThat(followed.isToCommit()).isFalse();
    }

    /** The last offset of a topic that is written in transactions is no record's. */
    @Test
    void aNewGroupCommitsTheLeaderOfWhatItFindsThoughNothingCame() throws Exception {
        writeInTransaction(AlertJson.write(violated(1, false)));
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        AtomicInteger rounds = new AtomicInteger();
        try (HookServer server = new HookServer();
                Forwarder forwarder = new Forwarder(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group),
                        topic,
                        false,
                        webhook(server),
                        QUICK,
                        3_600_000,
                        troubles::add)) {
            forwarder.run(() -> (!forwarder.standings().isEmpty() && rounds.incrementAndGet() > 1)
                    || System.nanoTime() > deadlineNanos);
        }
        assertThat(committed()).containsEntry(new TopicPartition(topic, 0), new OffsetAndMetadata(2, "leader-epoch=0"));
    }

    /** A consumer that has committed the epoch of the topic before takes no leader of the next one for its leader. */
    @Test
    void ofATopicThatWasCreatedAnewItsOwnLeaderIsCommittedAndToldToNoConsumer() {
        Forwarder.Followed followed = new Forwarder.Followed(new TopicPartition(topic, 0), new OffsetAndMetadata(0), 0);
        assertThat(followed.sends(0, Optional.of(7))).isTrue();
        assertThat(followed.sends(1, Optional.of(7))).isTrue();
        assertThat(followed.sends(0, Optional.of(0))).isTrue();

        assertThat(followed.position().metadata()).isEqualTo("leader-epoch=0");
        assertThat(followed.position().leaderEpoch()).isEmpty();
        assertThat(new Forwarder.Followed(new TopicPartition(topic, 0), new OffsetAndMetadata(3, "of somebody else"), 0)
                        .sends(2, Optional.of(9)))
                .isFalse();
    }

    /** A later leader wrote where the topic had lost its end, while what lay there before still waited. */
    @Test
    void nothingIsDoneFromTheFirstOffsetOnOfWhatWaits() throws Exception {
        Forwarder.Followed followed = new Forwarder.Followed(new TopicPartition(topic, 0), new OffsetAndMetadata(0), 0);
        Change change = followed.take(AlertJson.write(violated(1, false))).orElseThrow();
        followed.await(change, 95, 1);
        followed.await(change, 80, 1);

        assertThat(followed.done()).isEqualTo(80);
    }

    @Test
    void whatIsOpenIsShownThoughThePartitionEndsBeforeWhereItWasToBeRead() throws Exception {
        Forwarder.Followed followed =
                new Forwarder.Followed(new TopicPartition(topic, 0), new OffsetAndMetadata(0), 1_000);
        followed.take(AlertJson.write(violated(1, false)));
        assertThat(followed.sends(299, Optional.of(0))).isTrue();
        followed.readTo(300);
        assertThat(followed.standings()).isEmpty();

        followed.endsAt(300);
        assertThat(followed.standings()).isNotEmpty();
    }

    /** Its offsets begin anew, below those of the topic before. */
    @Test
    void alertsOfATopicThatWasCreatedAnewAreSent() throws Exception {
        try (HookServer server = new HookServer()) {
            write(AlertJson.write(violated(1, false)), AlertJson.write(violated(2, false)));
            AtomicBoolean createdAnew = new AtomicBoolean();
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            try (Forwarder forwarder = new Forwarder(
                    Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group),
                    topic,
                    true,
                    webhook(server),
                    QUICK,
                    3_600_000,
                    troubles::add)) {
                forwarder.run(() -> {
                    if (server.taken.size() >= 2 && !createdAnew.getAndSet(true)) {
                        createAnew(AlertJson.write(violated(3, false)));
                    }
                    return ids(server).contains(violated(3, false).finding().revisionId())
                            || System.nanoTime() > deadlineNanos;
                });
            }
            assertThat(ids(server)).contains(violated(3, false).finding().revisionId());
        }
    }

    private void createAnew(byte[] first) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteTopics(Set.of(topic)).all().get();
            while (admin.listTopics().names().get().contains(topic)) {
                Thread.onSpinWait();
            }
            kafka.createTopic(topic, 1, Map.of());
            write(first);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void alertsOfAPartitionThatWasAddedAreSentThoughTheyCameBeforeItWasSeen() throws Exception {
        try (HookServer server = new HookServer()) {
            Map<String, Object> properties = Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group);
            try (Forwarder first =
                    new Forwarder(properties, topic, false, webhook(server), QUICK, 3_600_000, troubles::add)) {
                write(AlertJson.write(violated(1, false)));
                first.run(() -> !first.standings().isEmpty());
            }
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
                admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(2)))
                        .all()
                        .get();
            }
            await("the new partition has a leader", () -> {
                try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
                    producer.send(new ProducerRecord<>(topic, 1, null, AlertJson.write(violated(2, false))))
                            .get();
                    return true;
                } catch (Exception e) {
                    return false;
                }
            });
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            try (Forwarder second =
                    new Forwarder(properties, topic, false, webhook(server), QUICK, 3_600_000, troubles::add)) {
                second.run(() -> !server.taken.isEmpty() || System.nanoTime() > deadlineNanos);
            }
            assertThat(ids(server)).contains(violated(2, false).finding().revisionId());
        }
    }

    @Test
    @SuppressWarnings("try") // The broker goes away in the middle of it.
    void aForwarderThatKafkaDoesNotAnswerFails() throws Exception {
        try (HookServer server = new HookServer();
                EmbeddedKafka own = EmbeddedKafka.start()) {
            own.createTopic("alerts", 1, Map.of());
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
            AtomicBoolean away = new AtomicBoolean();
            try (Forwarder forwarder = new Forwarder(
                    Map.of("bootstrap.servers", own.bootstrapServers(), "group.id", group),
                    "alerts",
                    true,
                    webhook(server),
                    QUICK,
                    3_600_000,
                    line -> {
                        troubles.add(line);
                        away.set(line.startsWith("Kafka does not answer"));
                    })) {
                AtomicInteger looks = new AtomicInteger();
                forwarder.run(() -> {
                    if (looks.incrementAndGet() == 20) {
                        assertThat(forwarder.failingSeconds()).isZero();
                        own.close();
                    }
                    return away.get() || System.nanoTime() > deadlineNanos;
                });
                assertThat(forwarder.failingSeconds()).as("%s", troubles).isPositive();
            }
        }
    }

    /** In a process of its own: in this one another test's task may have named the address that counts. */
    @Test
    @SuppressWarnings("try") // The port is given up in the middle of it.
    void metricsAreServedOnceTheirPortIsFree() throws Exception {
        try (HookServer server = new HookServer();
                ServerSocket holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = holder.getLocalPort();
            write(AlertJson.write(violated(1, false)));
            try (Shell.Running forward = Shell.start(
                    "forward",
                    "--bootstrap-server",
                    kafka.bootstrapServers(),
                    "--topic",
                    topic,
                    "--group",
                    group,
                    "--from-beginning",
                    "--webhook",
                    server.address().toString(),
                    "--metrics",
                    "127.0.0.1:" + port)) {
                await("its first attempt", () -> !server.taken.isEmpty());
                holder.close();
                await(
                        "its metrics",
                        () -> Scrape.isServed(port, "stormproof_forward_failing_seconds{group=\"" + group)
                                || !forward.process().isAlive());
                assertThat(forward.process().isAlive()).isTrue();
            }
        }
    }

    @Test
    void plantedFaultsAreNotForwarded() throws Exception {
        try (HookServer server = new HookServer()) {
            Alert alert = violated(1, false);
            write(
                    AlertJson.write(new Alert(alert.source(), 0, 0, true, alert.finding())),
                    AlertJson.write(violated(2, false)));
            forward(
                    webhook(server),
                    () -> ids(server).contains(violated(2, false).finding().revisionId()));
            assertThat(server.taken).hasSize(1);
        }
    }

    @Test
    void nonsenseIsPassedOverAndSaid() throws Exception {
        try (HookServer server = new HookServer()) {
            write("{}".getBytes(UTF_8), AlertJson.write(violated(1, false)));
            forward(webhook(server), () -> server.taken.size() == 1);
            assertThat(troubles).anyMatch(line -> line.startsWith(topic + "-0@0 is no alert and is passed over"));
        }
    }

    @Test
    void anAlertmanagerHearsThatAnAlertFiresAndThatItIsAccepted() throws Exception {
        try (HookServer server = new HookServer()) {
            Alert alert = violated(1, false);
            write(AlertJson.write(alert), AlertJson.write(Acceptance.of(alert, 1_000, "alice", "sent again")));
            forward(
                    alertmanager(server),
                    () -> last(server).at("/annotations/summary").asText().startsWith("accepted by"));

            JsonNode resolved = last(server);
            assertThat(server.headers.get(0)).endsWith("/hook/api/v2/alerts");
            assertThat(resolved.at("/labels/alertname").asText()).isEqualTo(Alertmanager.NAME);
            assertThat(resolved.at("/labels/severity").asText()).isEqualTo("critical");
            assertThat(resolved.at("/labels/group").asText()).isEqualTo("test");
            assertThat(resolved.at("/labels/alert_id").asText())
                    .isEqualTo(alert.finding().id());
            assertThat(resolved.at("/endsAt").asText()).isEqualTo("2023-11-14T22:13:20Z");
            assertThat(resolved.at("/annotations/summary").asText()).isEqualTo("accepted by alice: sent again");
        }
    }

    /** It is a time by the rules of CloudEvents, and none by those of an Alertmanager, which refuses all that comes with it. */
    @Test
    void anAlertOfATimeBeforeTheYear0BeginsIn1970() throws Exception {
        try (HookServer server = new HookServer()) {
            writeOpenAt("-0001-01-01T00:00:00Z");
            forward(alertmanager(server), () -> !server.taken.isEmpty());
            assertThat(last(server).at("/startsAt").asText()).isEqualTo("1970-01-01T00:00:00Z");
        }
    }

    /** Where the clocks of verifier and forwarder are ahead of the Alertmanager's, it would end before it begins. */
    @Test
    void anAlertOfAMinuteAgoBeginsByTheClockOfTheAlertmanager() throws Exception {
        try (HookServer server = new HookServer()) {
            writeOpenAt("2023-11-14T22:12:20Z");
            forward(alertmanager(server), () -> !server.taken.isEmpty());
            assertThat(last(server).has("startsAt")).isFalse();
        }
    }

    private void writeOpenAt(String time) throws Exception {
        ObjectNode alert = (ObjectNode) new ObjectMapper().readTree(AlertJson.write(violated(1, false)));
        alert.put("time", time);
        write(alert.toString().getBytes(UTF_8));
    }

    private static JsonNode last(HookServer server) {
        List<JsonNode> taken = server.taken;
        JsonNode request = taken.isEmpty() ? null : taken.get(taken.size() - 1);
        return request == null || request.isEmpty() ? MissingNode.getInstance() : request.get(request.size() - 1);
    }

    /** An Alertmanager forgets what is not told again, by its own clock: ours may be another. */
    @Test
    void openAlertsAreToldAgain() throws Exception {
        try (HookServer server = new HookServer()) {
            write(AlertJson.write(violated(1, false)));
            forward(alertmanager(server), QUICK, 1, () -> server.taken.size() >= 4);
            assertThat(server.taken).allSatisfy(request -> {
                assertThat(request).hasSize(1);
                assertThat(request.get(0).has("startsAt")).isTrue();
                assertThat(request.get(0).has("endsAt")).isFalse();
            });
        }
    }

    @Test
    void aForwarderFailsWhileOpenAlertsCannotBeToldAgain() throws Exception {
        try (HookServer server = new HookServer();
                Forwarder forwarder = new Forwarder(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group),
                        topic,
                        true,
                        alertmanager(server),
                        QUICK,
                        1,
                        troubles::add)) {
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
            write(AlertJson.write(violated(1, false)));
            forwarder.run(() -> server.taken.size() >= 2 || System.nanoTime() > deadlineNanos);
            assertThat(forwarder.failingSeconds()).isZero();

            server.refusals.set(10_000);
            int told = troubles.size();
            forwarder.run(() -> troubles.size() >= told + 2 || System.nanoTime() > deadlineNanos);
            assertThat(forwarder.failingSeconds()).as("%s", troubles).isPositive();

            server.refusals.set(0);
            int taken = server.taken.size();
            forwarder.run(() -> server.taken.size() >= taken + 2 || System.nanoTime() > deadlineNanos);
            assertThat(forwarder.failingSeconds()).as("%s", troubles).isZero();
        }
    }

    @Test
    void aForwarderWhosePartitionMovesToAnotherOneFailsNoMore() throws Exception {
        write(AlertJson.write(violated(1, false)));
        try (HookServer down = new HookServer();
                HookServer server = new HookServer();
                Forwarder failing = new Forwarder(
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group, "client.id", "z"),
                        topic,
                        true,
                        webhook(down),
                        QUICK,
                        3_600_000,
                        troubles::add)) {
            down.refusals.set(1_000_000);
            AtomicBoolean ending = new AtomicBoolean();
            Thread other = new Thread(() -> {
                await("a failure", () -> failing.failingSeconds() > 0);
                try (Forwarder forwarder = new Forwarder(
                        // Of a group with one partition the first by name has it.
                        Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group, "client.id", "a"),
                        topic,
                        true,
                        webhook(server),
                        QUICK,
                        3_600_000,
                        troubles::add)) {
                    forwarder.run(ending::get);
                } catch (IOException e) {
                    troubles.add(e.toString());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            other.start();
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            failing.run(() ->
                    (!server.taken.isEmpty() && failing.failingSeconds() == 0) || System.nanoTime() > deadlineNanos);
            ending.set(true);
            other.join();
            assertThat(server.taken).as("%s", troubles).isNotEmpty();
            assertThat(failing.failingSeconds()).isZero();
        }
    }

    @Test
    void aRevisionThatIsMoreUrgentEndsTheEarlierOne() throws Exception {
        try (HookServer server = new HookServer()) {
            Alert open = Findings.unsealed(0, 1);
            Alert violated = violated(1, false);
            assertThat(open.finding().id()).isEqualTo(violated.finding().id());
            write(AlertJson.write(open));
            forward(alertmanager(server), () -> server.taken.size() == 1);
            write(AlertJson.write(violated));
            forward(alertmanager(server), () -> server.taken.size() == 2);
            JsonNode request = server.taken.get(1);
            assertThat(request).hasSize(2);
            assertThat(request.get(0).at("/labels/severity").asText()).isEqualTo("warning");
            assertThat(request.get(0).at("/endsAt").asText()).isEqualTo("2023-11-14T22:13:20Z");
            assertThat(request.get(1).at("/labels/severity").asText()).isEqualTo("critical");
        }
    }

    @Test
    void twoOfAGroupShareTheTopicAndOneGoesOnForTheOther() throws Exception {
        String wide = SharedKafka.createTopic(kafka, "alerts", 4);
        try (HookServer server = new HookServer();
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.bootstrapServers()),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (int number = 0; number < 40; number++) {
                producer.send(new ProducerRecord<>(wide, number % 4, null, AlertJson.write(violated(number, false))))
                        .get();
            }
            Map<String, Object> properties = Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", group);
            Thread other = new Thread(() -> {
                try (Forwarder forwarder =
                        new Forwarder(properties, wide, true, webhook(server), QUICK, 3_600_000, troubles::add)) {
                    forwarder.run(() -> server.taken.size() >= 10);
                } catch (IOException e) {
                    troubles.add(e.toString());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            other.start();
            long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            try (Forwarder forwarder =
                    new Forwarder(properties, wide, true, webhook(server), QUICK, 3_600_000, troubles::add)) {
                forwarder.run(() -> ids(server).stream().distinct().count() == 40 || System.nanoTime() > deadlineNanos);
            }
            other.join();
            assertThat(ids(server).stream().distinct()).as("%s", troubles).hasSize(40);
        }
    }

    @Test
    void anAlertmanagerTakesSixtyFourAtOnce() throws Exception {
        try (HookServer server = new HookServer()) {
            write(IntStream.range(0, 150)
                    .mapToObj(number -> AlertJson.write(violated(number, false)))
                    .toArray(byte[][]::new));
            forward(
                    alertmanager(server),
                    () -> server.taken.stream().mapToInt(JsonNode::size).sum() >= 150);
            assertThat(server.taken.stream().mapToInt(JsonNode::size).max()).hasValue(64);
        }
    }

    @Test
    void ofALongRefusalTheBeginningIsTold() throws Exception {
        try (HookServer server = new HookServer()) {
            server.refusals.set(1);
            server.refusal = "no".repeat(1_000);
            write(AlertJson.write(violated(1, false)));
            forward(webhook(server), () -> server.taken.size() == 1);
            assertThat(troubles).anyMatch(line -> line.contains("answers 503: " + "no".repeat(150) + ";"));
        }
    }

    @Test
    void pausesDoubleUpToTheLongest() {
        Backoff backoff = new Backoff(5, 1_000, 60_000);
        assertThat(IntStream.rangeClosed(1, 9).mapToLong(backoff::pauseMillis))
                .containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L, 60_000L, 60_000L);
        assertThat(backoff.pauseMillis(1_000)).isEqualTo(60_000);
        assertThat(backoff.goesOn(4)).isTrue();
        assertThat(backoff.goesOn(5)).isFalse();
        assertThat(new Backoff(0, 1, 1).goesOn(1_000_000)).isTrue();
    }
}
