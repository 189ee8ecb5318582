package dev.stormproof.verify;

import dev.stormproof.checkpoint.StrayRecord;
import java.io.Serializable;

/**
 * A record that belongs to no stream.
 *
 * @param topic its topic
 * @param partition its partition
 * @param offset its offset
 * @param kind why it belongs nowhere
 * @param detail the same, for a person
 */
public record Stray(String topic, int partition, long offset, StrayRecord.Kind kind, String detail)
        implements Finding, Serializable {
    @Override
    public long anchorOffset() {
        return offset;
    }
}
