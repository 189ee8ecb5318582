package dev.stormproof.task.process;

/**
 * The wish of a replica, one of whose tasks has ended, that the group shares the tasks again. Only a sharing that knows of the end fulfils it:
 *
 * <pre>
 *   claim ──────────────────► shared        Kafka's consumer forgets what it is asked for between the two,
 *            wish, ask                      so it is asked once more after them
 *                              ask, claim ──────► shared
 * </pre>
 *
 * <p>Otherwise the others would take the task for a running one, and no replica would run it. For one thread.
 */
final class Resharing {
    private int wishes;
    private int claimed;
    private int fulfilled;
    private boolean asked;

    /** A task has ended here that others may take. */
    void wish() {
        wishes++;
        asked = false;
    }

    /** The group knows which tasks the replica runs. */
    void claimed() {
        claimed = wishes;
    }

    /** The group has shared the tasks by the last claims. */
    void shared() {
        fulfilled = claimed;
        asked = false;
    }

    /** True, once for each wish, if the group is to be asked now. */
    boolean isToBeAskedFor() {
        boolean ask = fulfilled < wishes && !asked;
        asked |= ask;
        return ask;
    }
}
