package dev.stormproof.chaos;

import dev.stormproof.chaos.LivingCluster.Worker;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** An injector prepares cluster faults: it looks up the processes that they will hit, and draws how long these stay down. */
final class ClusterFaultInjector {
    /** Longer than supervisor.worker.timeout.secs and nimbus.task.timeout.secs of the cluster, see {@link ChaosProgram}. */
    private static final int LEAST_STOP_MILLIS = 20_000;

    private static final int MOST_STOP_MILLIS = 30_000;
    private static final int LEAST_PAUSE_MILLIS = 2_000;
    private static final int MOST_PAUSE_MILLIS = 9_000;
    /** Longer than the 30 s after which Kafka's clients give up a request. */
    private static final int LEAST_BROKER_STOP_MILLIS = 32_000;

    private static final int MOST_BROKER_STOP_MILLIS = 38_000;
    private static final int MOST_DOWN_MILLIS = 8_000;
    private static final int LEAST_CUT_MILLIS = 500;
    private static final int MOST_CUT_MILLIS = 6_000;
    private static final long CUT_PAUSE_MILLIS = 50;

    private final LivingCluster cluster;
    private final BrokerFaults brokers;
    private final TopicFaults topics;

    ClusterFaultInjector(LivingCluster cluster, BrokerFaults brokers, TopicFaults topics) {
        this.cluster = cluster;
        this.brokers = brokers;
        this.topics = topics;
    }

    /** A step acts on the cluster; it may fail as the cluster's commands do. */
    interface Step {
        void run() throws IOException, InterruptedException;
    }

    /**
     * A fault that is about to be injected.
     *
     * @param detail the processes that it will hit
     * @param inject injects it
     * @param repair does afterwards what an operator, or a watcher of processes, would do
     */
    record Prepared(String detail, Step inject, Step repair) {}

    /** The faults whose round has to take part, since they change what it reads. */
    interface OwnFaults {
        void deleteVerified() throws IOException, InterruptedException;

        void expire() throws IOException, InterruptedException;

        void addPartition() throws IOException, InterruptedException;
    }

    /** Before the events begin to flow. */
    Prepared prepare(ClusterFault fault, Conduct conduct, OwnFaults own, SplittableRandom random)
            throws IOException, InterruptedException {
        return switch (fault) {
            case WORKER_KILL -> {
                Worker worker = anyWorker(random);
                yield new Prepared("port " + worker.port(), () -> cluster.signal("KILL", worker.pid()), () -> {});
            }
            case WORKER_STOP -> stopWorker(random, random.nextInt(LEAST_STOP_MILLIS, MOST_STOP_MILLIS));
            case WORKER_PAUSE -> stopWorker(random, random.nextInt(LEAST_PAUSE_MILLIS, MOST_PAUSE_MILLIS));
            case SUPERVISOR_KILL -> cluster.killed(cluster.anyOf("supervisor", random), random);
            case NIMBUS_KILL -> cluster.killed(cluster.leadingNimbus(), random);
            case ZOOKEEPER_KILL -> cluster.killed("zookeeper", random);
            case BROKER_KILL -> cluster.killed(cluster.anyOf("broker", random), random);
            case BROKER_STOP -> {
                String broker = cluster.anyOf("broker", random);
                yield cluster.stopped(
                        broker,
                        cluster.pidOf(broker),
                        random.nextInt(LEAST_BROKER_STOP_MILLIS, MOST_BROKER_STOP_MILLIS));
            }
            case REBALANCE -> {
                int workers = cluster.workers().size();
                int wanted = workers == 1 ? 2 : 1;
                yield new Prepared(workers + " to " + wanted, () -> cluster.rebalance(wanted), () -> {});
            }
            case RESUBMIT -> {
                int downMillis = random.nextInt(MOST_DOWN_MILLIS);
                yield new Prepared("down for " + downMillis + " ms", cluster::kill, () -> {
                    TimeUnit.MILLISECONDS.sleep(downMillis);
                    cluster.submit();
                });
            }
            case CONNECTION_CUT -> cutConnections(random);
            case SUPERVISOR_LOSS -> loseSupervisor(random);
            case TOPIC_SETTINGS -> topics.settings(random);
            case LOG_START_MOVE -> new Prepared("up to the progress", own::deleteVerified, () -> {});
            case RETENTION -> new Prepared("for seconds", own::expire, () -> {});
            case PARTITION_ADD -> new Prepared("one more", own::addPartition, () -> {});
            case PRODUCER_EXPIRY -> topics.silence(conduct, random);
            case RIGHTS_REVOKE -> topics.rights(random);
            case BROKER_PAUSE -> brokers.pause(random);
            case BROKER_ROLL -> brokers.roll();
            case CONTROLLER_KILL -> brokers.controllerKill(random);
            case LEADER_MOVE -> brokers.leaderMove();
            case REPLICA_MOVE -> brokers.replicaMove();
            case ISR_SHRINK -> brokers.isrShrink(random);
            case DISK_READ_ONLY -> brokers.readOnlyDisk(random);
            case DISK_FULL -> brokers.fullDisk(random);
            case CLOCK_OFF -> brokers.clockOff(random);
            case NETWORK_CUT -> brokers.cutApart(random);
            case UNCLEAN_ELECTION -> brokers.uncleanElection(random);
        };
    }

    /** All that ran on one machine, as if it were gone; another Supervisor has room for its workers. */
    private Prepared loseSupervisor(SplittableRandom random) throws IOException {
        String supervisor = cluster.anyOf("supervisor", random);
        int millis = random.nextInt(LEAST_STOP_MILLIS, MOST_STOP_MILLIS);
        return new Prepared(
                supervisor + " and its workers down for " + millis + " ms",
                () -> {
                    cluster.process("crash", supervisor);
                    for (Worker worker : cluster.workersOf(supervisor)) {
                        cluster.signal("KILL", worker.pid());
                    }
                },
                () -> {
                    TimeUnit.MILLISECONDS.sleep(millis);
                    cluster.repair();
                });
    }

    private Worker anyWorker(SplittableRandom random) {
        List<Worker> workers = cluster.workers();
        return workers.get(random.nextInt(workers.size()));
    }

    private Prepared stopWorker(SplittableRandom random, int millis) {
        Worker worker = anyWorker(random);
        return cluster.stopped("port " + worker.port(), worker.pid(), millis);
    }

    private Prepared cutConnections(SplittableRandom random) throws IOException, InterruptedException {
        if (cluster.workers().size() < 2) {
            cluster.rebalance(2);
        }
        List<Integer> ports = cluster.workers().stream().map(Worker::port).toList();
        int millis = random.nextInt(LEAST_CUT_MILLIS, MOST_CUT_MILLIS);
        return new Prepared("ports " + ports + " for " + millis + " ms", () -> cutFor(ports, millis), () -> {});
    }

    private void cutFor(List<Integer> ports, int millis) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long cut = 0;
        while (System.nanoTime() < endNanos) {
            cut += cluster.cut(ports);
            TimeUnit.MILLISECONDS.sleep(CUT_PAUSE_MILLIS);
        }
        if (cut == 0) {
            throw new IOException("there was no connection to cut between " + ports);
        }
    }
}
