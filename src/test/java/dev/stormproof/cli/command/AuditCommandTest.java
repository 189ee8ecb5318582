package dev.stormproof.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import dev.stormproof.alert.AlertSchema;
import dev.stormproof.cli.fault.FaultPlan;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.task.live.testing.PaperLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code audit} prints findings and returns a verdict. */
@OnKafka
class AuditCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final EmbeddedKafka kafka;

    AuditCommandTest(EmbeddedKafka kafka) {
        this.kafka = kafka;
    }

    private Shell.Result audit(String topic, String... more) {
        return Shell.here(arguments(topic, more));
    }

    private String[] arguments(String topic, String... more) {
        return Shell.words("audit --bootstrap-server " + kafka.bootstrapServers() + " --topic " + topic, more);
    }

    private static List<ProducerRecord<byte[], byte[]>> paper(String topic, int partitions) {
        List<ProducerRecord<byte[], byte[]>> records = PaperLog.of(topic, partitions, 40 * partitions, 10, Map.of());
        records.sort(Comparator.comparingInt(ProducerRecord::partition));
        return records;
    }

    private String audited(int partitions, BiConsumer<String, List<ProducerRecord<byte[], byte[]>>> change) {
        String topic = SharedKafka.createTopic(kafka, "audited", partitions);
        List<ProducerRecord<byte[], byte[]>> records = paper(topic, partitions);
        change.accept(topic, records);
        SharedKafka.send(kafka, records);
        return topic;
    }

    private static ProducerRecord<byte[], byte[]> unsigned(String topic) {
        return new ProducerRecord<>(topic, 0, null, "unsigned".getBytes(UTF_8));
    }

    @Test
    void whatAnOpenTransactionHidesKeepsATopicFromBeingVerified() {
        String topic = audited(1, (at, records) -> {});
        try (KafkaProducer<byte[], byte[]> producer =
                SharedKafka.producer(kafka, "transactional.id", "open-" + topic)) {
            producer.initTransactions();
            producer.beginTransaction();
            var unused = producer.send(unsigned(topic));
            producer.flush();

            SharedKafka.send(kafka, List.of(unsigned(topic), unsigned(topic)));

            Shell.Result held = audit(topic).ends(ExitCode.INCONCLUSIVE);
            assertThat(held.out())
                    .contains("INCONCLUSIVE: the end of 1 partition cannot be read while a transaction is open; "
                            + "40 events are proven; records from 46 on in partition 0, 3 offsets after an open"
                            + " transaction, were not judged");
            assertThat(held.err())
                    .containsPattern("is read up to 46 of 49: a producer's transaction is open there, of producer \\d+,"
                            + " which last wrote at " + LocalDate.now(ZoneOffset.UTC));
            assertThat(audit(topic, "--json").out()).contains("\"logEndOffset\":49");
            assertThat(audit(topic, "--up-to-last-checkpoint")
                            .ends(ExitCode.VERIFIED)
                            .out())
                    .contains("records from 46 on in partition 0, 3 offsets after an open transaction");
            producer.abortTransaction();
        }
        audit(topic, "--unsigned", "ignore").ends(ExitCode.VERIFIED);
    }

    @Test
    void aPartitionThatIsGoneIsSaidBesideTheVerdict(@TempDir Path dir) throws Exception {
        String topic = audited(2, (at, records) -> {});
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteRecords(Map.of(new TopicPartition(topic, 1), RecordsToDelete.beforeOffset(46)))
                    .all()
                    .get();
        }
        Path page = dir.resolve("page.html");

        Shell.Result result = audit(topic, "--html", page.toString()).ends(ExitCode.VERIFIED);

        assertThat(result.out())
                .endsWith(
                        "VERIFIED: 40 events arrived once, in order, with key and value unaltered; the log of partition 1 begins at 46; "
                                + "earlier records were not judged\n")
                .doesNotContainPattern("(?i)\\ball\\b");
        assertThat(Files.readString(page))
                .contains("The log of partition 1 begins at 46; earlier records were not judged.");
        List<String> json = audit(topic, "--json").out().lines().toList();
        assertThat(JSON.readTree(json.get(json.size() - 1)).at("/notJudged/0").asText())
                .isEqualTo("the log of partition 1 begins at 46; earlier records were not judged");

        Shell.Result demanded = audit(topic, "--complete-from", "0").ends(ExitCode.INCONCLUSIVE);
        assertThat(demanded.out())
                .contains(
                        "INCONCLUSIVE: partition 1 is not known to be complete from 0 on; 40 events are proven; the log");
        audit(topic, "--complete-from", "0", "--partition", "0").ends(ExitCode.VERIFIED);
        audit(topic, "--complete-from", "yesterday").ends(ExitCode.USAGE);
        audit(topic, "--complete-from", "0", "--from", "3", "--partition", "0").ends(ExitCode.USAGE);
    }

    @Test
    void aCleanTopicIsVerifiedPartitionByPartition() {
        String topic = audited(2, (at, records) -> {});

        Shell.Result result = audit(topic).ends(ExitCode.VERIFIED);

        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")))
                .containsExactly(
                        "partition | offsets | events | checkpoints | verified | violated | inconclusive | open",
                        "0 | 0 to 45 | 40 | 6 | 6 | 0 | 0 | 0",
                        "1 | 0 to 45 | 40 | 6 | 6 | 0 | 0 | 0",
                        "together | 80 | 12 | 12 | 0 | 0 | 0",
                        "sealed against accidents, and not against an attacker who can write to the topic",
                        "",
                        "VERIFIED: 80 events arrived once, in order, with key and value unaltered");
    }

    private static ProducerRecord<byte[], byte[]> at(Instant time, ProducerRecord<byte[], byte[]> record) {
        return new ProducerRecord<>(
                record.topic(), 0, time.toEpochMilli(), record.key(), record.value(), record.headers());
    }

    @Test
    void faultsAreNamedAndTheChosenPartitionsAreAudited() {
        String topic = audited(2, (at, records) -> {
            records.add(46, unsigned(at));
            records.add(20, records.get(20));
            records.remove(5);
        });

        Shell.Result faulty = audit(topic, "--partition", "0").ends(ExitCode.VIOLATED);

        assertThat(faulty.out())
                .contains("named anomalies: 2", "lost  sequence 4  " + topic + "-0 (nowhere)")
                .contains("duplicated  sequence 18  " + topic + "-0@20  2 copies")
                .contains("stray record (unsigned) at " + topic + "-0@46")
                .endsWith("VIOLATED: 2 anomalies in 2 of 6 intervals; 1 other partition was not judged\n"
                        + "2 of 40 events of '" + topic
                        + "' did not arrive once, in order, with key and value unaltered: 1 lost, 1 duplicated; and "
                        + "1 record belongs to no stream.\n");

        audit(topic, "--partition", "1").ends(ExitCode.VERIFIED);
        // The loss lies in the interval of checkpoint 10, the copy in that of 22.
        Shell.Result head = audit(topic, "--partition", "0", "--from", "0", "--to", "12");
        assertThat(head.out()).contains("named anomalies: 1", "lost", "0 to 11").doesNotContain("duplicated");
        Shell.Result clean =
                audit(topic, "--partition", "0", "--from", "23", "--to", "46").ends(ExitCode.VERIFIED);
        assertThat(clean.out())
                .contains(
                        "VERIFIED: 20 events arrived once, in order, with key and value unaltered; 1 other partition was not judged; "
                                + "the range before 23 in partition 0 was not judged; the range from 46 on in partition 0, and "
                                + "events whose checkpoint is there, were not judged\n");
    }

    @Test
    void jsonIsALinePerFindingAndNothingElse() throws Exception {
        String topic = audited(1, (at, records) -> records.remove(5));

        // In a process: what goes to its standard output is what a pipe gets.
        Shell.Result result = Shell.process(arguments(topic, "--json")).ends(ExitCode.VIOLATED);

        List<JsonNode> lines = new ArrayList<>();
        for (String line : result.out().split("\n", -1)) {
            lines.add(JSON.readTree(line));
        }
        assertThat(lines.remove(8).isMissingNode()).isTrue();
        List<JsonNode> judged = List.of(lines.remove(6), lines.remove(6));
        assertThat(lines)
                .extracting(node -> node.get("finding").asText() + " " + node.get("checkpoint"))
                .containsExactlyInAnyOrder(
                        "verified 0", "violated 1", "verified 2", "verified 3", "verified 4", "verified 5");
        assertThat(judged).extracting(node -> node.get("audited").asText()).containsExactly("partition", "topic");
        assertThat(judged.get(1).get("verdict").asText()).isEqualTo("violated");
        assertThat(lines)
                .filteredOn(node -> node.has("anomalies"))
                .singleElement()
                .satisfies(node -> assertThat(
                                node.get("anomalies").get(0).get("begin").asInt())
                        .isEqualTo(4));
        assertThat(result.err()).isEqualTo("stormproof: VIOLATED: 1 anomaly in 1 of 6 intervals\n");
        assertThat(result.leftovers()).isEmpty();
    }

    @Test
    void allAnomaliesOfAnIntervalArePrintedEachOnceIfAskedFor() throws Exception {
        String topic = SharedKafka.createTopic(kafka, "audited", 1);
        List<ProducerRecord<byte[], byte[]>> log = PaperLog.of(topic, 1, 4_600, 4_600, Map.of());
        // Behind checkpoint 0, every other event is lost: 2,300 anomalies, for neighbours would count as one.
        SharedKafka.send(
                kafka,
                IntStream.range(0, log.size())
                        .filter(at -> at == 0 || at > 4_600 || at % 2 == 0)
                        .mapToObj(log::get)
                        .toList());
        List<Long> lost = LongStream.range(0, 4_600)
                .filter(number -> number % 2 == 0)
                .boxed()
                .toList();

        Shell.Result named = audit(topic);
        Shell.Result all = audit(topic, "--all");

        assertThat(named.exitCode()).as(named.toString()).isEqualTo(ExitCode.VIOLATED);
        assertThat(lostIn(named.out())).isEqualTo(lost.subList(0, 1_000));
        assertThat(all.exitCode()).isEqualTo(ExitCode.VIOLATED);
        assertThat(lostIn(all.out())).containsExactlyInAnyOrderElementsOf(lost);
        assertThat(all.out()).contains("1,300 of these are listed above");

        List<JsonNode> findings = new ArrayList<>();
        for (String line : audit(topic, "--all", "--json").out().lines().toList()) {
            findings.add(JSON.readTree(line));
        }
        List<JsonNode> pages =
                findings.stream().filter(node -> node.has("anomalies")).toList();
        assertThat(pages).extracting(node -> node.get("anomalies").size()).containsExactly(1_000, 1_000, 300);
        assertThat(pages)
                .extracting(node -> List.of(node.get("alertId"), node.get("revision"), node.get("anomalyCount")))
                .containsOnly(
                        List.of(pages.get(0).get("alertId"), pages.get(0).get("revision"), new IntNode(lost.size())));
        assertThat(pages.stream()
                        .flatMap(node ->
                                StreamSupport.stream(node.get("anomalies").spliterator(), false))
                        .map(anomaly -> anomaly.get("begin").asLong()))
                .containsExactlyElementsOf(lost);
    }

    private static List<Long> lostIn(String report) {
        return Pattern.compile("(?m)^\\s+lost\\s+sequence (\\d+) ")
                .matcher(report.replace(",", ""))
                .results()
                .map(match -> Long.valueOf(match.group(1)))
                .toList();
    }

    @Test
    void thePageHoldsWhatTheReportSays(@TempDir Path dir) throws IOException {
        String topic = SharedKafka.createTopic(kafka, "audited", 2);
        List<ProducerRecord<byte[], byte[]>> records = paper(topic, 2);
        records.remove(5);
        SharedKafka.send(kafka, records.subList(0, records.size() - 3));
        Path page = dir.resolve("page.html");

        Shell.Result result = audit(topic, "--html", page.toString()).ends(ExitCode.VIOLATED);

        Matcher data = Pattern.compile("id=\"data\">(.*?)</script>").matcher(Files.readString(page));
        assertThat(data.find()).isTrue();
        JsonNode picture = JSON.readTree(data.group(1));
        assertThat(result.out())
                .endsWith((picture.required("sentence").asText() + " "
                                        + picture.required("reservation").asText())
                                .strip()
                        + "\n");
        assertThat(picture.at("/partitions/0/violated").asInt()).isEqualTo(1);
        assertThat(picture.at("/partitions/0/intervals")).hasSize(6);
        assertThat(picture.at("/partitions/1/open").asInt()).isEqualTo(1);
        assertThat(picture.required("findings")
                        .elements()
                        .next()
                        .at("/data/anomalies/0/begin")
                        .asInt())
                .isEqualTo(4);

        assertThat(audit(topic, "--html", dir.toString()).err()).contains("--html " + dir + " cannot be written");
    }

    @Test
    void aTopologysConfigurationCountsHereToo(@TempDir Path dir) throws IOException {
        String topic = audited(1, (at, records) -> records.add(unsigned(at)));
        Path config = Files.write(
                dir.resolve("verify.properties"),
                List.of(
                        "bootstrap.servers=nowhere:1",
                        "group.id=verifying",
                        "input.topics.pattern=.*",
                        "alerts.topic=alerts",
                        "unsigned.events=ignore"));

        audit(topic, "--config", config.toString()).ends(ExitCode.VERIFIED);

        audit(topic).ends(ExitCode.VIOLATED);

        Path wrong = Files.write(dir.resolve("wrong.properties"), List.of("checkpoint.keys=nonsense"));
        Shell.Result refused = audit(topic, "--config", wrong.toString()).ends(ExitCode.USAGE);
        assertThat(refused.err()).contains("--config: checkpoint.keys");
    }

    @Test
    void anEmitterThatIsNotNamedIsToldAndJudgedAllTheSame(@TempDir Path dir) throws IOException {
        String topic = SharedKafka.createTopic(kafka, "audited", 1);
        SharedKafka.send(kafka, PaperLog.of(topic, 1, 40, 10, Map.of("stormproof.emitter.name", "shop-1")));
        SharedKafka.send(kafka, PaperLog.of(topic, 1, 20, 10, Map.of("stormproof.emitter.name", "mallory")));

        audit(topic, "--emitter-allowed", "mallory", "--emitter-allowed", "shop-*")
                .ends(ExitCode.VERIFIED);
        Shell.Result told = audit(topic, "--emitter-allowed", "shop-*").ends(ExitCode.VIOLATED);
        assertThat(told.out())
                .contains("(unlisted-emitter) at " + topic + "-0@46", "an emitter named 'mallory'")
                .contains("VIOLATED: 4 checkpoints of emitters that may not write there\n")
                .endsWith("60 events of '" + topic
                        + "' are proven to have arrived once, in order, with key and value unaltered, but 4 "
                        + "checkpoints are of emitters that may not write there.\n");

        Path config = Files.write(
                dir.resolve("verify.properties"), List.of("emitters.allowed=" + topic + ":mallory,others:*"));
        Shell.Result other =
                audit(topic, "--config", config.toString(), "--json").ends(ExitCode.VIOLATED);
        assertThat(other.out()).contains("\"kind\":\"unlisted-emitter\"", "'shop-1'");
        assertRefused(audit(topic, "--emitter-allowed", "a,b"), "--emitter-allowed 'a,b'");
    }

    @Test
    void unsignedRecordsAreToldWithTheirPlaceOrCounted() throws IOException {
        String topic = audited(1, (at, records) -> {
            records.add(20, unsigned(at));
            records.add(unsigned(at));
        });

        Shell.Result ignored = audit(topic, "--unsigned", "ignore").ends(ExitCode.VERIFIED);
        assertThat(ignored.out()).contains("; 2 records without a signature were ignored\n");
        String last =
                audit(topic, "--unsigned", "ignore", "--json").out().lines().reduce("", (one, other) -> other);
        assertThat(JSON.readTree(last).path("ignoredUnsigned").asLong()).isEqualTo(2);

        Shell.Result told = audit(topic, "--unsigned", "alert").ends(ExitCode.VIOLATED);
        assertThat(told.out()).contains("stray records (unsigned) at " + topic + "-0@20 to 47");
        assertRefused(audit(topic, "--unsigned", "tell"), "--unsigned tell: use ignore or alert");
    }

    @Test
    void severalTopicsHaveAVerdictEachAndOneTogether() throws IOException {
        String prefix = SharedKafka.unique("several");
        String clean = SharedKafka.createTopic(kafka, prefix + "-a", 2);
        String faulty = SharedKafka.createTopic(kafka, prefix + "-b", 1);
        String compacted = prefix + "-c";
        kafka.createTopic(compacted, 1, Map.of("cleanup.policy", "compact"));
        SharedKafka.send(kafka, paper(clean, 2));
        List<ProducerRecord<byte[], byte[]>> records = paper(faulty, 1);
        records.remove(5);
        SharedKafka.send(kafka, records);

        Shell.Result both = audit(clean, "--topic", faulty).ends(ExitCode.VIOLATED);
        assertThat(both.out())
                .startsWith("topic " + clean + "\n")
                .contains("VERIFIED: 80 events", "\ntopic " + faulty + "\n", "VIOLATED: 1 anomaly in 1 of 6 intervals")
                .endsWith("VIOLATED: 1 topic is violated; 1 topic is verified; 110 of 120 events are proven\n");
        assertThat(both.out().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")))
                .contains("topic | events | proven | open | verdict", "together | 120 | 110 | 0 | violated");
        assertThat(audit(clean, "--topic", clean).out()).doesNotContain("together | topic");

        Shell.Result matched = Shell.here(
                        "audit",
                        "--bootstrap-server",
                        kafka.bootstrapServers(),
                        "--topic-pattern",
                        prefix + ".*",
                        "--json")
                .ends(ExitCode.VIOLATED);
        List<JsonNode> lines = new ArrayList<>();
        for (String line : matched.out().lines().toList()) {
            AlertSchema.check(line.getBytes(UTF_8));
            lines.add(JSON.readTree(line));
        }
        assertThat(lines.stream().map(line -> line.path("audited").asText()).filter(audited -> !audited.isEmpty()))
                .containsExactly("partition", "partition", "topic", "partition", "topic", "topics");
        JsonNode sum = lines.get(lines.size() - 1);
        assertThat(sum.path("verdict").asText()).isEqualTo("violated");
        assertThat(sum.path("provenEvents").asLong()).isEqualTo(110);
        assertThat(sum.path("topics")).hasSize(2);
        assertThat(sum.path("notJudged").get(0).asText())
                .isEqualTo("topic " + compacted + " is compacted, and was not judged");
    }

    @Test
    void whatMeansOneTopicIsRefusedOfSeveral() {
        assertRefused(audit("one", "--topic", "two", "--partition", "0"), "--partition is of one topic");
        assertRefused(audit("one", "--topic", "two", "--html", "x.html"), "--html is of one topic");
        String servers = kafka.bootstrapServers();
        assertRefused(Shell.here("audit", "--bootstrap-server", servers), "name the topics: with '--topic=NAME'");
        assertRefused(
                Shell.here("audit", "--bootstrap-server", servers, "--topic-pattern", "("), "is no regular expression");
        assertRefused(
                Shell.here("audit", "--bootstrap-server", servers, "--topic-pattern", "nothing-is-called-so"),
                "no topic at");
    }

    @Test
    void whatCannotBeIsRefusedInOneLineThatSaysWhatToDo() {
        String topic = audited(2, (at, records) -> {});
        String compacted = SharedKafka.unique("compacted");
        kafka.createTopic(compacted, 1, Map.of("cleanup.policy", "compact"));

        assertRefused(audit("no-such-topic"), "there is no topic no-such-topic");
        assertRefused(audit(compacted), "topic " + compacted + " is compacted");
        assertRefused(audit(topic, "--partition", "2"), "--partition 2: topic " + topic + " has partitions 0 to 1");
        assertRefused(audit(topic, "--partition", "-1"), "--partition -1");
        assertRefused(audit(topic, "--from", "3"), "name it with --partition");
        assertRefused(audit(topic, "--partition", "0", "--from", "47"), "--from 47", "from 0 to 46");
        assertRefused(audit(topic, "--partition", "0", "--to", "47"), "--to 47", "from 0 to 46");
        assertRefused(audit(topic, "--partition", "0", "--from", "9", "--to", "8"), "begins before it ends");
        assertRefused(audit(topic, "--partition", "0", "--from", "-9"), "--from -9");
        assertRefused(audit(topic, "--partition", "0", "--from", "3", "--since", "1h"), "give one of both");
    }

    private static void assertRefused(Shell.Result result, String... messages) {
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(ExitCode.USAGE);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("stormproof: ").contains(messages);
        assertThat(result.err().lines()).hasSize(1);
    }

    /** The records of a log need not be in the order of their times: one of a producer whose clock is ahead ends no range. */
    @Test
    void aRangeEndsAfterTheLastRecordBeforeItsTime() {
        String topic = SharedKafka.createTopic(kafka, "audited-times", 1);
        Instant time = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String until = time.plusSeconds(60).toString();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        paper(topic, 1).forEach(record -> records.add(at(time.plusSeconds(records.size() == 8 ? 120 : 0), record)));
        records.remove(20);
        records.add(at(time.plusSeconds(90), unsigned(topic)));
        sendTimed(records);

        assertThat(audit(topic, "--until", until).ends(ExitCode.VIOLATED).out())
                .contains("lost  sequence 18", "the range from 45 on in partition 0");
    }

    @Test
    void whatAnOpenTransactionHidesMayBelongToARangeOfTime() {
        String topic = SharedKafka.createTopic(kafka, "audited-times", 1);
        Instant time = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String[] until = {"--until", time.plusSeconds(60).toString()};
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        paper(topic, 1).forEach(record -> records.add(at(time, record)));
        records.add(at(time.plusSeconds(90), unsigned(topic)));
        sendTimed(records);
        try (KafkaProducer<byte[], byte[]> producer =
                SharedKafka.producer(kafka, "transactional.id", "open-" + topic)) {
            producer.initTransactions();
            producer.beginTransaction();
            var unused = producer.send(at(time, unsigned(topic)));
            producer.flush();

            assertThat(audit(topic, until).ends(ExitCode.INCONCLUSIVE).out())
                    .contains("1 offset after an open transaction");
            producer.abortTransaction();
        }
        audit(topic, until).ends(ExitCode.VERIFIED);
    }

    private void sendTimed(List<ProducerRecord<byte[], byte[]>> records) {
        try (KafkaProducer<byte[], byte[]> producer = SharedKafka.producer(kafka)) {
            records.forEach(record -> {
                var unused = producer.send(record);
            });
        }
    }

    @Test
    void withShowContentThePageHoldsTheRecordsToo(@TempDir Path dir) throws IOException {
        String topic = audited(1, (at, records) -> records.add(unsigned(at)));
        Path page = dir.resolve("page.html");

        audit(topic, "--html", page.toString()).ends(ExitCode.VIOLATED);
        assertThat(Files.readString(page)).doesNotContain("\"records\":[");

        audit(topic, "--html", page.toString(), "--show-content").ends(ExitCode.VIOLATED);
        Matcher data = Pattern.compile("id=\"data\">(.*?)</script>").matcher(Files.readString(page));
        assertThat(data.find()).isTrue();
        JsonNode finding =
                JSON.readTree(data.group(1)).required("findings").elements().next();
        assertThat(finding.required("records")).hasSize(1);
        assertThat(finding.at("/records/0/value/text").asText()).isEqualTo("unsigned");
        assertThat(finding.at("/records/0").has("key")).isFalse();

        assertRefused(audit(topic, "--show-content"), "--show-content is about the page: give --html FILE as well");
    }

    @Test
    void theKeysOnBothSidesOfWhatWasLostAreReadIfThatIsAskedFor() {
        String topic = SharedKafka.createTopic(kafka, "audited", 1);
        List<ProducerRecord<byte[], byte[]>> records = PaperLog.of(
                topic,
                1,
                40,
                10,
                Map.of(),
                FaultPlan.none(),
                event -> event == 5 ? null : ("k-" + event).getBytes(UTF_8));
        records.remove(5);
        SharedKafka.send(kafka, records);

        assertThat(audit(topic).out())
                .containsPattern(
                        "lost  sequence 4 .*  between sequence 3 @4 of 20[^,]*Z, and sequence 5 @5 of 20[^,]*Z\n")
                .doesNotContain("k-3");
        Shell.Result shown = audit(topic, "--show-keys").ends(ExitCode.VIOLATED);
        assertThat(shown.out())
                .containsPattern("lost  sequence 4 .*  between sequence 3 @4 of 20[^,]*Z, key \"k-3\""
                        + ", and sequence 5 @5 of 20[^,]*Z, key none\n");
        assertThat(audit(topic, "--json").out())
                .containsPattern("\"before\":\\{\"sequence\":3,\"offset\":4,\"time\":\"20[^\"]*Z\"}")
                .doesNotContain("k-3");

        assertRefused(audit(topic, "--show-keys", "--json"), "--show-keys is about the text: leave out --json");
    }
}
