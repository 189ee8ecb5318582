package dev.stormproof.proof.checkpoint;

import java.io.Serializable;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a stream: the events of one emitter in one partition.
 *
 * <p>Format 1 knows no emitters; there the stream is the partition and {@link #emitter()} is {@link #NO_EMITTER}, which
 * no emitter of format 2 ever takes.
 *
 * @param emitter the random id of one incarnation of an upstream producer
 */
public record StreamId(String topic, int partition, long emitter) implements Serializable {
    /** The emitter of every stream of format 1. */
    public static final long NO_EMITTER = 0;

    public StreamId {
        if (topic.isEmpty() || partition < 0) {
            throw new IllegalArgumentException("topic '" + topic + "', partition " + partition);
        }
    }

    /** The emitter id as 16 hexadecimal digits. */
    public String emitterHex() {
        return HexFormat.of().toHexDigits(emitter);
    }

    /** Compares the emitter first: a search compares the stream of every record, and most are of another emitter. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StreamId stream
                && emitter == stream.emitter
                && partition == stream.partition
                && topic.equals(stream.topic);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(emitter) + partition) + topic.hashCode();
    }

    @Override
    public String toString() {
        return topic + "-" + partition + "/" + emitterHex();
    }
}
