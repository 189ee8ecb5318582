package dev.stormproof.side;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Verdict;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** Drawn logs with checkpoints beside them: no fault in an interval is verified, and no faultless log is violated. */
class DrawnLogsTest {
    private static final int DRAWN = Integer.getInteger("drawn", 200);

    /** Two emitters' events and checkpoints, each in its order, as their topics may hold them. */
    private static final class Drawn {
        private final List<String> events = new ArrayList<>();
        private final List<String> side = new ArrayList<>();

        Drawn(Random random) {
            List<List<String>> statements = List.of(new ArrayList<>(), new ArrayList<>());
            int[] next = {0, 0};
            int[] sealed = {0, 0};
            int[] number = {0, 0};
            boolean[] begun = {false, false};
            for (int step = 0; step < 40; step++) {
                int who = random.nextInt(2);
                String name = who == 0 ? "a" : "b";
                if (!begun[who] || random.nextInt(4) == 0) {
                    statements.get(who).add(name + "#" + number[who]++ + ":" + sealed[who] + "-" + next[who]);
                    sealed[who] = next[who];
                    begun[who] = true;
                } else {
                    events.add(name + next[who]++);
                }
            }
            for (int who = 0; who < 2; who++) {
                if (begun[who]) {
                    statements
                            .get(who)
                            .add((who == 0 ? "a" : "b") + "#" + number[who] + ":" + sealed[who] + "-" + next[who]
                                    + (random.nextInt(4) > 0 ? "$" : ""));
                }
            }
            while (statements.stream().anyMatch(left -> !left.isEmpty())) {
                List<String> left = statements.get(random.nextInt(2));
                if (!left.isEmpty()) {
                    side.add(left.remove(0));
                }
            }
        }

        TwoLogs logs() {
            return TwoLogs.of(String.join(" ", events), String.join(" ", side));
        }

        @Override
        public String toString() {
            return String.join(" ", events) + " | " + String.join(" ", side);
        }
    }

    private static void each(IntConsumer test) {
        int first = Integer.getInteger("seed", 1);
        for (int seed = first; seed < first + DRAWN; seed++) {
            test.accept(seed);
        }
    }

    @Test
    void aFaultlessLogIsVerifiedAsAWhole() {
        each(seed -> {
            Drawn drawn = new Drawn(new Random(seed));
            assertThat(drawn.logs().findings())
                    .as("seed %d: %s", seed, drawn)
                    .hasSize(drawn.side.size())
                    .allMatch(Verified.class::isInstance);
        });
    }

    @Test
    void aFaultlessLogIsNotViolatedByRetentionOfEitherTopic() {
        each(seed -> {
            Random random = new Random(seed);
            Drawn drawn = new Drawn(random);
            TwoLogs logs = drawn.logs();
            int events = random.nextInt(3) == 0 ? 0 : random.nextInt(drawn.events.size() + 1);
            int side = random.nextInt(3) == 0 ? 0 : random.nextInt(drawn.side.size() + 1);
            logs.events.expireBefore(events);
            logs.side.expireBefore(side);
            assertThat(logs.audit())
                    .as("seed %d, without the first %d and %d: %s", seed, events, side, drawn)
                    .noneMatch(text -> text.startsWith("violated") || text.contains("CHECKPOINT"));
        });
    }

    @Test
    void aFaultlessLogIsNotViolatedByCompaction() {
        each(seed -> {
            Random random = new Random(seed);
            Drawn drawn = new Drawn(random);
            int cleaned = random.nextInt(drawn.events.size());
            for (int i = 0; i < cleaned; i++) {
                if (random.nextInt(3) == 0) {
                    drawn.events.set(i, "_");
                }
            }
            TwoLogs logs = drawn.logs();
            logs.compacted = true;
            assertThat(logs.audit())
                    .as("seed %d: %s", seed, drawn)
                    .noneMatch(text -> text.startsWith("violated") || text.contains("CHECKPOINT"));
        });
    }

    @Test
    void noFaultIsVerified() {
        each(seed -> {
            Random random = new Random(seed);
            Drawn drawn = new Drawn(random);
            int place = random.nextInt(drawn.events.size());
            String event = drawn.events.get(place);
            String fault;
            switch (random.nextInt(5)) {
                case 0 -> {
                    fault = "lost ";
                    drawn.events.remove(place);
                }
                case 1 -> {
                    fault = "copied ";
                    drawn.events.add(random.nextInt(drawn.events.size() + 1), event);
                }
                case 2 -> {
                    fault = "altered ";
                    drawn.events.set(place, event + "!");
                }
                case 3 -> {
                    fault = "replaced ";
                    drawn.events.set(place, event + "x");
                }
                default -> {
                    fault = "moved ";
                    drawn.events.remove(place);
                    List<String> before = List.copyOf(drawn.events);
                    drawn.events.add(random.nextInt(drawn.events.size() + 1), event);
                    if (inOrder(drawn.events, event.charAt(0))) {
                        drawn.events.clear();
                        drawn.events.addAll(before);
                        fault = "lost ";
                    }
                }
            }
            TwoLogs logs = drawn.logs();
            boolean expires = random.nextInt(3) == 0;
            if (expires) {
                logs.events.expireBefore(random.nextInt(drawn.events.size() + 1));
                logs.side.expireBefore(random.nextInt(drawn.side.size()));
            }
            String what = "seed " + seed + ": " + fault + event + (expires ? ", and some expired" : "") + ": " + drawn;
            List<Finding> found = logs.findings();
            if (!expires) {
                assertThat(found).as(what).anyMatch(finding -> !(finding instanceof Verified));
            }
            if (!fault.equals("copied ") && !fault.equals("moved ")) {
                long sequence = Long.parseLong(event.substring(1));
                assertThat(found)
                        .as(what)
                        .noneMatch(finding -> finding instanceof Verified verified
                                && verified.interval().firstSequence() <= sequence
                                && sequence
                                        < verified.interval().firstSequence()
                                                + verified.interval().eventCount()
                                && TwoLogs.text(verified).charAt("verified ".length()) == event.charAt(0));
            }
        });
    }

    private static boolean inOrder(List<String> events, char name) {
        long last = -1;
        for (String event : events) {
            if (event.charAt(0) == name) {
                long sequence = Long.parseLong(event.substring(1));
                if (sequence < last) {
                    return false;
                }
                last = sequence;
            }
        }
        return true;
    }

    @Test
    void aLostCheckpointIsNotVerifiedOver() {
        each(seed -> {
            Random random = new Random(seed);
            Drawn drawn = new Drawn(random);
            String lost = drawn.side.remove(random.nextInt(drawn.side.size()));
            assertThat(drawn.logs().findings())
                    .as("seed %d, without %s: %s", seed, lost, drawn)
                    .noneMatch(finding -> finding instanceof Verdict verdict
                            && verdict instanceof Verified
                            && TwoLogs.text(verdict)
                                    .startsWith("verified " + lost.split(":", 2)[0].replace("#", "") + "@"));
            boolean last = drawn.side.stream()
                    .noneMatch(other -> other.charAt(0) == lost.charAt(0)
                            && Integer.parseInt(other.substring(2, other.indexOf(':')))
                                    > Integer.parseInt(lost.substring(2, lost.indexOf(':'))));
            if (!last) {
                assertThat(drawn.logs().findings())
                        .as("seed %d, without %s: %s", seed, lost, drawn)
                        .anyMatch(Violated.class::isInstance);
            }
        });
    }
}
