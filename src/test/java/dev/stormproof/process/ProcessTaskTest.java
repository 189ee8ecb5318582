package dev.stormproof.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class ProcessTaskTest {
    @Test
    void pausesGrowUpToABound() {
        long pause = ProcessTask.FIRST_PAUSE_MILLIS;
        for (int failure = 0; failure < 100; failure++) {
            long next = ProcessTask.pauseAfter(pause);
            assertThat(next).isBetween(pause, ProcessTask.MAX_PAUSE_MILLIS);
            pause = next;
        }
        assertThat(pause).isEqualTo(ProcessTask.MAX_PAUSE_MILLIS);
    }

    @Test
    void pausesOfAFencedTaskGrowUpToABound() {
        long pause = 1;
        for (int fence = 0; fence < 100; fence++) {
            pause = Replica.pauseAfter(pause);
        }
        assertThat(pause).isEqualTo(Replica.MAX_FENCED_PAUSE_MILLIS);
    }

    @Test
    void aFenceIsFoundInWhatCausedAFailureAndInWhatCameOfIt() {
        KafkaException aborted = new TimeoutException("late");
        aborted.addSuppressed(new KafkaException("in error state", new InvalidProducerEpochException("old")));

        assertThat(ProcessTask.isFenced(new KafkaException(new ProducerFencedException("other"))))
                .isTrue();
        assertThat(ProcessTask.isFenced(aborted)).isTrue();
        assertThat(ProcessTask.isFenced(new KafkaException(new TimeoutException("late"))))
                .isFalse();
    }
}
