package dev.stormproof.log.kafka;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Waits for the answers of Kafka's clients. */
public final class KafkaAnswers {
    private KafkaAnswers() {}

    /** Waits for an answer; throws what Kafka said instead, or {@link InterruptException}. */
    public static <T> T get(Future<T> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    public static KafkaException failure(@Nullable Throwable cause) {
        return cause instanceof KafkaException failure ? failure : new KafkaException(cause);
    }
}
