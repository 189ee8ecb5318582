package dev.stormproof.bench;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.fold.ChainVerifier;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.SavedHeads;
import dev.stormproof.verify.judge.PartitionId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What the verifier of a partition does for each event of a faultless log, its streams by turns: an operation is an event, the
 * making of a verifier and of its streams shared among all of them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TakeRecords {
    private static final int EVENTS = 400_000;
    private static final PartitionId PARTITION = new PartitionId("orders", 0);

    /** How many streams the partition has. */
    @Param({"1", "10000"})
    public int streams;

    private final List<Read> reads = new ArrayList<>();
    private final List<DeliveryLink> links = new ArrayList<>();

    @Setup
    public void makeLog() {
        List<Stream> all = new ArrayList<>();
        for (int i = 0; i < streams; i++) {
            all.add(new Stream(new StreamId(PARTITION.topic(), PARTITION.partition(), i + 1)));
        }
        all.forEach(stream -> append(stream.checkpoint(reads.size())));
        int each = EVENTS / streams;
        for (int event = 1; event <= each; event++) {
            for (Stream stream : all) {
                append(stream.event(reads.size()));
            }
            if (event % 1_000 == 0 || event == each) {
                all.forEach(stream -> append(stream.checkpoint(reads.size())));
            }
        }
        int verified = take();
        if (verified != all.size() * (1 + (each + 999) / 1_000)) {
            throw new IllegalStateException(verified + " intervals are verified");
        }
    }

    private void append(LogRecord record) {
        reads.add(new Read(record, DeliveryLink.NO_EPOCH, LogRecord.NO_TIME, null));
        links.add(new DeliveryLink(record.offset(), record.offset() - 1, DeliveryLink.NO_EPOCH));
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public int take() {
        ChainVerifier verifier = new ChainVerifier(
                PARTITION,
                0,
                Leaders.NONE,
                SavedHeads.NOTHING,
                InactivityTimeouts.DEFAULT,
                Bounds.DEFAULT,
                Optional.empty());
        int findings = 0;
        for (int i = 0; i < reads.size(); i++) {
            verifier.take(links.get(i), reads.get(i));
            if (i % 10_000 == 0) {
                findings += verifier.drainFindings().size();
            }
        }
        return findings + verifier.drainFindings().size();
    }

    private static final class Stream {
        private final StreamId id;
        private final Interval interval = new Interval(TreeHash.XXH3, 0, false);
        private long number;
        private Hash previous = Hash.empty();
        private long sequence;

        Stream(StreamId id) {
            this.id = id;
        }

        Event event(long offset) {
            Hash signature = Hash.copyOf(ByteBuffer.allocate(16)
                    .putLong(id.emitter())
                    .putLong(sequence)
                    .array());
            interval.add(sequence, signature);
            return new Event(
                    offset,
                    id.emitter(),
                    sequence++,
                    TreeHash.XXH3,
                    EventSigners.XXH3_KEY_VALUE,
                    signature,
                    signature,
                    Event.Content.UNTRANSFORMED,
                    LogRecord.NO_TIME);
        }

        CheckpointRecord checkpoint(long offset) {
            Format2Checkpoint sealed = SignedStream.checkpoint(id, number++, interval, previous, number, false, -1);
            previous = CheckpointCodec.chainHash(TreeHash.XXH3, CheckpointCodec.encode(sealed));
            interval.restart(sequence);
            return new CheckpointRecord(offset, sealed, previous, LogRecord.NO_TIME);
        }
    }
}
