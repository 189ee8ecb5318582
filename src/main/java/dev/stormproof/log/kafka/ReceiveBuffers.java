package dev.stormproof.log.kafka;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.common.memory.MemoryPool;

/**
 * The buffers of a client's large answers, which are filled again once they have been read. A new one would be cleared before it is
 * filled, and would come from memory that no cache holds.
 *
 * <p>Belongs to one thread.
 */
final class ReceiveBuffers implements MemoryPool {
    /** One that is being read, and one that is being filled. */
    private static final int MOST_KEPT = 2;

    private static final int SMALLEST = 64 << 10;
    private static final int LARGEST = 4 << 20;
    private static final int STEP = 128 << 10;

    private final Deque<byte[]> kept = new ArrayDeque<>(MOST_KEPT);

    @Override
    public ByteBuffer tryAllocate(int sizeBytes) {
        return ByteBuffer.wrap(arrayFor(sizeBytes), 0, sizeBytes);
    }

    private byte[] arrayFor(int sizeBytes) {
        if (sizeBytes < SMALLEST || sizeBytes > LARGEST) {
            return new byte[sizeBytes];
        }
        byte[] used = kept.poll();
        return used != null && used.length >= sizeBytes ? used : new byte[(sizeBytes + STEP - 1) / STEP * STEP];
    }

    /** Takes an answer's array back, no part of which may be used any more. It may be any array. */
    void giveBack(byte[] array) {
        if (array.length >= SMALLEST && array.length <= LARGEST && kept.size() < MOST_KEPT) {
            kept.add(array);
        }
    }

    @Override
    public void release(ByteBuffer buffer) {
        // The network client drops an answer's buffer while the answer is still being read.
    }

    @Override
    public long size() {
        return Long.MAX_VALUE;
    }

    @Override
    public long availableMemory() {
        return Long.MAX_VALUE;
    }

    @Override
    public boolean isOutOfMemory() {
        return false;
    }
}
