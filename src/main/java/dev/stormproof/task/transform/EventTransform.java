package dev.stormproof.task.transform;

/**
 * The function that makes one value-added event of each event. Applications implement it and name the class in {@code transform}.
 *
 * <p>An implementation needs a public constructor without parameters. Each task makes its own instance on its worker
 * and calls it from one thread, with the events of each of its partitions in their order. The arrays that it is given are copies; those
 * that it returns must not be changed later. It should return the same result whenever it is given the same event: after a crash, or if
 * a tuple was lost, it is asked again.
 *
 * <p>It is never shown a checkpoint. An exception, an error, a null result, and a call that takes longer than
 * {@code transform.timeout.ms} are failures: the call is made again as often as {@code transform.retries} says, and then
 * {@code transform.on.error} decides. A call that takes too long is interrupted, and has to heed that: one that does not
 * ends the worker. The proof is not touched
 * by a failure, because it rests on the event that was read.
 */
@FunctionalInterface
public interface EventTransform {
    /** Makes the event to come from the event that was read. */
    Transformed apply(InputEvent event) throws Exception;
}
