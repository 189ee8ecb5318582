package dev.stormproof.task.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.task.process.TaskSharing.Claim;
import dev.stormproof.task.process.TaskSharing.Share;
import dev.stormproof.task.process.TaskSharing.Terms;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TaskSharingTest {
    @Test
    void theSecondReplicaOfOneTaskStandsBy() {
        assertThat(TaskSharing.share(Map.of("a", running(1), "b", running(1, 0))))
                .isEqualTo(Map.of("a", Set.of(), "b", Set.of(0)));
    }

    @Test
    void whatNobodyRunsGoesToWhoHasFewest() {
        assertThat(TaskSharing.share(Map.of("a", running(4), "b", running(4), "c", running(4, 2))))
                .isEqualTo(Map.of("a", Set.of(0, 3), "b", Set.of(1), "c", Set.of(2)));
    }

    @Test
    void whatOneHasTooMuchIsGivenToNobodyUntilItHasEnded() {
        Map<String, Set<Integer>> shares = TaskSharing.share(Map.of("a", running(4, 0, 1, 2, 3), "b", running(4)));

        assertThat(shares).isEqualTo(Map.of("a", Set.of(0, 1), "b", Set.of()));
        assertThat(TaskSharing.share(Map.of("a", running(4, 0, 1), "b", running(4))))
                .isEqualTo(Map.of("a", Set.of(0, 1), "b", Set.of(2, 3)));
    }

    @Test
    void ofTwoThatClaimATaskTheOneOfTheLaterGenerationHasIt() {
        Map<String, Claim> claims =
                Map.of("a", new Claim(terms(1), Map.of(0, 4)), "b", new Claim(terms(1), Map.of(0, 7)), "c", running(1));

        assertThat(TaskSharing.share(claims)).isEqualTo(Map.of("a", Set.of(), "b", Set.of(0), "c", Set.of()));
    }

    @Test
    void replicasOfAnotherNumberOfTasksWaitUntilThoseHaveEndedThatRun() {
        assertThat(TaskSharing.share(Map.of("a", running(2), "b", running(1, 0), "c", running(2))))
                .isEqualTo(Map.of("a", Set.of(), "b", Set.of(0), "c", Set.of()));
        assertThat(TaskSharing.share(Map.of("a", running(2), "c", running(2))))
                .isEqualTo(Map.of("a", Set.of(0), "c", Set.of(1)));
    }

    /** Of weaker settings, for one: what they verify would count as much. */
    @Test
    void replicasOfOtherSettingsWaitUntilThoseHaveEndedThatRun() {
        Claim old = new Claim(new Terms(2, 1), Map.of(0, 1));
        Claim other = new Claim(new Terms(2, 2), Map.of());

        assertThat(TaskSharing.share(Map.of("a", other, "b", old, "c", other)))
                .isEqualTo(Map.of("a", Set.of(), "b", Set.of(0, 1), "c", Set.of()));
        assertThat(TaskSharing.share(Map.of("a", other, "c", other))).isEqualTo(Map.of("a", Set.of(0), "c", Set.of(1)));
    }

    @Test
    void aReplicaThatIsNotUnderstoodGetsNothing() {
        Claim strange = Claim.decode(ByteBuffer.wrap(new byte[] {0, 9, 1}));
        Claim excessive = Claim.decode(new Claim(terms(65_537), Map.of()).encode());
        Claim cut = Claim.decode(ByteBuffer.wrap(new byte[] {0, 2, 0, 0, 0, 2, 0, 0, 0, 9}));

        assertThat(TaskSharing.share(Map.of("a", strange, "b", cut, "c", running(2), "d", excessive)))
                .isEqualTo(Map.of("a", Set.of(), "b", Set.of(), "c", Set.of(0, 1), "d", Set.of()));
        assertThat(TaskSharing.share(Map.of("a", strange))).isEqualTo(Map.of("a", Set.of()));
    }

    @Test
    void claimsAndTasksAreReadAsTheyWereWritten() {
        Claim claim = new Claim(new Terms(7, -3), Map.of(3, 11, 6, 2));

        assertThat(Claim.decode(claim.encode())).isEqualTo(claim);
        for (Share share : List.of(new Share(Set.of(1, 5), true), new Share(Set.of(), false))) {
            assertThat(Share.decode(share.encode())).isEqualTo(share);
        }
        assertThat(Share.decode(ByteBuffer.allocate(1))).isEqualTo(Share.NONE);
        assertThat(Share.decode(ByteBuffer.allocate(9))).isEqualTo(Share.NONE);
    }

    /** Replicas come and go; each ends what it is no longer given, and asks again. */
    @Test
    void afterSomeRoundsEachTaskIsRunByOneAndNoneHasTwoMoreThanAnother() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Map<String, Claim> replicas = new TreeMap<>();
        int generation = 0;
        for (int change = 0; change < 200; change++) {
            int tasks = 5;
            if (replicas.size() < 2 || random.nextBoolean()) {
                replicas.put("r" + change, running(tasks));
            } else {
                replicas.remove(replicas.keySet().stream()
                        .skip(random.nextInt(replicas.size()))
                        .findFirst()
                        .orElseThrow());
            }
            for (int round = 0; round < 3; round++) {
                generation++;
                Map<String, Set<Integer>> shares = TaskSharing.share(replicas);
                Set<Integer> given = new TreeSet<>();
                for (Map.Entry<String, Set<Integer>> share : shares.entrySet()) {
                    for (int task : share.getValue()) {
                        assertThat(given.add(task)).as("seed %s", seed).isTrue();
                        replicas.forEach((other, claim) -> assertThat(other.equals(share.getKey())
                                        || !claim.running().containsKey(task))
                                .as("seed %s: what another runs is not given away", seed)
                                .isTrue());
                    }
                    assertThat(replicas).containsKey(share.getKey());
                }
                int now = generation;
                shares.forEach((replica, mine) -> {
                    Map<Integer, Integer> runs = new HashMap<>();
                    mine.forEach(task -> runs.put(task, now));
                    replicas.put(replica, new Claim(terms(tasks), runs));
                });
            }
            assertThat(replicas.values().stream()
                            .mapToInt(claim -> claim.running().size())
                            .sum())
                    .as("seed %s", seed)
                    .isEqualTo(tasks);
            int least = replicas.values().stream()
                    .mapToInt(claim -> claim.running().size())
                    .min()
                    .orElseThrow();
            assertThat(replicas.values())
                    .as("seed %s", seed)
                    .allSatisfy(claim -> assertThat(
                                    Objects.requireNonNull(claim).running().size())
                            .isLessThanOrEqualTo(least + 1));
        }
    }

    private static Terms terms(int tasks) {
        return new Terms(tasks, 0);
    }

    private static Claim running(int tasks, int... running) {
        Map<Integer, Integer> runs = new HashMap<>();
        for (int task : running) {
            runs.put(task, 1);
        }
        return new Claim(terms(tasks), runs);
    }
}
