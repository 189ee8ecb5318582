package dev.stormproof.task.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.Protection;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.CheckpointFields;
import dev.stormproof.testing.Intervals;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.IntervalId;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Seal;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Verified.Basis;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.nio.ByteBuffer;
import java.util.List;

/** Records of a drawn log and what is found on them. */
final class VerifiedLog {
    static final PartitionId PARTITION = new PartitionId("orders", 0);
    static final int EPOCH = 4;
    static final long A = 0xaL;
    static final long B = 0xbL;

    private VerifiedLog() {}

    static Event event(long emitter, long offset, long sequence) {
        return event(emitter, offset, sequence, "signed");
    }

    static Event event(long emitter, long offset, long sequence, String observed) {
        return StreamRecords.event(
                offset,
                emitter,
                sequence,
                EventSigners.XXH3_KEY_VALUE,
                Hash.copyOf("signed".getBytes(UTF_8)),
                Hash.copyOf(observed.getBytes(UTF_8)),
                Event.Content.UNTRANSFORMED);
    }

    static CheckpointRecord checkpoint(long emitter, long number, long offset) {
        return new CheckpointRecord(
                offset,
                CheckpointFields.checkpoint(new StreamId("orders", 0, emitter), c -> {
                    c.emitterName = "shop";
                    c.number = number;
                    c.signatureAlgorithm = EventSigners.XXH3_KEY_VALUE;
                    c.signatureSizeBytes = EventSigners.sizeOf(EventSigners.XXH3_KEY_VALUE);
                    c.root = Hash.copyOf(new byte[8]);
                    c.previousHash = number == 0 ? Hash.empty() : hashOf(number - 1);
                }),
                hashOf(number),
                0);
    }

    static Verified verified(long emitter, long number, long begin, long end, long firstSequence, long events) {
        return new Verified(interval(emitter, number, end, firstSequence, events), Basis.MATCH, begin);
    }

    static Violated violated(long emitter, long number, long end, long firstSequence, long events) {
        return new Violated(interval(emitter, number, end, firstSequence, events), true, 1, List.of());
    }

    static Inconclusive unsealed(long emitter, long end, long firstSequence, long events) {
        return new Inconclusive(interval(emitter, -1, end, firstSequence, events), Reason.UNSEALED, "too long");
    }

    private static IntervalId interval(long emitter, long number, long end, long firstSequence, long events) {
        return Intervals.interval(
                new StreamId("orders", 0, emitter),
                number,
                end,
                firstSequence,
                events,
                "shop",
                0,
                new Seal(Protection.ACCIDENTS, Hash.copyOf(new byte[8]), hashOf(number), ""));
    }

    private static Hash hashOf(long number) {
        return Hash.copyOf(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    /** A record with a value by which the output is compared. */
    static Read read(LogRecord record, int epoch, String value) {
        return read(record, epoch, value, HeaderBytes.NONE);
    }

    static Read read(LogRecord record, int epoch, String value, HeaderBytes headers) {
        return new Read(record, epoch, 0, new RecordContent(null, value.getBytes(UTF_8), headers, 0, false));
    }
}
