package dev.stormproof.verify.fold;

import static dev.stormproof.proof.checkpoint.UnattributedRecord.Kind.UNTRUSTED_CHECKPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.testing.ChainLog;
import dev.stormproof.testing.CheckpointFields;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict.Verified;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A writer without a key among one that has it: checkpoints that it forges are strays, whatever they state. */
class ForgingWriterTest {
    private static final String TOPIC = "orders";
    private static final int FORGED = 100_000;
    /** Each honest record is written this long after the last one, with the forged ones in between. */
    private static final long PACE_MILLIS = 100;

    private final List<Finding> findings = new ArrayList<>();
    private long offset;

    @Test
    void aHundredThousandForgedCheckpointsReadNothingAndAreFewStrays() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        TrustedKeys keys = TrustedKeys.none().withX509("k", pair.getPublic().getEncoded());
        LogRecordParser parser = StreamRecords.parser(keys);
        List<ProducerRecord<byte[], byte[]>> honest = PaperLog.of(
                TOPIC,
                1,
                200,
                10,
                Map.of(
                        "stormproof.checkpoint.key.id",
                        "k",
                        "stormproof.checkpoint.key.private",
                        Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded())));
        long living = EventHeader.decode(
                        Objects.requireNonNull(honest.get(1).headers().lastHeader(EventHeader.NAME))
                                .value())
                .emitter();
        ChainVerifier verifier = ChainLog.verifier(new PartitionId(TOPIC, 0), 0);
        int between = FORGED / honest.size();
        for (int i = 0; i < honest.size(); i++) {
            long millis = i * PACE_MILLIS;
            take(verifier, parser, honest.get(i).headers(), honest.get(i).value(), millis);
            for (int j = 0; j < between; j++) {
                long number = i * (long) between + j;
                take(verifier, parser, forged(j % 2 == 0 ? living : number, number % 40), null, millis);
            }
            verifier.tick(millis);
            assertThat(verifier.nextRange()).isEmpty();
            assertThat(verifier.sizeBytes()).isLessThan(20_000);
            findings.addAll(verifier.drainFindings());
        }
        verifier.endOfLog();
        findings.addAll(verifier.drainFindings());

        List<StrayRecord> strays = findings.stream()
                .filter(StrayRecord.class::isInstance)
                .map(StrayRecord.class::cast)
                .toList();
        assertThat(strays).allSatisfy(stray -> assertThat(stray.kind()).isEqualTo(UNTRUSTED_CHECKPOINT));
        assertThat(strays.stream().mapToLong(StrayRecord::count).sum()).isEqualTo((long) between * honest.size());
        assertThat(strays).hasSizeLessThanOrEqualTo((int) (honest.size() * PACE_MILLIS / 1_000) + 1);
        int sealed =
                (int) honest.stream().filter(record -> record.value() == null).count();
        assertThat(findings.stream().filter(Verified.class::isInstance)).hasSize(sealed);
        assertThat(findings.size()).isEqualTo(sealed + strays.size());
    }

    private void take(
            ChainVerifier verifier, LogRecordParser parser, Headers headers, byte @Nullable [] value, long millis) {
        HeaderBytes bytes = HeaderBytes.of(headers, Header::key, Header::value);
        LogRecord record = parser.parse(TOPIC, 0, offset, millis, null, value, bytes, null);
        verifier.take(
                new DeliveryLink(offset, offset - 1, DeliveryLink.NO_EPOCH),
                new Read(record, DeliveryLink.NO_EPOCH, millis, null));
        offset++;
    }

    private static Headers forged(long emitter, long number) {
        Format2Checkpoint checkpoint = CheckpointFields.checkpoint(new StreamId(TOPIC, 0, emitter), c -> {
            c.number = number;
            c.firstSequence = 10 * number;
            c.eventCount = 10;
            c.previousHash = number == 0 ? c.previousHash : c.root;
        });
        return new RecordHeaders().add(Format2Checkpoint.HEADER, CheckpointCodec.encode(checkpoint));
    }
}
