package dev.stormproof.testing;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format1Checkpoint;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.verify.feed.HeaderBytes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Events and checkpoints of one stream, made to measure: whether they fit together is up to the test. The event of a
 * sequence always has the same signature.
 */
public record StreamRecords(StreamId stream) {
    /** A stream of format 2. */
    public static final StreamRecords ALICE = of(0xA11CE);

    /** Another one. */
    public static final StreamRecords BOB = of(0xB0B);

    /** The stream of format 1. */
    public static final StreamRecords PLAIN = of(StreamId.NO_EMITTER);

    public static StreamRecords of(long emitter) {
        return new StreamRecords(new StreamId("orders", 0, emitter));
    }

    /** A parser that knows no origin, no signer and no key. */
    public static LogRecordParser parser() {
        return new LogRecordParser(
                Origins.NONE, Format1Expected.everywhere(), List.of(), new CheckpointVerifier(TrustedKeys.none()));
    }

    /** What a parser reads in a record that lies at an offset, at no time. */
    public static LogRecord parsed(
            LogRecordParser parser, ProducerRecord<byte[], byte @Nullable []> record, long offset) {
        HeaderBytes headers = HeaderBytes.of(record.headers(), Header::key, Header::value);
        int partition = Objects.requireNonNull(record.partition());
        return parser.parse(
                record.topic(), partition, offset, LogRecord.NO_TIME, record.key(), record.value(), headers, null);
    }

    /** The signature of a sequence's event. */
    public static Hash signature(long sequence) {
        return Hash.copyOf(ByteBuffer.allocate(32).putLong(sequence).array());
    }

    /** The signature of another value in its place. */
    public static Hash otherSignature(long sequence) {
        return Hash.copyOf(
                ByteBuffer.allocate(32).putLong(sequence).put((byte) 1).array());
    }

    public Event event(long offset, long sequence) {
        return event(offset, sequence, signature(sequence), signature(sequence));
    }

    /** An event whose value is not the one that was signed. */
    public Event altered(long offset, long sequence) {
        return event(offset, sequence, signature(sequence), otherSignature(sequence));
    }

    /** An event with another value and a signature that fits it. */
    public Event forged(long offset, long sequence) {
        return event(offset, sequence, otherSignature(sequence), otherSignature(sequence));
    }

    public Event event(long offset, long sequence, Hash stated, Hash observed) {
        return new Event(
                offset,
                stream.emitter(),
                sequence,
                TreeHash.XXH3,
                EventSigners.SHA256_KEY_VALUE,
                stated,
                observed,
                Event.Content.UNTRANSFORMED,
                LogRecord.NO_TIME);
    }

    /** An event of format 1, whose signature is a number. */
    public Event plainEvent(long offset, long signature) {
        Hash hash = signature(signature);
        return new Event(
                offset,
                stream.emitter(),
                Event.NO_SEQUENCE,
                TreeHash.ADLER32,
                EventSigners.SHA1,
                hash,
                hash,
                Event.Content.UNTRANSFORMED,
                LogRecord.NO_TIME);
    }

    /** A checkpoint of format 1 over events of these signatures. */
    public CheckpointRecord plainCheckpoint(long offset, long... signatures) {
        Leaves.Builder leaves = Leaves.builder();
        for (long signature : signatures) {
            leaves.append(signature(signature));
        }
        Hash root = Hash.copyOf(new byte[TreeHash.ADLER32.sizeBytes()]);
        return new CheckpointRecord(
                offset, new Format1Checkpoint(stream, leaves.build(), root), Hash.empty(), LogRecord.NO_TIME);
    }

    /** A checkpoint over the events of [firstSequence, nextSequence), to be changed and put at an offset. */
    public Draft checkpoint(long number, long firstSequence, long nextSequence) {
        return new Draft(stream, number, firstSequence, nextSequence);
    }

    /** A checkpoint that is being made. */
    public static final class Draft {
        private final StreamId stream;
        private final long number;
        private final long firstSequence;
        private final long nextSequence;
        private Hash previousHash;
        private Optional<Hash> root = Optional.empty();
        private boolean leaves = true;
        private List<SequenceRange> uncertain = List.of();
        private boolean refused;
        private long promiseMillis;
        private boolean closing;
        private String name = "";
        private boolean forged;
        private long hint = -1;
        private long madeAtMillis;

        private Draft(StreamId stream, long number, long firstSequence, long nextSequence) {
            this.stream = stream;
            this.number = number;
            this.firstSequence = firstSequence;
            this.nextSequence = nextSequence;
            this.previousHash = number == 0 ? Hash.empty() : Hash.copyOf(new byte[TreeHash.XXH3.sizeBytes()]);
        }

        public Draft after(CheckpointRecord previous) {
            previousHash = previous.chainHash();
            return this;
        }

        /** The same, with a hint where that one lies. */
        /** With a hint that the last checkpoint that was known to have arrived lies there. */
        public Draft hinting(long offset) {
            hint = offset;
            return this;
        }

        public Draft madeAt(long millis) {
            madeAtMillis = millis;
            return this;
        }

        public Draft withRoot(Hash other) {
            root = Optional.of(other);
            return this;
        }

        public Draft withoutLeaves() {
            leaves = false;
            return this;
        }

        public Draft uncertainOf(SequenceRange... ranges) {
            uncertain = List.of(ranges);
            return this;
        }

        public Draft refusedOf(SequenceRange... ranges) {
            refused = true;
            return uncertainOf(ranges);
        }

        public Draft promising(long millis) {
            promiseMillis = millis;
            return this;
        }

        public Draft closing() {
            closing = true;
            return this;
        }

        /** Makes it another statement than one that is alike but for the name. */
        public Draft by(String emitterName) {
            name = emitterName;
            return this;
        }

        /** Has it state the {@linkplain StreamRecords#forged forged} events. */
        public Draft ofForged() {
            forged = true;
            return this;
        }

        public CheckpointRecord at(long offset) {
            Interval interval = new Interval(TreeHash.XXH3, firstSequence, true);
            for (long sequence = firstSequence; sequence < nextSequence; sequence++) {
                long mine = sequence;
                if (uncertain.stream().noneMatch(range -> range.contains(mine))) {
                    interval.add(sequence, forged ? otherSignature(sequence) : signature(sequence));
                }
            }
            Format2Checkpoint sealed = new Format2Checkpoint(
                    stream,
                    name,
                    number,
                    firstSequence,
                    interval.count(),
                    TreeHash.XXH3,
                    EventSigners.SHA256_KEY_VALUE,
                    32,
                    root.orElse(interval.root()),
                    previousHash,
                    madeAtMillis,
                    promiseMillis,
                    closing,
                    uncertain,
                    refused,
                    hint,
                    leaves ? Optional.of(interval.leaves()) : Optional.empty(),
                    Optional.empty());
            return new CheckpointRecord(
                    offset,
                    sealed,
                    CheckpointCodec.chainHash(TreeHash.XXH3, CheckpointCodec.encode(sealed)),
                    LogRecord.NO_TIME);
        }
    }
}
