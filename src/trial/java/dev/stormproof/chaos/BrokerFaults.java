package dev.stormproof.chaos;

import dev.stormproof.chaos.ClusterFaultInjector.Prepared;
import dev.stormproof.chaos.testing.TopicControl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** Faults of brokers happen to one of several, or to the leaders and replicas of the topics that flow. */
final class BrokerFaults {
    private static final int LEAST_PAUSE_MILLIS = 1_000;
    /** Less than broker.session.timeout.ms, after which a broker is no leader any more. */
    private static final int MOST_PAUSE_MILLIS = 7_000;
    /** Longer than that. */
    private static final int LEAST_AWAY_MILLIS = 12_000;

    private static final int MOST_AWAY_MILLIS = 18_000;
    /** Brokers write something at least so often: their high watermarks. */
    private static final int LEAST_READ_ONLY_MILLIS = 8_000;

    private static final int FREE_MEGABYTES = 64;
    private static final int LEAST_CLOCK_MILLIS = 8_000;
    private static final int MOST_CLOCK_MILLIS = 16_000;
    private static final int LEAST_CUT_MILLIS = 5_000;
    private static final int MOST_CUT_MILLIS = 15_000;
    private static final long CUT_PAUSE_MILLIS = 50;
    private static final int MOVES = 3;
    private static final int LEAST_ALONE_MILLIS = 2_000;
    private static final int MOST_ALONE_MILLIS = 5_000;
    private static final String MIN_IN_SYNC = "min.insync.replicas";
    private static final String UNCLEAN = "unclean.leader.election.enable";

    private final LivingCluster cluster;
    private final TopicControl control;
    private final String input;
    private final List<String> topics;

    /**
     * Faults of the brokers of a cluster.
     *
     * @param input the topic that events flow into
     * @param output the one that the topology writes, if it does
     */
    BrokerFaults(LivingCluster cluster, TopicControl control, String input, Optional<String> output) {
        this.cluster = cluster;
        this.control = control;
        this.input = input;
        this.topics = new ArrayList<>(List.of(input));
        output.ifPresent(topics::add);
    }

    Prepared pause(SplittableRandom random) throws IOException {
        String broker = cluster.anyOf("broker", random);
        int millis = random.nextInt(LEAST_PAUSE_MILLIS, MOST_PAUSE_MILLIS);
        return cluster.stopped(broker, cluster.pidOf(broker), millis);
    }

    Prepared roll() throws IOException {
        List<String> brokers = cluster.partsOf("broker");
        return new Prepared("each of " + brokers.size(), () -> {}, () -> {
            for (String broker : brokers) {
                cluster.process("stop", broker);
                cluster.process("start", broker);
                // As an operator does, who does not take the next one before this one has caught up.
                control.awaitInSync();
            }
        });
    }

    Prepared controllerKill(SplittableRandom random) throws IOException, InterruptedException {
        return cluster.killed("broker-" + control.activeController(), random);
    }

    /** Each time another replica is preferred, and elected. */
    Prepared leaderMove() {
        return new Prepared(MOVES + " times", () -> {}, () -> {
            for (int move = 0; move < MOVES; move++) {
                Map<TopicPartition, List<Integer>> moved = new HashMap<>();
                control.partitions(topics).forEach((partition, now) -> {
                    List<Integer> replicas = replicas(now);
                    Collections.rotate(replicas, 1);
                    moved.put(partition, replicas);
                });
                control.reassign(moved);
                control.elect(
                        ElectionType.PREFERRED,
                        moved.entrySet().stream()
                                .collect(Collectors.toMap(
                                        Map.Entry::getKey, one -> one.getValue().get(0))));
                // Events flow under each leader.
                TimeUnit.SECONDS.sleep(1);
            }
        });
    }

    /** The replica of the leader is given up, and later made anew: the leader moves, and all data is copied. */
    Prepared replicaMove() {
        return new Prepared("to two replicas and back", () -> {}, () -> {
            Map<TopicPartition, List<Integer>> fewer = new HashMap<>();
            Map<TopicPartition, List<Integer>> all = new HashMap<>();
            control.partitions(topics).forEach((partition, now) -> {
                List<Integer> replicas = replicas(now);
                Integer leader = now.leader().id();
                replicas.remove(leader);
                fewer.put(partition, List.copyOf(replicas));
                replicas.add(leader);
                all.put(partition, replicas);
            });
            control.reassign(fewer);
            control.await(topics, "given up by their leaders", partition -> fewer.containsValue(replicas(partition)));
            control.reassign(all);
            control.awaitInSync();
        });
    }

    /** As many replicas are wanted in sync as there are, and one is away: brokers take nothing. */
    Prepared isrShrink(SplittableRandom random) throws IOException {
        String broker = cluster.anyOf("broker", random);
        int millis = random.nextInt(LEAST_AWAY_MILLIS, MOST_AWAY_MILLIS);
        String all = Integer.toString(cluster.partsOf("broker").size());
        return new Prepared(
                broker + " away for " + millis + " ms",
                () -> {
                    for (String topic : topics) {
                        control.set(topic, Map.of(MIN_IN_SYNC, Optional.of(all)));
                    }
                    cluster.process("crash", broker);
                },
                () -> {
                    TimeUnit.MILLISECONDS.sleep(millis);
                    cluster.repair();
                    control.awaitInSync();
                    for (String topic : topics) {
                        control.set(topic, Map.of(MIN_IN_SYNC, Optional.of("2")));
                    }
                });
    }

    /**
     * The input has two replicas, the second of which is away while the first one acknowledges events alone; then the first
     * one is away, too, and the second one is elected, which never had them.
     *
     * <pre>
     *   leader     ──── events of both ────┬── acknowledged alone ──✗            ┬ follows, and cuts that off
     *   successor  ──── events of both ────✗              started, elected ──────┴──── events of both ────
     * </pre>
     */
    Prepared uncleanElection(SplittableRandom random) throws IOException, InterruptedException {
        Map<TopicPartition, TopicPartitionInfo> before = control.partitions(List.of(input));
        List<Integer> brokers = new ArrayList<>(
                new HashSet<>(replicas(before.values().iterator().next())));
        Collections.rotate(brokers, random.nextInt(brokers.size()));
        int leader = brokers.get(0);
        int successor = brokers.get(1);
        int aloneMillis = random.nextInt(LEAST_ALONE_MILLIS, MOST_ALONE_MILLIS);
        control.set(input, Map.of(MIN_IN_SYNC, Optional.of("1"), UNCLEAN, Optional.of("true")));
        control.reassign(each(before, List.of(leader, successor)));
        control.elect(ElectionType.PREFERRED, each(before, leader));
        return new Prepared(
                "broker-" + leader + " acknowledged alone for " + aloneMillis + " ms, broker-" + successor
                        + " was elected",
                () -> {
                    cluster.process("crash", "broker-" + successor);
                    control.await(
                            List.of(input),
                            "alone",
                            partition -> partition.isr().stream().allMatch(node -> node.id() == leader));
                    TimeUnit.MILLISECONDS.sleep(aloneMillis);
                    cluster.process("crash", "broker-" + leader);
                },
                () -> {
                    cluster.process("start", "broker-" + successor);
                    control.elect(ElectionType.UNCLEAN, each(before, successor));
                    cluster.repair();
                    control.reassign(each(before, brokers));
                    control.awaitInSync();
                    control.set(input, Map.of(MIN_IN_SYNC, Optional.of("2"), UNCLEAN, Optional.empty()));
                });
    }

    /** What a broker opens anew in its directory it can only read; it ends itself, as it does on a full disk. */
    Prepared readOnlyDisk(SplittableRandom random) throws IOException {
        String broker = cluster.anyOf("broker", random);
        int millis = random.nextInt(LEAST_READ_ONLY_MILLIS, MOST_AWAY_MILLIS);
        return new Prepared(
                broker + "'s directory read-only for " + millis + " ms", () -> cluster.readOnly(broker), () -> {
                    TimeUnit.MILLISECONDS.sleep(millis);
                    boolean ended = cluster.writable(broker);
                    if (!ended) {
                        throw new IOException(broker + " did not notice that its directory is read-only");
                    }
                    cluster.repair();
                    control.awaitInSync();
                });
    }

    /** A broker on a disk of its own ends itself when that is full; its data is moved there before, and back in the end. */
    Prepared fullDisk(SplittableRandom random) throws IOException, InterruptedException {
        String broker = cluster.anyOf("broker", random);
        int millis = random.nextInt(LEAST_READ_ONLY_MILLIS, MOST_AWAY_MILLIS);
        cluster.process("stop", broker);
        cluster.ownDisk(broker, FREE_MEGABYTES);
        cluster.process("start", broker);
        control.awaitInSync();
        return new Prepared(broker + "'s disk full for " + millis + " ms", () -> cluster.fill(broker), () -> {
            TimeUnit.MILLISECONDS.sleep(millis);
            boolean ended = cluster.makeRoom(broker);
            if (!ended) {
                throw new IOException(broker + " did not notice that its disk is full");
            }
            cluster.repair();
            control.awaitInSync();
            cluster.process("stop", broker);
            cluster.commonDisk(broker);
            cluster.process("start", broker);
            control.awaitInSync();
        });
    }

    /** Whatever it dates is off by an hour, while it leads and follows. */
    Prepared clockOff(SplittableRandom random) throws IOException {
        String broker = cluster.anyOf("broker", random);
        int millis = random.nextInt(LEAST_CLOCK_MILLIS, MOST_CLOCK_MILLIS);
        String offset = random.nextBoolean() ? "+3600s" : "-3600s";
        return new Prepared(
                broker + " " + offset + " for " + millis + " ms",
                () -> {
                    cluster.process("stop", broker);
                    cluster.startWithClock(broker, offset);
                },
                () -> {
                    control.awaitInSync();
                    TimeUnit.MILLISECONDS.sleep(millis);
                    cluster.process("stop", broker);
                    cluster.process("start", broker);
                    control.awaitInSync();
                });
    }

    /** Two of the brokers lose every connection to each other; clients and the third one reach both. */
    Prepared cutApart(SplittableRandom random) throws IOException {
        List<String> brokers = new ArrayList<>(cluster.partsOf("broker"));
        Collections.rotate(brokers, random.nextInt(brokers.size()));
        String one = brokers.get(0);
        String other = brokers.get(1);
        int millis = random.nextInt(LEAST_CUT_MILLIS, MOST_CUT_MILLIS);
        return new Prepared(
                one + " from " + other + " for " + millis + " ms",
                () -> {
                    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
                    long cut = 0;
                    while (System.nanoTime() < endNanos) {
                        cut += cluster.cutApart(one, other);
                        TimeUnit.MILLISECONDS.sleep(CUT_PAUSE_MILLIS);
                    }
                    if (cut == 0) {
                        throw new IOException("there was no connection to cut between " + one + " and " + other);
                    }
                },
                control::awaitInSync);
    }

    private static <T> Map<TopicPartition, T> each(Map<TopicPartition, ?> partitions, T value) {
        return partitions.keySet().stream().collect(Collectors.toMap(partition -> partition, partition -> value));
    }

    private static List<Integer> replicas(TopicPartitionInfo partition) {
        return partition.replicas().stream().map(Node::id).collect(Collectors.toCollection(ArrayList::new));
    }
}
