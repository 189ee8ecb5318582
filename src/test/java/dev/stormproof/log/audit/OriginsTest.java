package dev.stormproof.log.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.task.live.testing.PaperLog;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Topics that hold the streams of another one: mirrors, and what a topology made. */
class OriginsTest {
    private static final String ORIGIN = "orders";
    private static final String COPY = "dc1.orders";
    private static final Origins NAMED = new Origins(Map.of(COPY, ORIGIN), Map.of());

    /** The place of the event of sequence 18, in the second interval. */
    private static final int PLACE = 20;

    private final List<ProducerRecord<byte[], byte[]>> records = PaperLog.of(ORIGIN, 1, 40, 10, Map.of());
    private final List<Finding> found = new ArrayList<>();

    @Test
    void aMirrorWithOtherOffsetsIsVerified() {
        audit(COPY, NAMED);

        assertThat(found).hasSize(6).allMatch(Verified.class::isInstance);
    }

    @Test
    void theOutputOfATransformIsVerified() {
        transform();

        audit(COPY, NAMED);

        assertThat(found).hasSize(6).allMatch(Verified.class::isInstance);
    }

    @Test
    void aMarkerIsDivertedAndOneThatWasAlteredIsAltered() {
        transform();
        records.set(PLACE, marker(records.get(PLACE)));
        records.set(30, with(marker(records.get(30)), "other".getBytes(UTF_8)));

        audit(COPY, NAMED);

        assertThat(anomalies())
                .extracting(anomaly -> anomaly.kind() + " " + anomaly.begin())
                .containsExactlyInAnyOrder("DIVERTED 18", "ALTERED 27");
    }

    @Test
    void aTransformsSignatureChangesNothingInATopicWithoutAnOrigin() {
        ProducerRecord<byte[], byte[]> forged = with(records.get(PLACE), "other".getBytes(UTF_8));
        records.set(PLACE, signed(forged, PLACE, forged.key(), forged.value(), observed(records.get(PLACE))));

        audit(ORIGIN, NAMED);

        assertThat(anomalies())
                .extracting(anomaly -> anomaly.kind() + " " + anomaly.begin())
                .containsExactly("ALTERED 18");
    }

    private void audit(String topic, Origins origins) {
        LogRecordParser parser = parser(origins);
        SimulatedLog log = new SimulatedLog();
        for (int place = 0; place < records.size(); place++) {
            // No record lies where it lay in the origin.
            if (place % 7 == 0) {
                log.appendMarker();
            }
            ProducerRecord<byte[], byte[]> record = records.get(place);
            log.append(offset -> parser.parse(
                    topic, 0, offset, LogRecord.NO_TIME, record.key(), record.value(), headers(record), null));
        }
        long end = log.endOffset();
        found.addAll(log.audited(
                RangeCase.Origin.NONE,
                new Range(new TopicPartition(topic, 0), 0, end, end, end, 0),
                InactivityTimeouts.DEFAULT));
    }

    private List<Anomaly> anomalies() {
        return found.stream()
                .filter(Violated.class::isInstance)
                .flatMap(finding -> ((Violated) finding).anomalies().stream())
                .toList();
    }

    private void transform() {
        for (int place = 0; place < records.size(); place++) {
            ProducerRecord<byte[], byte[]> record = records.get(place);
            if (record.headers().lastHeader(EventHeader.NAME) != null) {
                String value = new String(record.value(), UTF_8);
                byte[] doubled = (value + value).getBytes(UTF_8);
                records.set(place, signed(with(record, doubled), place, record.key(), doubled, observed(record)));
            }
        }
    }

    private static ProducerRecord<byte[], byte[]> marker(ProducerRecord<byte[], byte[]> made) {
        ProducerRecord<byte[], byte[]> marker = signed(with(made, null), PLACE, made.key(), null, Hash.empty());
        marker.headers().add(TransformedHeader.DIVERTED, "poisoned".getBytes(UTF_8));
        return marker;
    }

    private static ProducerRecord<byte[], byte[]> with(ProducerRecord<byte[], byte[]> record, byte @Nullable [] value) {
        return new ProducerRecord<>(ORIGIN, 0, record.key(), value, record.headers());
    }

    private static ProducerRecord<byte[], byte[]> signed(
            ProducerRecord<byte[], byte[]> record, long inputOffset, byte[] key, byte @Nullable [] value, Hash read) {
        byte[] header = new TransformedHeader(
                        inputOffset, EventSigners.SHA256_KEY_VALUE, new Sha256Signer().sign(key, value), read)
                .encode();
        record.headers().add(TransformedHeader.NAME, header);
        return record;
    }

    private static Hash observed(ProducerRecord<byte[], byte[]> record) {
        LogRecord read = parser(Origins.NONE)
                .parse(ORIGIN, 0, 0, LogRecord.NO_TIME, record.key(), record.value(), headers(record), null);
        return ((Event) read).observed();
    }

    private static LogRecordParser.Headers headers(ProducerRecord<byte[], byte[]> record) {
        return name -> {
            Header header = record.headers().lastHeader(name);
            return header == null ? null : header.value();
        };
    }

    private static LogRecordParser parser(Origins origins) {
        return new LogRecordParser(
                origins, Format1Expected.everywhere(), List.of(), new CheckpointVerifier(TrustedKeys.none()));
    }
}
