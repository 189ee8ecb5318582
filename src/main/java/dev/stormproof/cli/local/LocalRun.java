package dev.stormproof.cli.local;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.VerificationTopology;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.ProcessSimulator;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metricstore.NoOpMetricStore;

/**
 * A topology in a Storm cluster inside this JVM: one supervisor with one worker, in threads.
 *
 * <p>Tuples are serialized between tasks as they would be between workers, so that what runs here also runs there. A
 * bolt or spout that throws ends the JVM; that is how Storm's workers fail.
 */
public final class LocalRun implements AutoCloseable {
    private static final long TIMEOUT_MILLIS = 60_000;

    private static final Map<String, Object> DAEMONS = Map.of(
            Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS,
            true,
            // The default store unpacks a native library that a halted JVM does not delete.
            DaemonConfig.STORM_METRIC_STORE_CLASS,
            NoOpMetricStore.class.getName(),
            // Three seconds by default, for a worker in a process of its own; one in this process has ended by then.
            Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS,
            0);

    private final LocalCluster cluster;
    private final String name;
    private boolean closed;

    private LocalRun(LocalCluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
    }

    /** Starts a cluster with the verification topology. */
    public static LocalRun start(String name, StormproofConfig config) throws Exception {
        return start(name, VerificationTopology.build(config), VerificationTopology.stormConfig(config));
    }

    /** Starts a cluster with a topology, and waits some seconds until its worker runs. */
    public static LocalRun start(String name, StormTopology topology, Config config) throws Exception {
        LocalCluster cluster = new LocalCluster.Builder()
                .withSupervisors(1)
                .withPortsPerSupervisor(1)
                .withDaemonConf(DAEMONS)
                .build();
        try {
            Config local = new Config();
            local.putAll(config);
            local.setNumWorkers(1);
            local.put(Config.TOPOLOGY_TESTING_ALWAYS_TRY_SERIALIZE, true);
            int workers = ProcessSimulator.getAllProcessHandles().size();
            cluster.submitTopology(name, local, topology);
            // A topology that is killed while its worker is being made ends the JVM.
            await(() -> ProcessSimulator.getAllProcessHandles().size() > workers, "has no worker", name);
            return new LocalRun(cluster, name);
        } catch (Exception e) { // Whatever it is, the cluster has to go.
            cluster.close();
            throw e;
        }
    }

    /** Kills the topology, waits until its tasks have ended, and stops the cluster. Closing twice does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (cluster) {
            cluster.killTopologyWithOpts(name, LocalCluster.KILL_NOW);
            await(() -> cluster.getTopologySummaries().isEmpty(), "is still there, though killed,", name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while topology " + name + " was being stopped", e);
        } catch (Exception e) { // The cluster declares no less.
            throw new IllegalStateException("topology " + name + " does not stop: " + e.getMessage(), e);
        }
    }

    private static void await(Callable<Boolean> condition, String failure, String name) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "topology " + name + " " + failure + " after " + TIMEOUT_MILLIS + " ms");
            }
            Thread.sleep(20);
        }
    }
}
