package dev.stormproof.task.live.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class ProducerFailureTest {
    @Test
    void aFenceIsFoundInWhatCausedAFailureAndInWhatCameOfIt() {
        KafkaException aborted = new TimeoutException("late");
        aborted.addSuppressed(new KafkaException("in error state", new InvalidProducerEpochException("old")));

        assertThat(ProducerFailure.isFenced(new KafkaException(new ProducerFencedException("other"))))
                .isTrue();
        assertThat(ProducerFailure.isFenced(aborted)).isTrue();
        assertThat(ProducerFailure.isFenced(new KafkaException(new TimeoutException("late"))))
                .isFalse();
    }
}
