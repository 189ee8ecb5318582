package dev.stormproof.chaos;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A cluster fault is something that happens to the processes of a cluster, or to their connections. */
public enum ClusterFault {
    WORKER_KILL("kill -9 of a worker in mid-interval"),
    WORKER_STOP("SIGSTOP of a worker for longer than Storm's timeouts, then SIGCONT"),
    WORKER_PAUSE("SIGSTOP of a worker for less than Storm's timeouts, then SIGCONT"),
    SUPERVISOR_KILL("kill -9 of the Supervisor, started again"),
    NIMBUS_KILL("kill -9 of Nimbus, started again"),
    ZOOKEEPER_KILL("kill -9 of ZooKeeper, started again on the same directory"),
    BROKER_KILL("kill -9 of the broker, started again on the same directory"),
    BROKER_STOP("SIGSTOP of the broker for longer than its clients' request timeout, then SIGCONT"),
    REBALANCE("rebalance to another number of workers, 2 to 1 or 1 to 2"),
    RESUBMIT("topology killed and submitted again"),
    CONNECTION_CUT("connections between workers reset, again and again for seconds");

    private final String description;

    ClusterFault(String description) {
        this.description = description;
    }

    String description() {
        return description;
    }

    /** The name that people type. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Optional<ClusterFault> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(fault -> fault.label().equals(label))
                .findFirst();
    }
}
