package dev.stormproof.task.process;

import java.util.concurrent.CountDownLatch;

/** What a task does with its partitions, from the committed progress on. */
interface TaskWork {
    /**
     * Does it until it is told to stop, or Kafka fails it, which throws.
     *
     * @param stopping is 0 once it is to stop
     * @param begun is run when all is open
     */
    void run(CountDownLatch stopping, Runnable begun);

    /** How many partitions are verified; any thread may ask. */
    long covered();

    /** For how long nothing could be written at last; 0 if something can. Any thread may ask. */
    long unwrittenMillis();
}
