package dev.stormproof.evidence;

import dev.stormproof.evidence.Checked.Judged;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.Hash;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A receipt of one event: the event, its audit path, and the signed checkpoint whose tree has it; after them, if a verifier signs it, the
 * verdict on the whole interval. For the first part only upstream has to be trusted.
 *
 * <p>Its bytes throw an {@link OversizedProofException} if a checker would not read so many.
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

    private final long sequence;
    private final boolean withContent;
    private final Consumer<ProofText> event;
    private final AuditPath path;
    private final Format2Checkpoint checkpoint;
    private final byte[] signed;

    private Receipt(
            long sequence,
            boolean withContent,
            Consumer<ProofText> event,
            AuditPath path,
            Format2Checkpoint checkpoint,
            byte[] signed) {
        this.sequence = sequence;
        this.withContent = withContent;
        this.event = event;
        this.path = path;
        this.checkpoint = checkpoint;
        this.signed = signed;
    }

    /**
     * The receipt of an event whose content is shown.
     *
     * @param signed the bytes of the signed checkpoint, as its record has them
     */
    public static Receipt ofContent(
            long sequence,
            byte @Nullable [] key,
            byte @Nullable [] value,
            AuditPath path,
            Format2Checkpoint checkpoint,
            byte[] signed) {
        Consumer<ProofText> event = text -> {
            text.addBytes(KEY, key);
            text.addBytes(VALUE, value);
        };
        return new Receipt(sequence, true, event, path, checkpoint, signed);
    }

    /** The receipt of an event whose content is not shown. */
    public static Receipt ofSignature(
            long sequence, Hash signature, AuditPath path, Format2Checkpoint checkpoint, byte[] signed) {
        return new Receipt(
                sequence, false, text -> text.add(EVENT_SIGNATURE, signature.toHex()), path, checkpoint, signed);
    }

    /** The bytes of a receipt without a verdict. */
    public byte[] unjudged() {
        return text(Optional.empty()).unsigned();
    }

    /** The bytes of a receipt with a verdict on the event's interval. */
    public byte[] judged(Judgement judgement, CheckpointKey verifier) {
        ProofText text = text(Optional.of(new Judged(judgement, verifier.id())));
        judgement.writeTo(text);
        return text.signed(verifier);
    }

    private ProofText text(Optional<Judged> judged) {
        ProofText text = new ProofText();
        text.add(HEAD, VERSION);
        text.add(Sentence.NAME, Sentence.ofReceipt(sequence, withContent, checkpoint, judged));
        text.add(SEQUENCE, sequence);
        event.accept(text);
        path.hashes().forEach(hash -> text.add(PATH, hash.toHex()));
        text.addBytes(CHECKPOINT, Arrays.copyOf(signed, signed.length - CHECKSUM_BYTES));
        return text;
    }
}
