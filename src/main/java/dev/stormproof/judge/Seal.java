package dev.stormproof.judge;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.Protection;
import dev.stormproof.merkle.Hash;
import java.io.Serializable;

/**
 * A seal is what a verdict on an interval rests on, as its checkpoint states it.
 *
 * @param strength what it protects against
 * @param root the root over the interval's events
 * @param checkpointHash the checkpoint's chain hash, by which its successor names it; empty in format 1
 * @param keyId the key whose signature on the checkpoint was verified; empty if none was
 * @param recovery who states it, if its emitter was taken for gone
 */
public record Seal(Protection strength, Hash root, Hash checkpointHash, String keyId, Recovery recovery)
        implements Serializable {
    /** Who states an interval whose emitter was taken for gone. */
    public enum Recovery {
        /** Its emitter, of which nothing else is known. */
        NONE,
        /** Another emitter of its name, by what the log held: whether more was sent, nobody knows. */
        RECOVERED,
        /** Its emitter, which went on behind a recovered end: two of one name lived. */
        OUTLIVED
    }

    /** Nothing seals an interval whose checkpoint was not seen. */
    public static final Seal NONE = new Seal(Protection.ACCIDENTS, Hash.empty(), Hash.empty(), "");

    /** A seal of a stream that was never recovered. */
    public Seal(Protection strength, Hash root, Hash checkpointHash, String keyId) {
        this(strength, root, checkpointHash, keyId, Recovery.NONE);
    }

    static Seal of(CheckpointRecord record) {
        return new Seal(
                Protection.of(record.checkpoint()),
                record.checkpoint().root(),
                record.chainHash(),
                record.checkpoint().keyId().orElse(""),
                record.checkpoint() instanceof Format2Checkpoint sealed && sealed.recovered()
                        ? Recovery.RECOVERED
                        : Recovery.NONE);
    }

    /** The same of an emitter that went on behind its recovered end. */
    Seal outlived() {
        return new Seal(strength, root, checkpointHash, keyId, Recovery.OUTLIVED);
    }

    /** True if there is a checkpoint. */
    public boolean isThere() {
        return root.sizeBytes() > 0;
    }
}
