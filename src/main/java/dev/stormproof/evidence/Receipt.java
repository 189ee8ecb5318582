package dev.stormproof.evidence;

import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.Hash;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A receipt of one event: the event, its audit path, and the signed checkpoint whose tree has it; after them, if a verifier signs it, the
 * verdict on the whole interval. For the first part only upstream has to be trusted.
 *
 * <p>Throws an {@link OversizedProofException} as soon as it would be larger than a checker reads.
 */
public final class Receipt {
    static final String HEAD = "stormproof-receipt";
    static final String VERSION = "1";
    static final String SEQUENCE = "sequence";
    static final String KEY = "key";
    static final String VALUE = "value";
    static final String EVENT_SIGNATURE = "event-signature";
    static final String PATH = "path";
    static final String CHECKPOINT = "checkpoint";

    /** The checksum at a checkpoint's end, which is left out because of the signature. */
    static final int CHECKSUM_BYTES = Long.BYTES;

    private final ProofText text = new ProofText();

    private Receipt(long sequence) {
        text.add(HEAD, VERSION);
        text.add(SEQUENCE, sequence);
    }

    /**
     * The receipt of an event whose content is shown.
     *
     * @param checkpoint the bytes of the signed checkpoint, as its record has them
     */
    public static Receipt ofContent(
            long sequence, byte @Nullable [] key, byte @Nullable [] value, AuditPath path, byte[] checkpoint) {
        Receipt receipt = new Receipt(sequence);
        receipt.text.addBytes(KEY, key);
        receipt.text.addBytes(VALUE, value);
        return receipt.sealed(path, checkpoint);
    }

    /** The receipt of an event whose content is not shown. */
    public static Receipt ofSignature(long sequence, Hash signature, AuditPath path, byte[] checkpoint) {
        Receipt receipt = new Receipt(sequence);
        receipt.text.add(EVENT_SIGNATURE, signature.toHex());
        return receipt.sealed(path, checkpoint);
    }

    private Receipt sealed(AuditPath path, byte[] checkpoint) {
        path.hashes().forEach(hash -> text.add(PATH, hash.toHex()));
        text.addBytes(CHECKPOINT, Arrays.copyOf(checkpoint, checkpoint.length - CHECKSUM_BYTES));
        return this;
    }

    /** The bytes of a receipt without a verdict. */
    public byte[] unjudged() {
        return text.unsigned();
    }

    /** The bytes of a receipt with a verdict on the event's interval. */
    public byte[] judged(Judgement judgement, CheckpointKey verifier) {
        judgement.writeTo(text);
        return text.signed(verifier);
    }
}
