package dev.stormproof.task.transform;

/**
 * Makes one value-added event of each event. Applications implement it and name the class in {@code transform}.
 *
 * <p>An implementation needs a public constructor without parameters. Each task makes its own instance on its worker and calls it from one
 * thread, with the events of each partition in their order. The arrays that it gets are copies; it must not change those that it returned. It
 * should return the same result for the same event: after a crash, or if a tuple was lost, it is called again.
 *
 * <p>It never gets a checkpoint. An exception, an error, a null result, and a call that takes longer than {@code transform.timeout.ms} are failures:
 * the call is repeated as often as {@code transform.retries} says, and then {@code transform.on.error} decides. A call that takes too long is
 * interrupted; if it ignores that, the worker ends. A failure does not affect the proof, which is about the event that was read.
 */
@FunctionalInterface
public interface EventTransform {
    Transformed apply(InputEvent event) throws Exception;
}
