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
        return parser(TrustedKeys.none());
    }

    /** The same with keys. */
    public static LogRecordParser parser(TrustedKeys keys) {
        return new LogRecordParser(Origins.NONE, Format1Expected.everywhere(), List.of(), new CheckpointVerifier(keys));
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
        return event(
                offset,
                stream.emitter(),
                sequence,
                EventSigners.SHA256_KEY_VALUE,
                stated,
                observed,
                Event.Content.UNTRANSFORMED);
    }

    /** An event of any stream, with the digest of checkpoints that those of format 2 mostly have. */
    public static Event event(
            long offset,
            long emitter,
            long sequence,
            int algorithm,
            Hash stated,
            Hash observed,
            Event.Content content) {
        return new Event(
                offset, emitter, sequence, TreeHash.XXH3, algorithm, stated, observed, content, LogRecord.NO_TIME);
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
        private final CheckpointFields fields;
        private final long nextSequence;
        private Optional<Hash> root = Optional.empty();
        private boolean leaves = true;
        private boolean forged;

        private Draft(StreamId stream, long number, long firstSequence, long nextSequence) {
            this.fields = new CheckpointFields(stream);
            this.nextSequence = nextSequence;
            fields.number = number;
            fields.firstSequence = firstSequence;
            fields.previousHash = number == 0 ? Hash.empty() : Hash.copyOf(new byte[TreeHash.XXH3.sizeBytes()]);
        }

        public Draft after(CheckpointRecord previous) {
            fields.previousHash = previous.chainHash();
            return this;
        }

        /** With a hint that the last checkpoint that was known to have arrived lies there. */
        public Draft hinting(long offset) {
            fields.previousOffsetHint = offset;
            return this;
        }

        public Draft madeAt(long millis) {
            fields.createdAtMillis = millis;
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
            fields.uncertain = List.of(ranges);
            return this;
        }

        public Draft refusedOf(SequenceRange... ranges) {
            fields.refused = true;
            return uncertainOf(ranges);
        }

        public Draft promising(long millis) {
            fields.deadlineMillis = millis;
            return this;
        }

        public Draft closing() {
            fields.closing = true;
            return this;
        }

        /** Makes it another statement than one that is alike but for the name. */
        public Draft by(String emitterName) {
            fields.emitterName = emitterName;
            return this;
        }

        /** Has it state the {@linkplain StreamRecords#forged forged} events. */
        public Draft ofForged() {
            forged = true;
            return this;
        }

        public CheckpointRecord at(long offset) {
            Interval interval = new Interval(TreeHash.XXH3, fields.firstSequence, true);
            for (long sequence = fields.firstSequence; sequence < nextSequence; sequence++) {
                long mine = sequence;
                if (fields.uncertain.stream().noneMatch(range -> range.contains(mine))) {
                    interval.add(sequence, forged ? otherSignature(sequence) : signature(sequence));
                }
            }
            fields.eventCount = interval.count();
            fields.root = root.orElse(interval.root());
            fields.leaves = leaves ? Optional.of(interval.leaves()) : Optional.empty();
            Format2Checkpoint sealed = fields.make();
            return new CheckpointRecord(
                    offset,
                    sealed,
                    CheckpointCodec.chainHash(TreeHash.XXH3, CheckpointCodec.encode(sealed)),
                    LogRecord.NO_TIME);
        }
    }
}
