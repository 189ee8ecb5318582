package dev.stormproof.task.process;

import java.util.concurrent.CountDownLatch;

/** The work of a task on its partitions, from the committed progress. */
interface TaskWork {
    /**
     * Works until {@code stopping} is 0; throws if Kafka fails.
     *
     * @param begun is run when everything is open
     */
    void run(CountDownLatch stopping, Runnable begun);

    /** The number of verified partitions; any thread may ask. */
    long covered();

    /** For how long nothing could be written; 0 if the last attempt succeeded. Any thread may ask. */
    long unwrittenMillis();
}
