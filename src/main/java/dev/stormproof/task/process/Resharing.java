package dev.stormproof.task.process;

/**
 * The wish of a replica that its group shares the tasks again, since one of its own has ended. It is fulfilled by a sharing that knows
 * of that:
 *
 * <pre>
 *   claim ──────────────────► shared        Kafka's consumer forgets what it is asked for between the two,
 *            wish, ask                      so it is asked once more behind them
 *                              ask, claim ──────► shared
 * </pre>
 *
 * <p>Else the others go on to take the task for one that runs, and nobody has it. Of one thread.
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

    /** The group is told which tasks run here. */
    void claimed() {
        claimed = wishes;
    }

    /** The group has shared the tasks by what was told. */
    void shared() {
        fulfilled = claimed;
        asked = false;
    }

    /** True if the group is to be asked now; from then on it is asked. */
    boolean isToBeAskedFor() {
        boolean ask = fulfilled < wishes && !asked;
        asked |= ask;
        return ask;
    }
}
