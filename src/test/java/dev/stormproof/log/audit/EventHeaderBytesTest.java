package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.OfflineVerifier.Range;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.CheckpointFields;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.RangeCase;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No byte of an event's header may change without a violation, whichever algorithms the verifier knows. */
class EventHeaderBytesTest {
    private static final StreamId STREAM = new StreamId("orders", 0, 0xA11CE);
    private static final int EVENTS = 4;
    private static final int SUPPLIED = 200;
    /** Where a header has its signature algorithm. */
    private static final int ALGORITHM_AT = 1;

    /** An application's algorithm of the size of SHA-256: the same under two ids. */
    private record Supplied(byte id) implements EventSigner {
        @Override
        public int sizeBytes() {
            return 32;
        }

        @Override
        public void sign(byte[] value, byte[] out, int outBegin) {
            new Sha256Signer().sign(value, out, outBegin);
        }
    }

    private final List<EventSigner> known = new ArrayList<>();
    private boolean leaves = true;

    private EventSigner signer(int algorithm) {
        return EventSigners.ofId(algorithm).orElse(new Supplied((byte) algorithm));
    }

    private byte[] header(int algorithm, long sequence, Hash signature) {
        return new EventHeader(STREAM.emitter(), sequence, TreeHash.XXH3, algorithm, signature).encode();
    }

    /** A stream of one interval; the header of its event 2, whose value is null, has another byte. */
    private List<Finding> audit(int algorithm, int at, int other) {
        SimulatedLog log = new SimulatedLog();
        LogRecordParser parser = new LogRecordParser(
                Origins.NONE, Format1Expected.everywhere(), known, new CheckpointVerifier(TrustedKeys.none()));
        Format2Checkpoint zero = checkpoint(algorithm, Optional.empty(), new Interval(TreeHash.XXH3, 0, true), false);
        append(log, parser, null, Format2Checkpoint.HEADER, CheckpointCodec.encode(zero));
        Interval interval = new Interval(TreeHash.XXH3, 0, true);
        for (int i = 0; i < EVENTS; i++) {
            byte @Nullable [] value = i == 2 ? null : new byte[] {(byte) i};
            Hash signature = signer(algorithm).sign(null, value);
            interval.add(i, signature);
            byte[] header = header(algorithm, i, signature);
            if (i == 2) {
                header[at] = (byte) other;
            }
            append(log, parser, value, EventHeader.NAME, header);
        }
        Hash before = CheckpointCodec.chainHash(TreeHash.XXH3, CheckpointCodec.encode(zero));
        Format2Checkpoint one = checkpoint(algorithm, Optional.of(before), interval, true);
        append(log, parser, null, Format2Checkpoint.HEADER, CheckpointCodec.encode(one));
        Range range =
                new Range(new TopicPartition("orders", 0), 0, log.endOffset(), log.endOffset(), log.endOffset(), 1);
        return log.audited(RangeCase.Origin.NONE, range, new InactivityTimeouts(0, 1, 1));
    }

    private static void append(
            SimulatedLog log, LogRecordParser parser, byte @Nullable [] value, String headerName, byte[] header) {
        log.append(offset -> parser.parse(
                "orders",
                0,
                offset,
                LogRecord.NO_TIME,
                null,
                value,
                name -> name.equals(headerName) ? header : null,
                null));
    }

    private Format2Checkpoint checkpoint(int algorithm, Optional<Hash> previous, Interval interval, boolean closing) {
        return CheckpointFields.checkpoint(STREAM, c -> {
            c.over(interval);
            c.number = previous.isPresent() ? 1 : 0;
            c.signatureAlgorithm = algorithm;
            c.signatureSizeBytes = signer(algorithm).sizeBytes();
            c.previousHash = previous.orElse(Hash.empty());
            c.closing = closing;
            c.leaves = leaves ? Optional.of(interval.leaves()) : Optional.empty();
        });
    }

    private Finding ofTheInterval(int algorithm, int at, int other) {
        return audit(algorithm, at, other).stream()
                .filter(finding -> finding.id().equals("orders/0/00000000000a11ce/1"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"true, 3", "true, 4", "false, 4"})
    void anyOtherByteIsAViolation(boolean withLeaves, int algorithm) {
        leaves = withLeaves;
        byte[] header = header(algorithm, 2, signer(algorithm).sign(null, null));
        for (int at = 0; at < header.length; at++) {
            for (int other = 0; other < 256; other++) {
                Finding finding = ofTheInterval(algorithm, at, other);
                assertThat(finding)
                        .as("byte %d is %d", at, other)
                        .isInstanceOf((byte) other == header[at] ? Verified.class : Violated.class);
            }
        }
    }

    /** The signature of no value is the same in every algorithm of one size. */
    @Test
    void anotherAlgorithmThatIsKnownAndFitsIsAViolation() {
        known.add(new Supplied((byte) SUPPLIED));
        known.add(new Supplied((byte) (SUPPLIED + 1)));
        assertThat(ofTheInterval(SUPPLIED, ALGORITHM_AT, SUPPLIED)).isInstanceOf(Verified.class);
        assertThat(ofTheInterval(SUPPLIED, ALGORITHM_AT, SUPPLIED + 1)).isInstanceOf(Violated.class);
        assertThat(ofTheInterval(SUPPLIED, ALGORITHM_AT, EventSigners.SHA256_KEY_VALUE))
                .isInstanceOf(Violated.class);
    }

    @Test
    void anotherAlgorithmThanAnUnknownOneIsAViolation() {
        assertThat(ofTheInterval(SUPPLIED, ALGORITHM_AT, SUPPLIED + 1)).isInstanceOf(Violated.class);
        assertThat(ofTheInterval(SUPPLIED, ALGORITHM_AT, EventSigners.SHA256_KEY_VALUE))
                .isInstanceOf(Violated.class);
    }
}
