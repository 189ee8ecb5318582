package dev.stormproof.output;

import dev.stormproof.feed.RecordContent;
import dev.stormproof.transform.TransformRunner.TransformFailure;

/** The logs that the output of one partition is appended to, in the transaction that also holds how far that went. */
public interface OutputLog {
    /**
     * The greatest size of a record of the output topic, in bytes: key, value and headers.
     *
     * @see RecordContent#sizeBytes()
     */
    int maxRecordBytes();

    /** Appends to the partition of the output topic. */
    void append(RecordContent record);

    /** Appends to the topic of diverted events. */
    void divert(RecordContent input);

    /** Tells those who run this, and no topic, why the transform failed on an event: its exception may quote the event. */
    void tell(long offset, TransformFailure failure);
}
