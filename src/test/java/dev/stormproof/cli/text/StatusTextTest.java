package dev.stormproof.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.task.metrics.WorkerStatus;
import org.junit.jupiter.api.Test;

/** What a status line says. */
class StatusTextTest {
    @Test
    void itSaysUpToWhenWhatIsBehindIsVerified() {
        assertThat(StatusText.of(new WorkerStatus(1, 3, 1, 1_800_000_000.7, 100, 12_345, 40, 1, 0, false)))
                .isEqualTo("judged up to 2027-01-15T08:00:00Z (2 of 3 partitions behind, by 100 offsets), 12,345 events"
                        + " read, 40 open, 1 alert");
        assertThat(StatusText.of(new WorkerStatus(1, 3, 1, -1, 100, 0, 0, 0, 0, false)))
                .startsWith("judged up to no known time (2 of 3");
    }

    @Test
    void whereNothingIsBehindItNamesNoTime() {
        assertThat(StatusText.of(new WorkerStatus(1, 2, 2, -1, 0, 1, 0, 0, 0, false)))
                .isEqualTo("judged up to the ends of 2 partitions, 1 event read, 0 open, 0 alerts");
        assertThat(StatusText.of(new WorkerStatus(1, 1, 1, -1, 0, 0, 0, 0, 0, false)))
                .startsWith("judged up to the end of 1 partition,");
    }

    @Test
    void whatIsNotVerifiedNowIsNotCalledSo() {
        assertThat(StatusText.of(new WorkerStatus(1, 2, 2, -1, 0, 1, 0, 0, 4, false)))
                .isEqualTo("Kafka has not answered for 4 s");
        assertThat(StatusText.of(new WorkerStatus(0, 0, 0, -1, 0, 0, 0, 0, 0, false)))
                .isEqualTo("no task verifies here: it begins, or others have the tasks");
        assertThat(StatusText.of(new WorkerStatus(0, 0, 0, -1, 0, 0, 0, 0, 0, true)))
                .isEqualTo("stands by: others have the tasks, with other settings than this one's");
        assertThat(StatusText.of(new WorkerStatus(1, 0, 0, -1, 0, 0, 0, 0, 0, false)))
                .isEqualTo("no partition is read yet");
    }
}
