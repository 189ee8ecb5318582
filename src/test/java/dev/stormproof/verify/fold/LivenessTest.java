package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every transition of the wait for a checkpoint. */
class LivenessTest {
    private static final long LIMIT_MILLIS = 100;

    private final Liveness liveness = new Liveness();

    /** Steps: {@code t7} a tick at 7, {@code e} an event while something is waited for, {@code n} one while nothing is. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            begun, which nobody timed                      | ''               | begun
            begun, an event                                | e                | begun
            begun, a tick                                  | t7               | since 7
            timed, a tick                                  | t7 t50           | since 7
            timed, an event while something is waited for  | t7 e t50         | since 7, events came
            timed, an event while nothing is               | t7 n             | begun
            the same, and a tick                           | t7 e n t50       | since 50
            timed, a checkpoint                            | t7 e checkpoint  | begun
            timed, a checkpoint that may seal nothing      | t7 stray         | since 7
            timed, given up                                | t7 giveUp        | given up
            begun, given up                                | giveUp           | given up
            given up, an event                             | giveUp e n       | given up
            given up, a tick                               | giveUp t7        | given up
            given up, a checkpoint                         | giveUp stray t9  | since 9
            given up, a checkpoint that is accepted        | t1 e giveUp checkpoint t9 | since 9
            """)
    void transition(String transition, String steps, String state) {
        for (String step : steps.split(" ", -1)) {
            switch (step) {
                case "" -> {}
                case "e" -> liveness.event(true);
                case "n" -> liveness.event(false);
                case "checkpoint" -> liveness.checkpoint(true);
                case "stray" -> liveness.checkpoint(false);
                case "giveUp" -> liveness.giveUp();
                default -> liveness.tick(Long.parseLong(step.substring(1)));
            }
        }
        assertThat(state()).isEqualTo(state);
    }

    private String state() {
        if (liveness.isGivenUp()) {
            assertThat(liveness.isOverdue(true, Long.MAX_VALUE, LIMIT_MILLIS)).isFalse();
            return "given up";
        }
        assertThat(liveness.isOverdue(false, Long.MAX_VALUE, LIMIT_MILLIS))
                .as("nothing is waited for")
                .isFalse();
        for (long since = 0; since < 100; since++) {
            if (liveness.isOverdue(true, since + LIMIT_MILLIS + 1, LIMIT_MILLIS)) {
                return "since " + since + (liveness.eventsCame() ? ", events came" : "");
            }
        }
        return "begun" + (liveness.eventsCame() ? ", events came" : "");
    }
}
