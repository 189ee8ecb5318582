package dev.stormproof.log.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Streams of every strength lie in one partition, and one verifier proves them all. */
class MixedFleetTest {
    private static final String TOPIC = "orders";
    private static final int EVENTS = 20;
    private static final int EVERY = 5;
    /** The checkpoints of a stream: number 0, one behind every 5 events, and the closing one. */
    private static final int CHECKPOINTS = 2 + EVENTS / EVERY;

    private static final int LOGS = 200;
    private static final KeyPair PAIR = newPair();
    private static final Map<String, Object> KEY = Map.of(
            "stormproof.checkpoint.key.id",
            "k",
            "stormproof.checkpoint.key.private",
            Base64.getEncoder().encodeToString(PAIR.getPrivate().getEncoded()));
    private static final List<Map<String, Object>> FLEET = List.of(
            Map.of("stormproof.protect.against", "accidents"),
            and(KEY, "stormproof.protect.against", "tampering"),
            and(KEY, "stormproof.event.signer", "xxh3-key-value"),
            and(KEY, "stormproof.tree.hash", "xxh3"),
            Map.of("stormproof.tree.hash", "sha256", "stormproof.event.signer", "xxh3-key-value"),
            Map.of("stormproof.event.signer", "sha256-key-value", "stormproof.checkpoint.detail", "root"));

    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final TrustedKeys keys =
            TrustedKeys.none().withX509("k", PAIR.getPublic().getEncoded());

    private static Map<String, Object> and(Map<String, Object> settings, String key, String value) {
        Map<String, Object> more = new HashMap<>(settings);
        more.put(key, value);
        return more;
    }

    private static KeyPair newPair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static List<ProducerRecord<byte[], byte[]>> stream(Map<String, Object> settings) {
        return PaperLog.of(TOPIC, 1, EVENTS, EVERY, settings);
    }

    private List<ProducerRecord<byte[], byte[]>> mixed(List<List<ProducerRecord<byte[], byte[]>>> streams) {
        List<List<ProducerRecord<byte[], byte[]>>> rest = new ArrayList<>();
        streams.forEach(stream -> rest.add(new ArrayList<>(stream)));
        List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
        while (!rest.isEmpty()) {
            List<ProducerRecord<byte[], byte[]>> next = rest.get(random.nextInt(rest.size()));
            all.add(next.remove(0));
            if (next.isEmpty()) {
                rest.remove(next);
            }
        }
        return all;
    }

    private List<Finding> verify(CheckpointVerifier checkpoints, List<ProducerRecord<byte[], byte[]>> records) {
        return drawn(checkpoints, records).verify().verifier().drainFindings();
    }

    private static ChainLog drawn(CheckpointVerifier checkpoints, List<ProducerRecord<byte[], byte[]>> records) {
        LogRecordParser parser =
                new LogRecordParser(Origins.NONE, Format1Expected.everywhere(), List.of(), checkpoints);
        ChainLog log = ChainLog.of("");
        records.forEach(record -> log.append(offset -> StreamRecords.parsed(parser, record, offset)));
        return log;
    }

    private static byte @Nullable [] last(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null ? null : header.value();
    }

    private static String emitterOf(ProducerRecord<byte[], byte[]> event) throws MalformedCheckpointException {
        byte[] header = requireNonNull(last(event.headers(), EventHeader.NAME));
        return String.format("%016x", EventHeader.decode(header).emitter());
    }

    /** Does one of these to the third event of a stream: lost, twice, altered, in another order. */
    private void harm(List<ProducerRecord<byte[], byte[]>> stream) {
        int at = 3;
        ProducerRecord<byte[], byte[]> event = stream.get(at);
        switch (random.nextInt(4)) {
            case 0 -> stream.remove(at);
            case 1 -> stream.add(at, event);
            case 2 -> stream.set(at, new ProducerRecord<>(TOPIC, 0, event.key(), "x".getBytes(UTF_8), event.headers()));
            default -> stream.add(at + 1, stream.remove(at));
        }
    }

    @Test
    void oneVerifierProvesAllStreamsAndNamesTheHarmedOnes() throws Exception {
        CheckpointVerifier checkpoints = new CheckpointVerifier(keys, false);
        List<List<ProducerRecord<byte[], byte[]>>> papers = new ArrayList<>();
        for (Map<String, Object> settings : FLEET) {
            papers.add(stream(settings));
            papers.add(stream(settings));
        }
        for (int i = 0; i < LOGS; i++) {
            List<List<ProducerRecord<byte[], byte[]>>> streams = new ArrayList<>();
            TreeSet<String> harmed = new TreeSet<>();
            for (List<ProducerRecord<byte[], byte[]>> paper : papers) {
                List<ProducerRecord<byte[], byte[]>> stream = new ArrayList<>(paper);
                if (random.nextInt(3) == 0) {
                    harm(stream);
                    harmed.add(emitterOf(paper.get(1)));
                }
                streams.add(stream);
            }

            List<Finding> findings = verify(checkpoints, mixed(streams));

            TreeSet<String> violated = new TreeSet<>();
            int verified = 0;
            for (Finding finding : findings) {
                if (finding instanceof Violated one) {
                    violated.add(one.interval().stream().emitterHex());
                } else if (finding instanceof Verified) {
                    verified++;
                }
            }
            assertThat(violated).as("seed %d, log %d", seed, i).isEqualTo(harmed);
            assertThat(verified).as("seed %d, log %d", seed, i).isEqualTo(papers.size() * CHECKPOINTS - harmed.size());
        }
    }

    @Test
    void whereProtectionAgainstTamperingIsRequiredOnlyWhatHasItIsVerified() throws Exception {
        List<List<ProducerRecord<byte[], byte[]>>> streams = new ArrayList<>();
        for (Map<String, Object> settings : FLEET) {
            streams.add(stream(settings));
        }
        String strong = emitterOf(streams.get(1).get(1));

        ChainLog log =
                drawn(CheckpointVerifier.againstTampering(keys), mixed(streams)).verify();
        List<Finding> findings = log.verifier().drainFindings();

        assertThat(findings)
                .filteredOn(Verified.class::isInstance)
                .hasSize(CHECKPOINTS)
                .allSatisfy(finding -> assertThat(
                                ((Verified) finding).interval().stream().emitterHex())
                        .isEqualTo(strong));
        assertThat(findings)
                .filteredOn(StrayRecord.class::isInstance)
                .hasSize((FLEET.size() - 1) * CHECKPOINTS)
                .allSatisfy(finding -> assertThat(((StrayRecord) finding).kind())
                        .isEqualTo(UnattributedRecord.Kind.UNTRUSTED_CHECKPOINT))
                .extracting(finding -> ((StrayRecord) finding).detail())
                .anyMatch(detail -> detail.contains("got 4, which protects against accidents alone, want 3"))
                .anyMatch(detail -> detail.contains("got xxh3, which protects against accidents alone, want sha256"))
                .anyMatch(detail -> detail.contains("signature: got none"));
        assertThat(log.tick().passTime().verifier().drainFindings())
                .hasSize(FLEET.size() - 1)
                .allSatisfy(finding -> {
                    assertThat(finding).isInstanceOf(Inconclusive.class);
                    assertThat(((Inconclusive) finding).reason()).isEqualTo(Inconclusive.Reason.UNSEALED);
                });
    }
}
