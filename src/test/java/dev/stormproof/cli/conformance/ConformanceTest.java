package dev.stormproof.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.conformance.CaseResult.Outcome;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.CheckpointFields;
import dev.stormproof.verify.feed.HeaderBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A right log passes each case, and a log in which one rule is broken fails the case of that rule alone. */
class ConformanceTest {
    private static final TrialLog.Keys KEYS = TrialLog.Keys.generate();

    /** For each case, what breaks its rule. */
    private static final Map<Case, Consumer<TrialLog>> HARMS = harms();

    @Test
    void aLogWithoutRecordsShowsNothing() {
        assertThat(TrialLog.judge(List.of(), KEYS)).allMatch(result -> result.outcome() == Outcome.NOT_SEEN);
    }

    @ParameterizedTest
    @EnumSource(Case.class)
    void aBrokenRuleFailsItsCaseAlone(Case rule) {
        TrialLog log = new TrialLog(KEYS);
        assertThat(HARMS).containsKey(rule);
        Objects.requireNonNull(HARMS.get(rule)).accept(log);

        List<CaseResult> failed = failures(log.write());

        assertThat(failed).extracting(CaseResult::rule).as(failed.toString()).containsExactly(rule);
        assertThat(failed.get(0).faults()).isNotEmpty();
    }

    @Test
    void anEventBehindItsStreamsClosingCheckpointIsFound() {
        TrialLog log = new TrialLog(KEYS);
        List<TrialLog.Raw> records = log.write();
        log.new Stream(1, "kit", 0xd)
                .following(1)
                .event("behind the end", TrialLog.text("key"), TrialLog.text("value"));

        assertThat(failures(records)).extracting(CaseResult::rule).containsExactly(Case.CLOSING);
    }

    /** Rule 17: the end of an emitter that does not know whether its last checkpoint arrived, and it did. */
    @Test
    void anEndThatTakesThePlaceOfACheckpointThatArrivedIsNone() {
        TrialLog log = new TrialLog(KEYS);
        List<TrialLog.Raw> records = log.write();
        TrialLog.Stream doubting = begun(log);
        doubting.events("doubted", 2);
        Hash before = doubting.chain;
        doubting.seal("arrived");
        end(doubting, 1, 0, before, new SequenceRange(0, 2));

        assertThat(failures(records)).isEmpty();
    }

    /** The same of the first one: that the next one has its number too is no second beginning. */
    @Test
    void neitherIsOneThatTakesThePlaceOfNumber0() {
        TrialLog log = new TrialLog(KEYS);
        List<TrialLog.Raw> records = log.write();
        TrialLog.Stream doubting = begun(log);
        doubting.events("doubted", 2);
        doubting.sequences.clear();
        doubting.signatures.clear();
        doubting.number = 0;
        doubting.seal("end of doubting", true, List.of(new SequenceRange(0, 2)));
        end(doubting, 0, 0, doubting.chain, new SequenceRange(0, 2));

        assertThat(failures(records)).isEmpty();
    }

    /** A heartbeat of which the emitter does not know whether it arrived, and nothing behind it. */
    @Test
    void neitherIsOneThatTakesThePlaceOfAHeartbeat() {
        TrialLog log = new TrialLog(KEYS);
        List<TrialLog.Raw> records = log.write();
        TrialLog.Stream doubting = begun(log);
        Hash before = doubting.chain;
        doubting.seal("heartbeat");
        end(doubting, 1, 0, before);

        assertThat(failures(records)).isEmpty();
    }

    /** A number that is stated twice, of an emitter that forgot to count on. */
    @Test
    void anEndOfTheNumberOfItsPredecessorIsFound() {
        TrialLog log = new TrialLog(KEYS);
        List<TrialLog.Raw> records = log.write();
        TrialLog.Stream careless = begun(log);
        careless.events("some", 2);
        careless.seal("sealed");
        end(careless, 1, 2, careless.chain);

        assertThat(failures(records)).extracting(CaseResult::rule).containsExactly(Case.NUMBER_FOLLOWS);
    }

    private static TrialLog.Stream begun(TrialLog log) {
        TrialLog.Stream stream = log.new Stream(1, "another", 0xe);
        stream.seal("number 0 of another");
        return stream;
    }

    private static void end(
            TrialLog.Stream stream, long number, long first, Hash previous, SequenceRange... uncertain) {
        stream.number = number;
        stream.first = first;
        stream.chain = previous;
        stream.seal("end", true, List.of(uncertain));
    }

    /** Rule 18: an emitter that does not know whether its end arrived states it again. */
    @Test
    void anEndThatIsStatedAgainLaterIsSeenAndACopyOfItSaysNothing() {
        TrialLog log = new TrialLog(KEYS);
        List<TrialLog.Raw> records = log.write();
        long before = closing(records).seen();
        TrialLog.Stream doubting = log.new Stream(1, "doubting", 0xe);
        doubting.seal("number 0 of doubting");
        Hash predecessor = doubting.chain;
        end(doubting, 1, 0, predecessor);
        records.add(records.get(records.size() - 1));
        assertThat(closing(records).seen()).isEqualTo(before + 1);
        end(doubting, 1, 0, predecessor);

        assertThat(failures(records)).isEmpty();
        assertThat(closing(records).seen()).isEqualTo(before + 2);
    }

    @Test
    void anEndThatIsStatedAgainAndSaysSomethingElseOrOfAnEarlierTimeIsFound() {
        List<UnaryOperator<Format2Checkpoint>> harms = List.of(
                right -> withRoot(right, TreeHash.XXH3.hash(new byte[1], 1)),
                right -> CheckpointFields.changed(right, c -> c.deadlineMillis = 1_000),
                right -> CheckpointFields.changed(right, c -> c.createdAtMillis -= 1_000));
        for (UnaryOperator<Format2Checkpoint> harm : harms) {
            TrialLog log = new TrialLog(KEYS);
            List<TrialLog.Raw> records = log.write();
            TrialLog.Stream doubting = begun(log);
            Hash predecessor = doubting.chain;
            end(doubting, 1, 0, predecessor);
            log.statements.put("end", harm);
            end(doubting, 1, 0, predecessor);

            assertThat(failures(records)).extracting(CaseResult::rule).containsExactly(Case.CLOSING);
            assertThat(closing(records).failed()).isEqualTo(1);
        }
    }

    private static CaseResult closing(List<TrialLog.Raw> records) {
        return TrialLog.judge(records, KEYS).stream()
                .filter(result -> result.rule() == Case.CLOSING)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anEventBehindTheCheckpointThatCoversItIsFound() {
        List<TrialLog.Raw> log = new TrialLog(KEYS).write();
        int at = indexOf(log, "four sealed");
        log.add(at + 1, log.remove(at - 1));

        assertThat(failures(log))
                .singleElement()
                .satisfies(failed -> assertThat(failed.rule()).isEqualTo(Case.COVERS))
                .satisfies(failed -> assertThat(failed.failed()).isEqualTo(2));
    }

    @Test
    void anEventBeforeTheCheckpointThatDoesNotCoverItIsFound() {
        List<TrialLog.Raw> log = new TrialLog(KEYS).write();
        int at = indexOf(log, "four sealed");
        log.add(at, log.remove(at + 1));

        assertThat(failures(log)).extracting(CaseResult::rule).containsExactly(Case.COVERS);
    }

    @Test
    void anEventOfAnotherTreeHashThanItsStreamIsFound() {
        TrialLog log = new TrialLog(KEYS);
        log.headers.put(
                "plain",
                right -> new EventHeader(
                        right.emitter(),
                        right.sequence(),
                        TreeHash.SHA256,
                        right.signatureAlgorithm(),
                        right.signature()));

        assertThat(failures(log.write())).extracting(CaseResult::rule).containsExactly(Case.STREAM_CONSTANT);
    }

    @Test
    void aLogWhoseBeginningExpiredIsJudgedFromItsFirstCheckpointsOn() {
        List<TrialLog.Raw> log = new TrialLog(KEYS).write();
        log.subList(0, indexOf(log, "null key")).clear();

        List<CaseResult> results = TrialLog.judge(log, KEYS, false);

        assertThat(results).noneMatch(result -> result.outcome() == Outcome.FAIL);
    }

    @Test
    void eachCaseNamesASectionAndRulesOfTheFormat() throws IOException {
        String format = Files.readString(Path.of("docs/FORMAT.md"));

        for (Case rule : Case.values()) {
            String[] parts = rule.section().split(", rules? ", 2);
            assertThat(format).contains("\n## " + parts[0] + ". ");
            for (String number : parts.length == 1 ? new String[0] : parts[1].split(", | and ", -1)) {
                assertThat(format).as(rule.section()).contains("\n" + number + ". ");
            }
        }
    }

    @Test
    void theFirstTenFaultsOfACaseAreKept() {
        TrialLog log = new TrialLog(KEYS);
        log.records.put("plain", raw -> raw.with(HeaderBytes.NONE));
        List<TrialLog.Raw> records = log.write();
        TrialLog.Raw unsigned = records.get(indexOf(records, "plain"));
        for (int i = 0; i < 20; i++) {
            records.add(unsigned);
        }

        CaseResult failed = failures(records).get(0);

        assertThat(failed.failed()).isEqualTo(21);
        assertThat(failed.faults()).hasSize(CaseResult.MAX_FAULTS);
    }

    private static List<CaseResult> failures(List<TrialLog.Raw> log) {
        return TrialLog.judge(log, KEYS).stream()
                .filter(result -> result.outcome() == Outcome.FAIL)
                .toList();
    }

    private static int indexOf(List<TrialLog.Raw> log, String label) {
        return IntStream.range(0, log.size())
                .filter(at -> log.get(at).label().equals(label))
                .findFirst()
                .orElseThrow();
    }

    private static Map<Case, Consumer<TrialLog>> harms() {
        Map<Case, Consumer<TrialLog>> harms = new EnumMap<>(Case.class);
        harms.put(Case.RECORD_SIGNED, record("large", raw -> raw.with(HeaderBytes.NONE)));
        harms.put(Case.RESERVED_NAMES, record("plain", raw -> raw.withBytes("stormproof-mine", TrialLog.text("1"))));
        harms.put(Case.REPEATED_HEADERS, header("repeated", ConformanceTest::forged));
        harms.put(Case.NEW_EMITTER_ID, log -> log.before.put("restarted", stream -> stream.emitter = 0xa));
        harms.put(Case.EVENT_HEADER, eventByte("plain", 0, 0x31));
        harms.put(Case.EVENT_ALGORITHM, eventByte("plain", 1, 5));
        harms.put(Case.EVENT_SEQUENCE_FORM, record("plain", ConformanceTest::longForm));
        harms.put(Case.EVENT_SIGNATURE, header("plain", ConformanceTest::forged));
        harms.put(Case.NULL_KEY, header("null key", ConformanceTest::forged));
        harms.put(Case.EMPTY_KEY, header("empty key", ConformanceTest::forged));
        harms.put(Case.NULL_VALUE, header("null value", ConformanceTest::forged));
        harms.put(Case.EMPTY_VALUE, header("empty value", ConformanceTest::forged));
        harms.put(Case.LARGE_VALUE, header("large", ConformanceTest::forged));
        harms.put(Case.SEQUENCE_FROM_0, log -> log.before.put("plain", stream -> stream.sequence++));
        harms.put(Case.SEQUENCES_DENSE, log -> log.before.put("null key", stream -> stream.sequence++));
        harms.put(Case.STREAM_CONSTANT, statement("idle", ConformanceTest::withSha256));
        harms.put(Case.SEVERAL_PARTITIONS, log -> log.before.put("elsewhere", stream -> stream.sequence++));
        harms.put(Case.SIDE_BY_SIDE, statement("side by side", ConformanceTest::otherRoot));
        harms.put(
                Case.CHECKPOINT_RECORD,
                record(
                        "idle",
                        raw -> new TrialLog.Raw(
                                raw.partition(), raw.label(), TrialLog.text("key"), null, raw.headers(), false)));
        harms.put(Case.CHECKPOINT_VERSION, checkpointByte("idle", 4, 2));
        harms.put(Case.CHECKPOINT_ALGORITHMS, checkpointByte("idle", 7, 5));
        harms.put(Case.CHECKPOINT_FIELDS, checkpointByte("idle", 41, 0xff));
        harms.put(Case.CHECKPOINT_PLACE, bytes("idle", encoded -> TrialLog.set(encoded, 20, 1)));
        harms.put(Case.CHECKPOINT_END, bytes("idle", encoded -> TrialLog.resized(encoded, -1)));
        harms.put(Case.CHECKPOINT_CHECKSUM, bytes("idle", encoded -> {
            encoded[encoded.length - 1] ^= 1;
            return encoded;
        }));
        harms.put(Case.CHECKPOINT_KEY, bytes("signed", encoded -> TrialLog.set(encoded, encoded.length - 20, 1)));
        harms.put(
                Case.NUMBER_0,
                log -> log.before.put("number 0 elsewhere", stream -> {
                    stream.number = 1;
                    stream.chain = TreeHash.XXH3.hash(new byte[] {1}, 1);
                }));
        harms.put(Case.NUMBER_FOLLOWS, log -> log.before.put("idle", stream -> stream.number++));
        harms.put(Case.FIRST_SEQUENCE, log -> log.before.put("idle", stream -> stream.first++));
        harms.put(
                Case.PREVIOUS_HASH,
                log -> log.before.put("idle", stream -> stream.chain = TreeHash.XXH3.hash(new byte[] {1}, 1)));
        harms.put(
                Case.COVERS,
                statement(
                        "four sealed",
                        right -> CheckpointFields.changed(right, c -> {
                            c.eventCount = 5;
                            c.leaves = Optional.empty();
                        })));
        harms.put(Case.ROOT, statement("four sealed", ConformanceTest::otherRoot));
        harms.put(Case.TREE_SHAPE, statement("seven", ConformanceTest::otherRoot));
        harms.put(Case.EMPTY_ROOT, statement("idle", ConformanceTest::otherRoot));
        harms.put(
                Case.LEAVES,
                statement(
                        "four sealed",
                        right -> CheckpointFields.changed(right, c -> {
                            Leaves.Builder leaves = Leaves.builder();
                            for (int at : new int[] {1, 0, 2, 3}) {
                                leaves.append(right.leaves().orElseThrow().signature(at));
                            }
                            c.leaves = Optional.of(leaves.build());
                        })));
        harms.put(
                Case.DEADLINE_MET,
                statement("four sealed", right -> CheckpointFields.changed(right, c -> c.createdAtMillis += 5_000)));
        harms.put(
                Case.CLOSING,
                statement("end elsewhere", right -> CheckpointFields.changed(right, c -> c.deadlineMillis = 1_000)));
        harms.put(Case.UNCERTAIN, bytes("closing", ConformanceTest::emptyRange));
        harms.put(Case.ABORT, log -> log.before.put("after abort", stream -> stream.sequence += 2));
        return harms;
    }

    private static Consumer<TrialLog> record(String label, UnaryOperator<TrialLog.Raw> harm) {
        return log -> log.records.put(label, harm);
    }

    private static Consumer<TrialLog> header(String label, UnaryOperator<EventHeader> harm) {
        return log -> log.headers.put(label, harm);
    }

    private static Consumer<TrialLog> statement(String label, UnaryOperator<Format2Checkpoint> harm) {
        return log -> log.statements.put(label, harm);
    }

    private static Consumer<TrialLog> bytes(String label, UnaryOperator<byte[]> harm) {
        return log -> log.bytes.put(label, harm);
    }

    private static Consumer<TrialLog> checkpointByte(String label, int at, int value) {
        return bytes(label, encoded -> {
            byte[] harmed = TrialLog.set(encoded, at, value);
            TrialLog.demandRefused(harmed);
            return harmed;
        });
    }

    private static Consumer<TrialLog> eventByte(String label, int at, int value) {
        return record(label, raw -> {
            byte[] header = header(raw);
            header[at] = (byte) value;
            return raw.with(HeaderBytes.NONE.plus(EventHeader.NAME, header));
        });
    }

    private static TrialLog.Raw longForm(TrialLog.Raw raw) {
        byte[] header = header(raw);
        byte[] longer = new byte[header.length + 1];
        System.arraycopy(header, 0, longer, 0, 10);
        longer[10] = (byte) 0x80;
        System.arraycopy(header, 11, longer, 12, header.length - 11);
        return raw.with(HeaderBytes.NONE.plus(EventHeader.NAME, longer));
    }

    private static byte[] header(TrialLog.Raw raw) {
        return Optional.ofNullable(raw.headers().last(EventHeader.NAME)).orElseThrow();
    }

    private static EventHeader forged(EventHeader right) {
        byte[] signature = right.signature().toByteArray();
        signature[0] ^= 1;
        return new EventHeader(
                right.emitter(),
                right.sequence(),
                right.treeHash(),
                right.signatureAlgorithm(),
                Hash.copyOf(signature));
    }

    private static byte[] emptyRange(byte[] encoded) {
        int at = 69 + TrialLog.TOPIC.length() + "kit".length();
        byte[] harmed = encoded.clone();
        System.arraycopy(encoded, at, harmed, at + 8, 8);
        return TrialLog.set(harmed, at, encoded[at]);
    }

    private static Format2Checkpoint otherRoot(Format2Checkpoint right) {
        return withRoot(right, TreeHash.XXH3.hash(new byte[] {7}, 1));
    }

    private static Format2Checkpoint withRoot(Format2Checkpoint right, Hash root) {
        return CheckpointFields.changed(right, c -> {
            c.root = root;
            c.leaves = Optional.empty();
        });
    }

    private static Format2Checkpoint withSha256(Format2Checkpoint right) {
        return CheckpointFields.changed(right, c -> {
            c.treeHash = TreeHash.SHA256;
            c.root = TreeHash.SHA256.hash(new byte[0], 0);
            c.previousHash = c.root;
            c.leaves = Optional.empty();
        });
    }
}
