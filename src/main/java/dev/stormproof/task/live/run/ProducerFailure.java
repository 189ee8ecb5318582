package dev.stormproof.task.live.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;

/** A failure of a transactional producer, in an exception, its causes, or its suppressed ones. */
public final class ProducerFailure {
    private ProducerFailure() {}

    /** True if another producer has the transactional id. */
    public static boolean isFenced(Throwable failure) {
        Deque<Throwable> open = new ArrayDeque<>(List.of(failure));
        Set<Throwable> seen = new HashSet<>();
        while (!open.isEmpty()) {
            Throwable one = open.pop();
            if (one instanceof ProducerFencedException || one instanceof InvalidProducerEpochException) {
                return true;
            }
            if (seen.add(one)) {
                open.addAll(List.of(one.getSuppressed()));
                if (one.getCause() != null) {
                    open.add(one.getCause());
                }
            }
        }
        return false;
    }
}
