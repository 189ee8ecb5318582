package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.Test;

class PartitionLinesTest {
    private final List<String> printed = Collections.synchronizedList(new ArrayList<>());
    private final PartitionLines lines = new PartitionLines(new TreeSet<>(Set.of(0, 1, 2, 5)), printed::add);

    @Test
    void eachPartitionHasItsTurn() {
        lines.print(2, "2a");
        lines.print(0, "0a");
        lines.print(1, "1a");
        assertThat(printed).containsExactly("0a");
        lines.end(2);
        lines.print(0, "0b");
        lines.end(0);
        assertThat(printed).containsExactly("0a", "0b", "1a");
        lines.print(5, "5a");
        lines.print(1, "1b");
        lines.end(1);
        lines.print(5, "5b");
        lines.end(5);

        assertThat(printed).containsExactly("0a", "0b", "1a", "1b", "2a", "5a", "5b");
    }

    @Test
    void whatIsOfThePartitionWhoseTurnItIsIsPrintedAtOnce() {
        lines.print(0, "0a");
        assertThat(printed).containsExactly("0a");
        lines.print(0, "0b");
        assertThat(printed).containsExactly("0a", "0b");
    }

    @Test
    void whoIsFarAheadOfHisTurnWaitsForIt() throws Exception {
        String half = "x".repeat(PartitionLines.MOST_WAITING_CHARS / 2);
        CompletableFuture<Thread> ahead = new CompletableFuture<>();
        CompletableFuture<Void> third = CompletableFuture.runAsync(() -> {
            lines.print(1, half);
            lines.print(1, half);
            ahead.complete(Thread.currentThread());
            lines.print(1, "third");
        });
        Thread waiter = ahead.get(10, TimeUnit.SECONDS);
        while (waiter.getState() != Thread.State.WAITING) {
            assertThat(third.isDone()).as("waits").isFalse();
            Thread.onSpinWait();
        }
        assertThat(printed).isEmpty();

        lines.end(0);

        third.get(10, TimeUnit.SECONDS);
        assertThat(printed).containsExactly(half, half, "third");
    }

    @Test
    void whoWaitsCanBeInterrupted() {
        lines.print(1, "x".repeat(PartitionLines.MOST_WAITING_CHARS));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> lines.print(1, "more")).isInstanceOf(InterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
