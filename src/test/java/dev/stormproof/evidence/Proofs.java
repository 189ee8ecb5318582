package dev.stormproof.evidence;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.CheckpointFields;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Proofs of a made-up stream, always the same: event i has the key {@code key-i} and the value {@code event-i}. */
final class Proofs {
    static final long FIRST = 100;

    /** The key of keys.json, of upstream. */
    static final CheckpointKey UPSTREAM = CheckpointKey.ofPkcs8(
            "test-1",
            HexFormat.of()
                    .parseHex("302e020100300506032b657004220420"
                            + "ac9945ca9e67e83007d9d074b98d9e80e2088c819cb88f92faa78f3f4c9519cf"));

    /** The verifier's, whose 32 bytes are 1 to 32. */
    static final CheckpointKey VERIFIER = CheckpointKey.ofPkcs8(
            "auditor-1",
            HexFormat.of()
                    .parseHex("302e020100300506032b657004220420"
                            + "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"));

    static final TrustedKeys UPSTREAM_KEYS = TrustedKeys.none()
            .withX509(
                    "test-1",
                    HexFormat.of()
                            .parseHex("302a300506032b6570032100"
                                    + "f59efaf828cf9b8264f25ee541cb760d246680d4d19cd015065c67430ac995e9"));
    static final TrustedKeys VERIFIER_KEYS = TrustedKeys.none()
            .withX509(
                    "auditor-1",
                    HexFormat.of()
                            .parseHex("302a300506032b6570032100"
                                    + "79b5562e8fe654f94078b112e8a98ba7901f853ae695bed7e0e3910bad049664"));

    static final Judgement VERIFIED = judgement(Outcome.VERIFIED);

    static final String STREAM = "partition=0 emitter=0123456789abcdef events=5 proven=%s verified=1 violated=0"
            + " inconclusive=0 sequences=0-5 checkpoints=0-0 strength=%s keys=- last=00 root=00 name=%s";

    private Proofs() {}

    static Judgement judgement(Outcome verdict) {
        return new Judgement(
                "2026-01-31T08:00:00Z",
                "stormproof 1",
                "Qm7rAkM5SF2hS1Q4TqLkCw",
                "orders",
                "kXcLaTrsR0y8p9gIXqV0Zw",
                4711,
                4720,
                verdict,
                "{\"finding\":\"" + verdict.word() + "\",\"emitterName\":\"Größe\"}");
    }

    static byte[] key(long sequence) {
        return ("key-" + sequence).getBytes(UTF_8);
    }

    static byte[] value(long sequence) {
        return ("event-" + sequence).getBytes(UTF_8);
    }

    static Hash signature(long sequence) {
        return EventSigners.ofId(EventSigners.SHA256_KEY_VALUE).orElseThrow().sign(key(sequence), value(sequence));
    }

    /** Number 7 of its stream, over so many events from {@link #FIRST} on, without those that are uncertain. */
    static Format2Checkpoint checkpoint(int events, TreeHash tree, List<SequenceRange> uncertain) {
        Interval interval = new Interval(tree, FIRST, false);
        long sequence = FIRST;
        for (int added = 0; added < events; sequence++) {
            long at = sequence;
            if (uncertain.stream().noneMatch(range -> range.contains(at))) {
                interval.add(sequence, signature(sequence));
                added++;
            }
        }
        return CheckpointFields.checkpoint(new StreamId("orders", 2, 0x0123456789abcdefL), c -> {
            c.over(interval);
            c.emitterName = "billing";
            c.number = 7;
            c.previousHash = Hash.copyOf(new byte[tree.sizeBytes()]);
            c.createdAtMillis = 1_700_000_000_000L;
            c.deadlineMillis = 10_000;
            c.uncertain = uncertain;
        });
    }

    static Format2Checkpoint checkpoint(int events) {
        return checkpoint(events, TreeHash.SHA256, List.of());
    }

    static byte[] signed(Format2Checkpoint checkpoint) {
        return CheckpointCodec.encode(checkpoint, UPSTREAM);
    }

    /** The checkpoint as a checker that believes upstream's key reads it. */
    static Format2Checkpoint named(Format2Checkpoint checkpoint) {
        return CheckpointFields.changed(checkpoint, c -> c.keyId = Optional.of(UPSTREAM.id()));
    }

    /** A checkpoint with another body, signed all the same. */
    static byte[] signedAnew(byte[] signed, UnaryOperator<byte[]> change) {
        int trailer = "test-1".length() + 1 + 64 + Receipt.CHECKSUM_BYTES;
        byte[] body = change.apply(Arrays.copyOf(signed, signed.length - trailer));
        byte[] above = Arrays.copyOf(body, body.length + trailer - 64 - Receipt.CHECKSUM_BYTES);
        System.arraycopy(signed, signed.length - trailer, above, body.length, above.length - body.length);
        ByteBuffer all = ByteBuffer.allocate(body.length + trailer);
        return all.put(above).put(UPSTREAM.sign(above, above.length)).array();
    }

    /** A checkpoint over one event alone, which has no key and no bytes of value. */
    static Format2Checkpoint checkpointOfNulls(long sequence, long createdAtMillis) {
        Interval interval = new Interval(TreeHash.SHA256, sequence, false);
        interval.add(
                sequence,
                EventSigners.ofId(EventSigners.SHA256_KEY_VALUE).orElseThrow().sign(null, new byte[0]));
        Format2Checkpoint six = checkpoint(6);
        return CheckpointFields.checkpoint(six.stream(), c -> {
            c.over(interval);
            c.number = 8;
            c.previousHash = six.previousHash();
            c.createdAtMillis = createdAtMillis;
            c.closing = true;
        });
    }

    static IntervalLeaves leaves(Format2Checkpoint checkpoint) {
        IntervalLeaves leaves = new IntervalLeaves(checkpoint);
        for (long sequence = checkpoint.firstSequence(); sequence < checkpoint.nextSequence(); sequence++) {
            leaves.put(sequence, signature(sequence));
        }
        return leaves;
    }

    static Receipt receipt(Format2Checkpoint checkpoint, long sequence) {
        AuditPath path =
                leaves(checkpoint).pathOf(sequence, signature(sequence)).orElseThrow();
        return Receipt.ofContent(sequence, key(sequence), value(sequence), path, named(checkpoint), signed(checkpoint));
    }

    static Receipt receiptWithoutContent(Format2Checkpoint checkpoint, long sequence) {
        AuditPath path =
                leaves(checkpoint).pathOf(sequence, signature(sequence)).orElseThrow();
        return Receipt.ofSignature(sequence, signature(sequence), path, named(checkpoint), signed(checkpoint));
    }

    static byte[] statement() {
        return new Statement(
                        "2026-01-31T08:00:00Z", "stormproof 1",
                        "Qm7rAkM5SF2hS1Q4TqLkCw", "orders",
                        "kXcLaTrsR0y8p9gIXqV0Zw", "tampering")
                .add("since", List.of("2025-10-01T00:00:00Z"))
                .add("until", List.of("2026-01-01T00:00:00Z"))
                .add("key", UPSTREAM_KEYS.texts())
                .add("partition", List.of("0 log=0-9000 audited=100-5000"))
                .add("stream", List.of("partition=0 emitter=0123456789abcdef events=4900 proven=4900 name=Größe"))
                .add("not-judged", List.of("what lies before 100 in partition 0 was not judged"))
                .signed(4_900, 4_900, Outcome.VERIFIED, "VERIFIED: 4,900 events arrived once", VERIFIER);
    }

    static ProofCheck check() {
        return new ProofCheck(UPSTREAM_KEYS, VERIFIER_KEYS);
    }

    /** A statement that has each line that one may have, and those more than once that may be there so. */
    static byte[] statementOfEachLine() {
        return new Statement("2026-01-31T08:00:00Z", "stormproof 1", "c", "orders", "t", "accidents")
                .add("since", List.of("2025-10-01T00:00:00Z"))
                .add("until", List.of("2026-01-01T00:00:00Z"))
                .add("key", List.of("a", "b"))
                .add("partition", List.of("0 log=0-1", "1 log=0-1"))
                .add("stream", List.of("partition=0", "partition=1"))
                .add("more-streams", List.of("7"))
                .add("open", List.of("partition=0", "partition=1"))
                .add("finding", List.of("{}", "{ }"))
                .add("more-findings", List.of("8"))
                .add("not-judged", List.of("this", "that \u2028"))
                .signed(Long.MAX_VALUE, 0, Outcome.INCONCLUSIVE, "s", VERIFIER);
    }

    /** A violated range of partitions without times, one of whose streams tries to seem strong by its name. */
    static byte[] statementOfAWeakRange() {
        return new Statement("2026-01-31T08:00:00Z", "stormproof 1", "c", "orders", "t", "accidents")
                .add("partition", List.of("0 log=0-1", "2 log=0-1"))
                .add(
                        "stream",
                        List.of(
                                STREAM.formatted("5", "tampering", "a"),
                                STREAM.formatted("5", "accidents", "b strength=tampering ")))
                .signed(5, 1, Outcome.VIOLATED, "s", VERIFIER);
    }

    /** A range that is verified up to the last checkpoints, without demanding the protection that each stream has. */
    static byte[] statementOfStrongStreams() {
        return new Statement("2026-01-31T08:00:00Z", "stormproof 1", "c", "orders", "t", "accidents")
                .add("since", List.of("2025-10-01T00:00:00Z"))
                .add("partition", List.of("3 log=0-1", "4 log=0-1", "5 log=0-1"))
                .add(
                        "stream",
                        List.of(
                                STREAM.formatted("5", "tampering", "a\u2028b strength=accidents"),
                                "partition=4 emitter=01 events=5 proven=0 verified=0 violated=0 inconclusive=0"))
                .signed(1_234_567, 1_234, Outcome.VERIFIED, "s", VERIFIER);
    }

    /** A proof with another text in place of one that it has, signed by the verifier whatever that makes of it. */
    static byte[] resigned(byte[] proof, String part, String other) {
        String said = new String(proof, UTF_8).split("\nverifier ", 2)[0];
        ProofText text = new ProofText();
        replaced(said, part, other).lines().forEach(line -> {
            String[] parts = line.split(" ", 2);
            text.add(parts[0], parts[1]);
        });
        return text.signed(VERIFIER);
    }

    static String replaced(String text, String part, String other) {
        if (!text.contains(part)) {
            throw new IllegalArgumentException(part);
        }
        return text.replace(part, other);
    }

    /** The same text with a last line that fits the others. */
    static byte[] repaired(byte[] proof) {
        String all = new String(proof, ISO_8859_1);
        int last = all.lastIndexOf("\nlines ") + 1;
        if (last == 0) {
            return proof;
        }
        StringBuilder digits = new StringBuilder();
        for (String line : all.substring(0, last - 1).split("\n", -1)) {
            digits.append(ProofText.digitsOf(line.getBytes(ISO_8859_1)));
        }
        return (all.substring(0, last) + "lines " + digits + "\n").getBytes(ISO_8859_1);
    }
}
