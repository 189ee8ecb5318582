package dev.stormproof.evidence;

import dev.stormproof.evidence.Checked.Content;
import dev.stormproof.evidence.Checked.Judged;
import dev.stormproof.evidence.Checked.NamedLine;
import dev.stormproof.evidence.Checked.OfReceipt;
import dev.stormproof.evidence.Checked.OfStatement;
import dev.stormproof.evidence.ProofReader.Line;
import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Xxh3;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks proofs with nothing but their bytes and public keys.
 *
 * <pre>
 *   receipt     event ──► leaf ──► path ──► root ◄── checkpoint ◄── signature of upstream's key
 *               all of it, and the verdict ◄── signature of the verifier's key
 *   statement   all of it ◄── signature of the verifier's key
 * </pre>
 */
public final class ProofCheck {
    /** The largest proof that is read. */
    public static final int MAX_SIZE_BYTES = 128 << 20;

    private static final int SIGNATURE_BYTES = 64;

    private final TrustedKeys upstream;
    private final TrustedKeys verifiers;

    /**
     * @param upstream the trusted keys of checkpoints
     * @param verifiers the trusted keys of verdicts
     */
    public ProofCheck(TrustedKeys upstream, TrustedKeys verifiers) {
        this.upstream = upstream;
        this.verifiers = verifiers;
    }

    /** Checks a proof; throws if anything about it is wrong, or if no trusted key signed it. */
    public Checked check(byte[] proof) throws RefusedProofException {
        ProofReader in = ProofReader.of(proof);
        Line receipt = in.nextIf(Receipt.HEAD);
        if (receipt != null) {
            demandVersion(receipt);
            return receipt(in);
        }
        demandVersion(in.next(Statement.HEAD));
        return statement(in);
    }

    private static void demandVersion(Line head) throws RefusedProofException {
        if (!head.value().equals(Receipt.VERSION)) {
            throw head.refused("version " + head.value() + " is not known here");
        }
    }

    private OfReceipt receipt(ProofReader in) throws RefusedProofException {
        Line sentence = in.next(Sentence.NAME);
        long sequence = ProofReader.number(in.next(Receipt.SEQUENCE));
        Line event = in.nextIf(Receipt.EVENT_SIGNATURE);
        Optional<Content> content = event == null ? Optional.of(content(in)) : Optional.empty();
        List<Hash> hashes = new ArrayList<>();
        Line first = null;
        for (Line path = in.nextIf(Receipt.PATH); path != null; path = in.nextIf(Receipt.PATH)) {
            first = first == null ? path : first;
            hashes.add(hashOfNode(path));
        }
        Line sealed = in.next(Receipt.CHECKPOINT);
        byte[] bytes = withChecksum(ProofReader.bytes(sealed));
        Format2Checkpoint checkpoint = checkpoint(sealed, bytes);
        Hash signature = event == null ? signature(content.orElseThrow(), checkpoint, sealed) : ProofReader.hash(event);
        demandMember(sequence, signature, hashes, checkpoint, first == null ? sealed : first);
        Optional<Judged> judged = in.atEnd() ? Optional.empty() : Optional.of(judged(in));
        in.end();
        Sentence.demand(sentence, Sentence.ofReceipt(sequence, content.isPresent(), checkpoint, judged));
        return new OfReceipt(
                sentence.value(),
                sequence,
                signature,
                content,
                checkpoint,
                CheckpointCodec.chainHash(checkpoint.treeHash(), bytes),
                judged);
    }

    private static Content content(ProofReader in) throws RefusedProofException {
        return new Content(
                bytes(ProofReader.bytesOrNull(in.next(Receipt.KEY))),
                bytes(ProofReader.bytesOrNull(in.next(Receipt.VALUE))));
    }

    private static Optional<Hash> bytes(byte @Nullable [] bytes) {
        return bytes == null ? Optional.empty() : Optional.of(Hash.copyOf(bytes));
    }

    private static Hash hashOfNode(Line path) throws RefusedProofException {
        Hash hash = ProofReader.hash(path);
        if (hash.sizeBytes() != AuditPath.HASH_BYTES) {
            throw path.refused("it has " + hash.sizeBytes() + " bytes");
        }
        return hash;
    }

    private static byte[] withChecksum(byte[] signed) {
        byte[] bytes = Arrays.copyOf(signed, signed.length + Receipt.CHECKSUM_BYTES);
        ByteBuffer.wrap(bytes).putLong(signed.length, Xxh3.hash(signed, 0, signed.length));
        return bytes;
    }

    private Format2Checkpoint checkpoint(Line line, byte[] bytes) throws RefusedProofException {
        try {
            TrustedKeys keys = upstream;
            CheckpointVerifier verifier = CheckpointVerifier.againstTampering(keys);
            Format2Checkpoint checkpoint = verifier.decode(bytes);
            int end = bytes.length - Receipt.CHECKSUM_BYTES;
            byte[] above = Arrays.copyOf(bytes, end - SIGNATURE_BYTES);
            byte[] signature = Arrays.copyOfRange(bytes, above.length, end);
            if (!keys.verifyExactly(checkpoint.keyId().orElseThrow(), above, signature)) {
                throw line.refused("its signature is not one that all checkers accept");
            }
            return checkpoint;
        } catch (MalformedCheckpointException e) {
            throw line.refused(String.valueOf(e.getMessage()));
        }
    }

    private static Hash signature(Content content, Format2Checkpoint checkpoint, Line line)
            throws RefusedProofException {
        if (checkpoint.signatureAlgorithm() != EventSigners.SHA256_KEY_VALUE) {
            throw line.refused("the application's own signature of a content cannot be computed here");
        }
        return EventSigners.ofId(EventSigners.SHA256_KEY_VALUE)
                .orElseThrow()
                .sign(
                        content.key().map(Hash::toByteArray).orElse(null),
                        content.value().map(Hash::toByteArray).orElse(null));
    }

    private static void demandMember(
            long sequence, Hash signature, List<Hash> path, Format2Checkpoint checkpoint, Line place)
            throws RefusedProofException {
        if (signature.sizeBytes() != checkpoint.signatureSizeBytes()) {
            throw place.refused("the checkpoint's events have signatures of " + checkpoint.signatureSizeBytes()
                    + " bytes, this one " + signature.sizeBytes());
        }
        Optional<Long> index = IntervalLeaves.indexOf(checkpoint, sequence);
        if (index.isEmpty()) {
            throw place.refused("the checkpoint does not state sequence " + sequence);
        }
        Optional<Hash> root =
                new AuditPath(path).root(AuditPath.leaf(sequence, signature), index.get(), checkpoint.eventCount());
        if (!root.equals(Optional.of(checkpoint.root()))) {
            throw place.refused("sequence, event and path do not lead to the root that the checkpoint states");
        }
    }

    private Judged judged(ProofReader in) throws RefusedProofException {
        Judgement judgement = Judgement.read(in);
        String verifier = in.verifier(verifiers);
        return new Judged(judgement, verifier);
    }

    private OfStatement statement(ProofReader in) throws RefusedProofException {
        Line sentence = in.next(Sentence.NAME);
        Outcome verdict = Statement.read(in);
        List<NamedLine> lines = in.linesSoFar().stream()
                .map(line -> new NamedLine(line.name(), line.value()))
                .toList();
        String verifier = in.verifier(verifiers);
        in.end();
        Sentence.demand(sentence, Sentence.ofStatement(lines, verifier));
        return new OfStatement(sentence.value(), verdict, verifier, lines);
    }
}
