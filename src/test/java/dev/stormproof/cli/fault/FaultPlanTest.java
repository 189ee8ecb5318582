package dev.stormproof.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
    private static final int CASES = 500;

    /** A plan and what it was asked for. */
    private record Case(
            FaultPlan plan, Map<TopicPartition, Integer> events, Map<FaultKind, Integer> counts, int every) {
        static Case of(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            Map<TopicPartition, Integer> events = new HashMap<>();
            int partitions = random.nextInt(1, 5);
            for (int p = 0; p < partitions; p++) {
                events.put(new TopicPartition("t", p), random.nextInt(300, 1_000));
            }
            Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
            for (FaultKind kind : FaultKind.values()) {
                counts.put(kind, random.nextInt(6));
            }
            int every = random.nextInt(2, 200);
            return new Case(FaultPlan.of(events, counts, every, seed), events, counts, every);
        }
    }

    @Test
    void aPlanHasTheFaultsAskedFor() {
        for (long seed = 0; seed < CASES; seed++) {
            Case one = Case.of(seed);
            Map<FaultKind, Integer> found = new EnumMap<>(FaultKind.class);
            for (FaultKind kind : FaultKind.values()) {
                found.put(kind, 0);
            }
            for (TopicPartition partition : one.events.keySet()) {
                one.plan.sitesOf(partition).values().forEach(site -> found.merge(site.kind(), 1, Integer::sum));
            }
            assertThat(found).as("seed " + seed).isEqualTo(one.counts);
        }
    }

    @Test
    void betweenTwoSitesLieFourUntouchedEvents() {
        for (long seed = 0; seed < CASES; seed++) {
            Case one = Case.of(seed);
            for (TopicPartition partition : one.events.keySet()) {
                assertApart(one.plan.sitesOf(partition), "seed " + seed);
            }
        }
    }

    @Test
    void whatIsHeldBackArrivesBeforeTheLastEvent() {
        for (long seed = 0; seed < CASES; seed++) {
            Case one = Case.of(seed);
            one.events.forEach((partition, count) -> {
                for (FaultSite site : one.plan.sitesOf(partition).values()) {
                    assertThat(site.end()).isLessThanOrEqualTo(site.distance() == 0 ? count : count - 1);
                    assertThat(site.ordinal()).isNotNegative();
                }
            });
        }
    }

    @Test
    void aMovePassesTwoEventsToAnIntervalsWorth() {
        for (long seed = 0; seed < CASES; seed++) {
            Case one = Case.of(seed);
            for (TopicPartition partition : one.events.keySet()) {
                for (FaultSite site : one.plan.sitesOf(partition).values()) {
                    switch (site.kind()) {
                        case MOVE -> assertThat(site.distance()).isBetween(2, one.every);
                        case SWAP -> assertThat(site.distance()).isOne();
                        default -> assertThat(site.distance()).isZero();
                    }
                }
            }
        }
    }

    @Test
    void theSameSeedGivesTheSamePlan() {
        Map<TopicPartition, Integer> events = Map.of(new TopicPartition("t", 0), 500, new TopicPartition("u", 3), 400);
        Map<FaultKind, Integer> counts = Map.of(FaultKind.LOSE, 3, FaultKind.MOVE, 2, FaultKind.SWAP, 2);

        FaultPlan plan = FaultPlan.of(events, counts, 50, 7);

        FaultPlan again = FaultPlan.of(new HashMap<>(events), counts, 50, 7);
        FaultPlan other = FaultPlan.of(events, counts, 50, 8);
        for (TopicPartition partition : events.keySet()) {
            assertThat(again.sitesOf(partition)).isEqualTo(plan.sitesOf(partition));
            assertThat(other.sitesOf(partition)).isNotEqualTo(plan.sitesOf(partition));
        }
    }

    @Test
    void edgesOfIntervalsAreDrawnOften() {
        TopicPartition partition = new TopicPartition("t", 0);
        int every = 100;
        int atEdge = 0;
        int across = 0;
        for (long seed = 0; seed < 1_000; seed++) {
            FaultSite swap = FaultPlan.of(Map.of(partition, 1_000), Map.of(FaultKind.SWAP, 1), every, seed)
                    .sitesOf(partition)
                    .firstEntry()
                    .getValue();
            atEdge += swap.ordinal() % every == 0 || swap.end() % every == 0 ? 1 : 0;
            across += swap.ordinal() % every == every - 1 ? 1 : 0;
        }
        assertThat(atEdge).isBetween(150, 450);
        assertThat(across).isBetween(50, 250);
    }

    @Test
    void faultsThatJustFitArePacked() {
        TopicPartition partition = new TopicPartition("t", 0);
        Map<FaultKind, Integer> counts = Map.of(FaultKind.LOSE, 2, FaultKind.SWAP, 2, FaultKind.MOVE, 1);
        // 2 × 1 + 2 × 2 + 3 events, 4 gaps of 4, and the last event.
        for (long seed = 0; seed < 100; seed++) {
            FaultPlan plan = FaultPlan.of(Map.of(partition, 26), counts, 10, seed);
            assertThat(plan.sitesOf(partition)).hasSize(5);
            assertApart(plan.sitesOf(partition), "seed " + seed);
        }
        assertThatThrownBy(() -> FaultPlan.of(Map.of(partition, 24), counts, 10, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("5 faults do not fit into 24 events in 1 partitions with 4 untouched events between them:"
                        + " inject fewer faults or send more events");
    }

    @Test
    void withoutEventsNothingFits() {
        assertThat(FaultPlan.of(Map.of(), Map.of(), 10, 1).sitesOf(new TopicPartition("t", 0)))
                .isEmpty();
        assertThatThrownBy(() -> FaultPlan.of(Map.of(), Map.of(FaultKind.LOSE, 1), 10, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 faults do not fit into 0 events");
        assertThatThrownBy(() -> FaultPlan.of(Map.of(new TopicPartition("t", 0), 0), Map.of(FaultKind.LOSE, 1), 10, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMoveNeedsAnIntervalOfTwo() {
        TopicPartition partition = new TopicPartition("t", 0);
        Map<TopicPartition, Integer> events = Map.of(partition, 100);
        assertThat(FaultPlan.of(events, Map.of(FaultKind.SWAP, 1), 1, 1).sitesOf(partition))
                .hasSize(1);
        assertThatThrownBy(() -> FaultPlan.of(events, Map.of(FaultKind.MOVE, 1), 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("let an interval have at least 2 events, or inject no moves");
    }

    @Test
    void aNegativeCountIsRefused() {
        assertThatThrownBy(
                        () -> FaultPlan.of(Map.of(new TopicPartition("t", 0), 100), Map.of(FaultKind.ALTER, -1), 10, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("alter=-1");
    }

    @Test
    void kindsHaveLabels() {
        for (FaultKind kind : FaultKind.values()) {
            assertThat(FaultKind.ofLabel(kind.label())).contains(kind);
        }
        assertThat(FaultKind.ofLabel("LOSE")).isEmpty();
    }

    private static void assertApart(Map<Long, FaultSite> byEvent, String seed) {
        List<FaultSite> sites = List.copyOf(byEvent.values());
        for (int i = 1; i < sites.size(); i++) {
            assertThat(sites.get(i).ordinal() - sites.get(i - 1).end())
                    .as(seed)
                    .isGreaterThanOrEqualTo(FaultSite.GAP_EVENTS);
        }
    }
}
