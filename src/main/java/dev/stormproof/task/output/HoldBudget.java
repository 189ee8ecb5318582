package dev.stormproof.task.output;

/** The memory that the outputs of one task may hold back in, of all partitions together. For one thread. */
public final class HoldBudget {
    private final long mostBytes;
    private long usedBytes;

    public HoldBudget(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    boolean isUsedUp() {
        return usedBytes >= mostBytes;
    }

    void use(long bytes) {
        usedBytes += bytes;
    }
}
