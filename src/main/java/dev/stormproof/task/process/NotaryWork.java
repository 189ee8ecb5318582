package dev.stormproof.task.process;

import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.notary.NotaryTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;

/** The notary of a task's partitions. */
final class NotaryWork implements TaskWork {
    private final StormproofConfig config;
    private final int index;
    private final CheckpointKey key;

    NotaryWork(StormproofConfig config, int index, CheckpointKey key) {
        this.config = config;
        this.index = index;
        this.key = key;
    }

    @Override
    public void run(CountDownLatch stopping, Runnable begun) {
        try (NotaryTask notary = new NotaryTask(config, index, key)) {
            begun.run();
            boolean more = true;
            while ((more && stopping.getCount() > 0)
                    || !stopping.await(config.notary.intervalMillis(), TimeUnit.MILLISECONDS)) {
                more = notary.round();
            }
            boolean unused = notary.round(); // The next owner begins after all that was written.
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    @Override
    public long covered() {
        return 0;
    }

    /** 0: a failure to write ends {@link #run}. */
    @Override
    public long unwrittenMillis() {
        return 0;
    }
}
