package dev.stormproof.log.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.AlertJson;
import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.CheckpointFields;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each kind of finding, live and by an audit of the same log: the same bytes. The audit runs in a process of its own, which draws other
 * orders for its sets than this one, and knows the trusted keys in another order.
 */
@Timeout(120)
class EveryFindingTest {
    private static final Pattern BASIS = Pattern.compile(",\"basis\":\"[a-z]+\"}$");

    /** A time at which each open stream is overdue. */
    private static final long LATE_MILLIS = ChainLog.PROMISE_MILLIS + ChainLog.TIMEOUTS.graceMillis() + 1;

    private static final int MORE_THAN_IS_KEPT = 270_000;
    private static final List<String> KEYS =
            List.of("key-2", "key-1", "orders.2026", "billing", "zulu", "eu-west", "k1");

    /** What an audit never finds: it looks at no output. */
    private static final Set<Finding.Type> LIVE_ALONE = Set.of(Finding.Type.UNDELIVERED);

    /** What only shows in a log that expires while it is read. */
    private static final Set<Inconclusive.Reason> MEANWHILE = Set.of(Inconclusive.Reason.EXPIRED);

    private static final String EVENTS = "x #0 e0 e1 #1 e2 #2 e4 e4 e5 #3 e7 e6 #4 ~e8 ^e9 #5 e10 e11 e40 #6 #7.";

    private static final StreamRecords ALICE = StreamRecords.ALICE;

    /** Logs in which each kind is found, by their names; {@link #everyKindIsFound} says which kind is missing. */
    private static Map<String, Supplier<ChainLog>> scenes() {
        CheckpointRecord first =
                ALICE.checkpoint(0, 0, 0).promising(ChainLog.PROMISE_MILLIS).at(0);
        Hash anotherRoot = Hash.copyOf(new byte[TreeHash.XXH3.sizeBytes()]);
        StreamRecords.Draft unlocated =
                ALICE.checkpoint(1, 0, 2).after(first).withRoot(anotherRoot).withoutLeaves();
        StreamRecords.Draft uncertain = ALICE.checkpoint(1, 0, 2).after(first).uncertainOf(new SequenceRange(1, 2));
        Map<String, Supplier<ChainLog>> scenes = new LinkedHashMap<>();
        scenes.put("events", () -> ChainLog.of(EVENTS));
        scenes.put("checkpoints", () -> ChainLog.of("#0 e0 e1 #1 e2 e3 #2 #2' #1 e4 e5 #3 e6 e7 #5 #4 #6 #4' #8 #9."));
        scenes.put("format 1", () -> ChainLog.of("pe0 pe1 p#1 pe2 p#2 pe5 pe4 pe4 p#3 p#3"));
        scenes.put("broken chain", () -> ChainLog.of("#0 e0 e1").append(ALICE.checkpoint(1, 0, 2)::at));
        scenes.put("unlocated", () -> ChainLog.of("#0 e0 e1").append(unlocated::at));
        scenes.put(
                "diverted",
                () -> ChainLog.of("#0 e0").append(EveryFindingTest::marker).append("#1"));
        scenes.put("uncertain", () -> ChainLog.of("#0 e0").append(uncertain::at));
        scenes.put(
                "unchecked",
                () -> ChainLog.of("#0 e0").append(EveryFindingTest::unchecked).append("#1"));
        scenes.put(
                "expired head",
                () -> ChainLog.of("#0 e0 e1 #1 e2 e3 #2 e4 e0 e5 #3 #4.").expireBefore(5));
        scenes.put(
                "expired inside", () -> ChainLog.of("#0 e0 e1 #1 e2 e3 #2 #3.").expireBefore(2));
        scenes.put(
                "expired anchor", () -> ChainLog.of("pe0 pe1 p#1 pe2 pe3 p#2").expireBefore(1));
        scenes.put(
                "large",
                () -> many(ChainLog.of("#0")).append(ALICE.checkpoint(1, 0, 9).closing()::at));
        scenes.put("oversized", () -> ChainLog.of("#0 e0 ? e1 #1 e2 #2."));
        scenes.put("header dropped", EveryFindingTest::withoutAHeader);
        scenes.put("open", () -> ChainLog.of("#0 e0 e1 #1 e2 b#0. ce0"));
        return scenes;
    }

    private static final Map<String, List<Finding>> LIVE = new LinkedHashMap<>();

    @TempDir
    private Path dir;

    @BeforeAll
    static void findLive() throws GeneralSecurityException {
        scenes().forEach((name, scene) -> LIVE.put(name, live(scene.get())));
        for (ChainLog log : parsed(KEYS)) {
            LIVE.put("record " + LIVE.size(), live(log));
        }
    }

    private static List<Finding> live(ChainLog log) {
        log.verify().tick();
        // First candidates are judged, then doubts, then what is open.
        for (int i = 1; i <= 4; i++) {
            log.passTime();
        }
        return latest(log.verifier().drainFindings());
    }

    @Test
    void anAuditInAnotherProcessFindsTheSameBytes() throws Exception {
        Path out = dir.resolve("offline");
        Process audit = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dstormproof.log.level=ERROR",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Offline.class.getName())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(audit.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(audit.exitValue()).isZero();
        } finally {
            audit.destroyForcibly();
        }
        Map<String, List<String>> offline = Files.readAllLines(out).stream()
                .map(line -> line.split("\t", 2))
                .collect(groupingBy(line -> line[0], mapping(line -> line[1], toList())));
        assertThat(offline.keySet()).isEqualTo(LIVE.keySet());
        LIVE.forEach((scene, findings) -> assertThat(offline.get(scene))
                .as(scene)
                .containsExactlyInAnyOrderElementsOf(
                        findings.stream().map(EveryFindingTest::bytes).toList()));
    }

    /** The audits of all scenes. */
    static final class Offline {
        private Offline() {}

        public static void main(String[] args) throws GeneralSecurityException {
            PrintStream out = new PrintStream(System.out, true, UTF_8);
            scenes().forEach((name, scene) -> print(out, name, scene.get()));
            List<String> backwards = new ArrayList<>(KEYS);
            Collections.reverse(backwards);
            int scenes = scenes().size();
            for (ChainLog log : parsed(backwards)) {
                print(out, "record " + scenes++, log);
            }
        }

        private static void print(PrintStream out, String scene, ChainLog log) {
            long end = log.log().endOffset();
            List<Finding> found = log.log()
                    .audited(
                            RangeCase.Origin.NONE,
                            new Range(new TopicPartition("orders", 0), 0, end, end, end, LATE_MILLIS),
                            ChainLog.TIMEOUTS);
            latest(found).forEach(finding -> out.println(scene + "\t" + bytes(finding)));
        }
    }

    /** A kind that is new is to be found by a scene. */
    @Test
    void everyKindIsFound() {
        Set<String> kinds = new TreeSet<>();
        Stream.of(Finding.Type.values())
                .filter(type -> !LIVE_ALONE.contains(type))
                .forEach(type -> kinds.add(name(type)));
        Stream.of(Inconclusive.Reason.values())
                .filter(reason -> !MEANWHILE.contains(reason))
                .forEach(reason -> kinds.add(name(reason)));
        Stream.of(UnattributedRecord.Kind.values()).forEach(kind -> kinds.add(name(kind)));
        Stream.of(Anomaly.Kind.values()).forEach(kind -> kinds.add(name(kind)));
        Stream.of(Anomaly.Part.values()).forEach(part -> kinds.add(name(part)));

        Set<String> found = new TreeSet<>();
        LIVE.values().stream().flatMap(Collection::stream).forEach(finding -> note(finding, found));
        assertThat(found).isEqualTo(kinds);
    }

    private static void note(Finding finding, Set<String> kinds) {
        kinds.add(name(finding.type()));
        if (finding instanceof Inconclusive inconclusive) {
            kinds.add(name(inconclusive.reason()));
        } else if (finding instanceof StrayRecord unattributed) {
            kinds.add(name(unattributed.kind()));
        } else if (finding instanceof Violated violated) {
            for (Anomaly anomaly : violated.anomalies()) {
                kinds.add(name(anomaly.kind()));
                anomaly.differs().forEach(part -> kinds.add(name(part)));
            }
        }
    }

    private static String name(Enum<?> constant) {
        return constant.getDeclaringClass().getSimpleName() + "." + constant;
    }

    private static List<Finding> latest(List<Finding> findings) {
        Map<String, Finding> latest = new LinkedHashMap<>();
        for (Finding finding : findings) {
            latest.merge(
                    finding.id() + "@" + finding.anchorOffset(),
                    finding,
                    (old, now) -> now.revision() > old.revision() ? now : old);
        }
        return List.copyOf(latest.values());
    }

    private static String bytes(Finding finding) {
        return BASIS.matcher(new String(AlertJson.writeData(finding), UTF_8)).replaceFirst("}");
    }

    private static ChainLog many(ChainLog log) {
        for (int i = 0; i < MORE_THAN_IS_KEPT; i++) {
            long sequence = i;
            log.append(offset -> ALICE.event(offset, sequence));
        }
        return log;
    }

    private static ChainLog withoutAHeader() {
        SimulatedEmitter emitter = new SimulatedEmitter(ALICE.stream(), TreeHash.XXH3, true);
        ChainLog log = ChainLog.of("").append(emitter.checkpoint());
        var unused = emitter.eventOf(new byte[] {1});
        log.log().appendUnsigned(new byte[] {1});
        return log.append(emitter.closing());
    }

    /** What stands in the place of event 1 of Alice, which was diverted. */
    private static Event marker(long offset) {
        return StreamRecords.event(
                offset,
                ALICE.stream().emitter(),
                1,
                EventSigners.SHA256_KEY_VALUE,
                StreamRecords.signature(1),
                StreamRecords.otherSignature(1),
                Event.Content.DIVERTED);
    }

    private static Event unchecked(long offset) {
        return ALICE.event(offset, 1, StreamRecords.signature(1), Hash.empty());
    }

    private static byte[] firstCheckpoint(StreamId stream, Optional<CheckpointKey> key) {
        Format2Checkpoint checkpoint = CheckpointFields.checkpoint(stream, c -> {});
        return key.map(by -> CheckpointCodec.encode(checkpoint, by)).orElse(CheckpointCodec.encode(checkpoint));
    }

    /** Logs of one record each that belongs to no stream, or is refused, read with these keys in their order. */
    private static List<ChainLog> parsed(List<String> keyIds) throws GeneralSecurityException {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        TrustedKeys keys = TrustedKeys.none();
        for (String id : keyIds) {
            keys = keys.withX509(id, pair.getPublic().getEncoded());
        }
        LogRecordParser parser = StreamRecords.parser(keys);
        KeyPair other = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        StreamId elsewhere = new StreamId("payments", 3, 7);
        byte[] event = new EventHeader(7, 0, TreeHash.XXH3, EventSigners.SHA256_KEY_VALUE, StreamRecords.signature(0))
                .encode();
        byte[] newer = event.clone();
        newer[0] = 99;
        List<ChainLog> logs = new ArrayList<>();
        List<byte[]> checkpoints = List.of(
                firstCheckpoint(ALICE.stream(), Optional.empty()),
                firstCheckpoint(ALICE.stream(), key("unknown", other)),
                firstCheckpoint(ALICE.stream(), key("key-1", other)),
                firstCheckpoint(elsewhere, key("key-1", pair)),
                new byte[] {1, 2, 3});
        for (byte[] bytes : checkpoints) {
            logs.add(logOf(parser, Format2Checkpoint.HEADER, bytes));
        }
        for (byte[] bytes : List.of(
                newer, new byte[] {0x21, 4, 3}, HexFormat.of().formatHex(event).getBytes(UTF_8))) {
            logs.add(logOf(parser, EventHeader.NAME, bytes));
        }
        LogRecordParser allowing = new LogRecordParser(
                Origins.NONE,
                Format1Expected.everywhere(),
                List.of(),
                new CheckpointVerifier(TrustedKeys.none()),
                new AllowedEmitters(Map.of("orders", List.of("nobody"))));
        byte[] unsigned = firstCheckpoint(ALICE.stream(), Optional.empty());
        logs.add(logOf(allowing, Format2Checkpoint.HEADER, unsigned));
        logs.add(logOf(allowing, Format2Checkpoint.HEADER, unsigned, new byte[] {1}));
        return logs;
    }

    private static Optional<CheckpointKey> key(String id, KeyPair pair) {
        return Optional.of(CheckpointKey.ofPkcs8(id, pair.getPrivate().getEncoded()));
    }

    private static ChainLog logOf(LogRecordParser parser, String header, byte[] bytes) {
        return logOf(parser, header, bytes, null);
    }

    private static ChainLog logOf(LogRecordParser parser, String header, byte[] bytes, byte @Nullable [] value) {
        Map<String, byte[]> headers = Map.of(header, bytes);
        return ChainLog.of("").append(offset -> parser.parse("orders", 0, offset, 0, null, value, headers::get, null));
    }
}
