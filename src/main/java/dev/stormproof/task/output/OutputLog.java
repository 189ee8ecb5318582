package dev.stormproof.task.output;

import dev.stormproof.task.transform.TransformRunner.TransformFailure;
import dev.stormproof.verify.feed.RecordContent;
import org.jspecify.annotations.Nullable;

/** The log to which the output of one partition is appended, in the same transaction as the progress. */
public interface OutputLog {
    /** Why it takes no record now; null if it takes some, as far as is known. */
    @Nullable
    String unavailable();

    /** Why it would refuse this record; null if it would take it, as far as is known. */
    @Nullable
    String refusal(RecordContent record);

    /** True if what was appended should be written before more is. */
    boolean isFull();

    /** True if the transaction has lasted so long that even records that were read together should be written separately. */
    boolean isDue();

    /**
     * Appends a record without waiting. It does not throw because of the record: a refusal comes later, see {@link PartitionOutput#refused}.
     *
     * @param inputOffset the offset of the record that it was made of
     */
    void append(long inputOffset, RecordContent record);

    /** Logs why the transform failed on an event. No topic gets that, because the exception may quote the event. */
    void logFailure(long offset, TransformFailure failure);
}
