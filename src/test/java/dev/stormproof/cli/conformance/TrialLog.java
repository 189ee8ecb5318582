package dev.stormproof.cli.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.Xxh3;
import dev.stormproof.testing.CheckpointFields;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A log of two partitions in which every case is shown, and rules that are broken at labelled records. What follows a broken rule
 * is written as by the emitter that broke it.
 */
final class TrialLog {
    static final String TOPIC = "trial";
    private static final int SUM_BYTES = 8;

    /** One record as it will lie in the log. */
    @SuppressWarnings("ArrayRecordComponent") // Compared with nothing.
    record Raw(
            int partition,
            String label,
            byte @Nullable [] key,
            byte @Nullable [] value,
            HeaderBytes headers,
            boolean aborted) {
        Raw with(HeaderBytes others) {
            return new Raw(partition, label, key, value, others, aborted);
        }

        /** The same with another last header. */
        Raw withBytes(String name, byte[] bytes) {
            return with(headers.plus(name, bytes));
        }
    }

    final Map<String, UnaryOperator<Raw>> records = new HashMap<>();
    final Map<String, UnaryOperator<EventHeader>> headers = new HashMap<>();
    final Map<String, UnaryOperator<Format2Checkpoint>> statements = new HashMap<>();
    final Map<String, UnaryOperator<byte[]>> bytes = new HashMap<>();
    final Map<String, Consumer<Stream>> before = new HashMap<>();

    private final CheckpointKey key;
    private final List<Raw> log = new ArrayList<>();
    private long clock = 1_000_000;

    /** A key that signs, and the same as one that readers accept. */
    record Keys(CheckpointKey own, TrustedKeys trusted) {
        static Keys generate() {
            try {
                KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
                return new Keys(
                        CheckpointKey.ofPkcs8("trial", pair.getPrivate().getEncoded()),
                        TrustedKeys.none().withX509("trial", pair.getPublic().getEncoded()));
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e);
            }
        }
    }

    TrialLog(Keys keys) {
        this.key = keys.own();
    }

    /** What one emitter writes into one partition. */
    final class Stream {
        final int partition;
        final String name;
        long emitter;
        long sequence;
        long number;
        long first;
        boolean aborting;
        Hash chain = Hash.empty();
        final List<Long> sequences = new ArrayList<>();
        final List<Hash> signatures = new ArrayList<>();

        Stream(int partition, String name, long emitter) {
            this.partition = partition;
            this.name = name;
            this.emitter = emitter;
        }

        void event(String label, byte @Nullable [] eventKey, byte @Nullable [] value) {
            before.getOrDefault(label, any -> {}).accept(this);
            Hash signature =
                    EventSigners.ofId(EventSigners.XXH3_KEY_VALUE).orElseThrow().sign(eventKey, value);
            EventHeader header = headers.getOrDefault(label, same -> same)
                    .apply(new EventHeader(emitter, sequence, TreeHash.XXH3, EventSigners.XXH3_KEY_VALUE, signature));
            if (!aborting) {
                sequences.add(sequence);
                signatures.add(header.signature());
            }
            sequence++;
            HeaderBytes own = HeaderBytes.NONE.plus(EventHeader.NAME, header.encode());
            append(new Raw(partition, label, eventKey, value, own, aborting));
        }

        void events(String label, int count) {
            for (int i = 0; i < count; i++) {
                event(label, text("key"), text(label + i));
            }
        }

        /** The next sequence, as the next checkpoint would state it. */
        long next() {
            return first + sequences.size();
        }

        /** The same stream, of which the log holds so many events. */
        Stream following(long events) {
            sequence = events;
            first = events;
            return this;
        }

        void seal(String label) {
            seal(label, false, List.of());
        }

        void seal(String label, boolean closing, List<SequenceRange> uncertain) {
            before.getOrDefault(label, any -> {}).accept(this);
            Interval interval = new Interval(TreeHash.XXH3, first, true);
            for (int i = 0; i < sequences.size(); i++) {
                interval.add(sequences.get(i), signatures.get(i));
            }
            clock += 100;
            Format2Checkpoint right = CheckpointFields.checkpoint(new StreamId(TOPIC, partition, emitter), c -> {
                c.over(interval);
                c.emitterName = name;
                c.number = number;
                c.signatureAlgorithm = EventSigners.XXH3_KEY_VALUE;
                c.signatureSizeBytes = 16;
                c.previousHash = number == 0 ? Hash.empty() : chain;
                c.createdAtMillis = clock;
                c.deadlineMillis = closing ? 0 : 1_000;
                c.closing = closing;
                c.uncertain = uncertain;
                c.leaves = Optional.of(interval.leaves());
            });
            Format2Checkpoint stated =
                    statements.getOrDefault(label, same -> same).apply(right);
            byte[] encoded =
                    label.equals("signed") ? CheckpointCodec.encode(stated, key) : CheckpointCodec.encode(stated);
            chain = CheckpointCodec.chainHash(TreeHash.XXH3, encoded);
            byte[] written = bytes.getOrDefault(label, same -> same).apply(encoded);
            number = stated.number() + 1;
            first = stated.nextSequence();
            sequence = Math.max(sequence, first);
            sequences.clear();
            signatures.clear();
            append(new Raw(
                    partition, label, null, null, HeaderBytes.NONE.plus(Format2Checkpoint.HEADER, written), false));
        }
    }

    /** Writes the log, with what was broken in it. */
    List<Raw> write() {
        Stream a = new Stream(0, "kit", 0xa);
        Stream b = new Stream(0, "other", 0xb);
        a.seal("number 0");
        b.seal("number 0 of b");
        a.event("plain", text("key"), text("value"));
        a.event("null key", null, text("value"));
        a.event("empty key", text(""), text("value"));
        a.event("null value", text("key"), null);
        a.event("empty value", text("key"), text(""));
        a.event("repeated", text("key"), text("value"));
        a.event("large", text("key"), new byte[Case.LARGE_BYTES]);
        a.seal("seven");
        a.events("four", 4);
        a.seal("four sealed");
        a.event("a1", text("key"), text("value"));
        b.event("b1", text("key"), text("value"));
        a.event("a2", text("key"), text("value"));
        a.seal("side by side");
        b.seal("b sealed");
        a.seal("idle");
        a.events("many", 128);
        a.seal("many sealed");
        a.aborting = true;
        long before = a.sequence;
        a.events("aborted", 2);
        a.aborting = false;
        a.sequence = before;
        a.event("after abort", text("key"), text("value"));
        a.seal("signed");
        a.event("last", text("key"), text("value"));
        a.seal("closing", true, List.of(new SequenceRange(a.next(), a.next() + 2)));
        Stream restarted = new Stream(0, "kit", 0xc);
        restarted.seal("restarted");
        restarted.events("again", 1);
        restarted.seal("again sealed");
        restarted.seal("end of restarted", true, List.of());
        Stream elsewhere = new Stream(1, "kit", 0xd);
        elsewhere.seal("number 0 elsewhere");
        elsewhere.events("elsewhere", 1);
        elsewhere.seal("elsewhere sealed");
        elsewhere.seal("end elsewhere", true, List.of());
        return log;
    }

    private void append(Raw raw) {
        Raw repeated = raw.label.equals("repeated")
                ? raw.with(raw.headers.plus("trace", text("1")).plus("trace", text("2")))
                : raw;
        log.add(records.getOrDefault(raw.label, same -> same).apply(repeated));
    }

    /** The results of a log. */
    static List<CaseResult> judge(List<Raw> log, Keys keys) {
        return judge(log, keys, true);
    }

    private static LogRecordParser parser(TrustedKeys keys) {
        return new LogRecordParser(Origins.NONE, Format1Expected.everywhere(), List.of(), new CheckpointVerifier(keys));
    }

    /** The results of a log of which the beginning may have expired. */
    static List<CaseResult> judge(List<Raw> log, Keys keys, boolean fromBeginning) {
        LogRecordParser unsigned = parser(TrustedKeys.none());
        LogRecordParser signed = parser(keys.trusted());
        Conformance conformance = new Conformance();
        for (int partition = 0; partition < 2; partition++) {
            conformance.begin(partition, fromBeginning);
            long offset = 0;
            for (Raw raw : log) {
                if (raw.partition != partition) {
                    continue;
                }
                LogRecordParser parser = raw.label.equals("signed") ? signed : unsigned;
                var record = parser.parse(TOPIC, partition, offset, offset, raw.key, raw.value, raw.headers, null);
                offset++;
                if (raw.aborted) {
                    conformance.takeAborted(record);
                } else {
                    conformance.take(record, new RecordContent(raw.key, raw.value, raw.headers, 0, false));
                }
            }
        }
        return conformance.results();
    }

    /** The checkpoint's bytes with one of them set, and the checksum made to fit. */
    static byte[] set(byte[] encoded, int at, int value) {
        byte[] harmed = encoded.clone();
        harmed[at] = (byte) value;
        return summed(harmed);
    }

    /** The body of a checkpoint made longer or shorter, and the checksum made to fit. */
    static byte[] resized(byte[] encoded, int by) {
        byte[] body = Arrays.copyOf(encoded, encoded.length - SUM_BYTES);
        return summed(Arrays.copyOf(Arrays.copyOf(body, body.length + by), encoded.length + by));
    }

    private static byte[] summed(byte[] encoded) {
        ByteBuffer.wrap(encoded).putLong(encoded.length - SUM_BYTES, Xxh3.hash(encoded, 0, encoded.length - SUM_BYTES));
        return encoded;
    }

    static byte[] text(String text) {
        return text.getBytes(UTF_8);
    }

    /** Demands that bytes are refused, so that a harm is one. */
    static void demandRefused(byte[] encoded) {
        try {
            var unused = CheckpointCodec.decode(encoded);
            throw new AssertionError("the checkpoint is read");
        } catch (MalformedCheckpointException refused) {
            // As it has to be.
        }
    }
}
