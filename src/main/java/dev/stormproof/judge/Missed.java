package dev.stormproof.judge;

import java.io.Serializable;

/**
 * Records that the log dropped before they were read: nothing can be said of them.
 *
 * @param topic their topic
 * @param partition their partition
 * @param beginOffset the first of their offsets
 * @param endOffset the offset after the last
 */
public record Missed(String topic, int partition, long beginOffset, long endOffset) implements Finding, Serializable {
    @Override
    public long anchorOffset() {
        return beginOffset;
    }
}
