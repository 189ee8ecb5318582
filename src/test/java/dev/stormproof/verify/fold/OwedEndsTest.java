package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An emitter that dies: whatever copies lie behind its last checkpoint, wherever the log was cut and a verifier began anew, its open end is
 * told, for as long as the log holds a checkpoint that promised another.
 */
class OwedEndsTest {
    private static final long LIMIT_MILLIS = DrawnLog.PROMISE_MILLIS + DrawnLog.TIMEOUTS.graceMillis();

    private final StringBuilder story = new StringBuilder();

    static LongStream seeds() {
        return LongStream.range(1, 401);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theEndOfAStreamThatOwesAnotherIsTold(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DrawnLog log = append(DrawnLog.of(""), "#0");
        int sealed = 0;
        int others = 0;
        int steps = random.nextInt(2, 9);
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(7)) {
                case 0, 1 -> {
                    append(log, "e" + 2 * sealed + " e" + (2 * sealed + 1) + " #" + (sealed + 1));
                    sealed++;
                }
                case 2 -> append(log, "#" + random.nextInt(sealed + 1));
                case 3 -> append(log, "b#" + others++);
                case 4 -> append(log, "be" + 2 * others);
                case 5 -> append(log, "e" + 2 * sealed);
                default -> restart(log);
            }
        }
        if (random.nextBoolean()) {
            long offset = random.nextLong(1, log.log().endOffset() + 1);
            story.append(" ✂").append(offset);
            if (random.nextBoolean()) {
                log.truncate(offset);
            } else {
                log.log().truncate(offset);
                restart(log);
            }
        } else if (random.nextBoolean()) {
            restart(log);
        }
        append(log, "b#" + others);
        log.findings();

        List<String> told = new ArrayList<>();
        for (int waits = 0; waits < 6; waits++) {
            told.addAll(log.tick(waits * (LIMIT_MILLIS + 1)).findings());
        }
        assertThat(told).as("seed %d:%s", seed, story).anyMatch(finding -> finding.matches("UNSEALED -?\\d.*"));
    }

    private DrawnLog append(DrawnLog log, String drawing) {
        story.append(' ').append(drawing);
        return log.append(drawing).verify();
    }

    private void restart(DrawnLog log) {
        story.append(" │");
        long progress = log.progress();
        // Of a log that was cut before it, Kafka delivers from the end.
        log.restart().deliverFrom(Math.min(progress, log.log().endOffset())).verify();
    }
}
