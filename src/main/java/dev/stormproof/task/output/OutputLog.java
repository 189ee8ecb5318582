package dev.stormproof.task.output;

import dev.stormproof.task.transform.TransformRunner.TransformFailure;
import dev.stormproof.verify.feed.RecordContent;
import org.jspecify.annotations.Nullable;

/** A log that the output of one partition is appended to, in the transaction that also holds how far that went. */
public interface OutputLog {
    /** Why it takes no record now; null if it takes some, as far as is known. */
    @Nullable
    String unavailable();

    /** Why it would refuse a record for what the record is; null if it would not, as far as is known. */
    @Nullable
    String refusal(RecordContent record);

    /** True if what was appended should be written before more is. */
    boolean isFull();

    /** The same because of the time that it took: also what was read together is written apart. */
    boolean isDue();

    /**
     * Appends a record; it waits for nothing, and throws nothing that the record is to blame for. A refusal comes later, see {@link
     * PartitionOutput#refused}.
     *
     * @param inputOffset the offset of the record that it was made of
     */
    void append(long inputOffset, RecordContent record);

    /** Tells those who run this, and no topic, why the transform failed on an event: its exception may quote the event. */
    void tell(long offset, TransformFailure failure);
}
