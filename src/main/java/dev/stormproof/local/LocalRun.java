package dev.stormproof.local;

import dev.stormproof.config.StormproofConfig;
import dev.stormproof.storm.VerificationTopology;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topology in a Storm cluster inside this JVM: one supervisor with one worker, in threads.
 *
 * <p>Tuples are serialized between tasks as they would be between workers, so that what runs here also runs there. A
 * bolt or spout that throws ends the JVM; that is how Storm's workers fail.
 */
public final class LocalRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalRun.class);
    private static final long KILL_TIMEOUT_MILLIS = 30_000;

    private final LocalCluster cluster;
    private final String name;
    private boolean closed;

    private LocalRun(LocalCluster cluster, String name) {
        this.cluster = cluster;
        this.name = name;
    }

    /** Starts a cluster with the verification topology; its tasks begin to run some seconds later. */
    public static LocalRun start(String name, StormproofConfig config) throws Exception {
        return start(name, VerificationTopology.build(config), VerificationTopology.stormConfig(config));
    }

    /** Starts a cluster and submits the topology; its tasks begin to run some seconds later. */
    public static LocalRun start(String name, StormTopology topology, Config config) throws Exception {
        LocalCluster cluster = new LocalCluster.Builder()
                .withSupervisors(1)
                .withPortsPerSupervisor(1)
                .withDaemonConf(Map.of(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true))
                .build();
        try {
            Config local = new Config();
            local.putAll(config);
            local.setNumWorkers(1);
            local.put(Config.TOPOLOGY_TESTING_ALWAYS_TRY_SERIALIZE, true);
            cluster.submitTopology(name, local, topology);
            return new LocalRun(cluster, name);
        } catch (Exception e) { // Whatever it is, the cluster has to go.
            cluster.close();
            throw e;
        }
    }

    /**
     * Kills the topology, waits until its tasks have ended, and stops the cluster. Closing twice does nothing.
     *
     * @throws IllegalStateException if the cluster does not stop
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (cluster) {
            cluster.killTopologyWithOpts(name, LocalCluster.KILL_NOW);
            awaitKilled();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while topology " + name + " was being stopped", e);
        } catch (Exception e) { // The cluster declares no less.
            throw new IllegalStateException("topology " + name + " does not stop: " + e.getMessage(), e);
        }
    }

    private void awaitKilled() throws InterruptedException, TException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(KILL_TIMEOUT_MILLIS);
        while (!cluster.getTopologySummaries().isEmpty()) {
            if (System.nanoTime() > deadline) {
                LOG.warn("topology {} is still there {} ms after it was killed", name, KILL_TIMEOUT_MILLIS);
                return;
            }
            Thread.sleep(20);
        }
    }
}
