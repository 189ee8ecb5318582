package dev.stormproof.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A cluster fault is something that happens to the processes of a cluster, to their connections, or to its topics. */
public enum ClusterFault {
    WORKER_KILL("kill -9 of a worker in mid-interval"),
    WORKER_STOP("SIGSTOP of a worker for longer than Storm's timeouts, then SIGCONT"),
    WORKER_PAUSE("SIGSTOP of a worker for less than Storm's timeouts, then SIGCONT"),
    SUPERVISOR_KILL("kill -9 of a Supervisor, started again"),
    NIMBUS_KILL("kill -9 of the Nimbus that leads, started again"),
    ZOOKEEPER_KILL("kill -9 of ZooKeeper, started again on the same directory"),
    BROKER_KILL("kill -9 of a broker, started again on the same directory"),
    BROKER_STOP("SIGSTOP of a broker for longer than its clients' request timeout, then SIGCONT"),
    REBALANCE("rebalance to another number of workers, 2 to 1 or 1 to 2"),
    RESUBMIT("topology killed and submitted again"),
    CONNECTION_CUT("connections between workers reset, again and again for seconds"),
    TOPIC_SETTINGS("records of the input limited to 700 bytes, or none without a key taken, for seconds"),
    LOG_START_MOVE("records deleted up to the group's progress, again and again"),
    RETENTION("records of the input kept for seconds, so that segments are deleted"),
    PARTITION_ADD("a partition added to the input, and to the output"),
    PRODUCER_EXPIRY("silence for longer than brokers remember producers"),
    RIGHTS_REVOKE("a right of the topology revoked for seconds, then given back"),
    SUPERVISOR_LOSS("kill -9 of a Supervisor and of its workers, started again later", Needs.SUPERVISORS),
    BROKER_PAUSE("SIGSTOP of a broker for less than its session timeout, then SIGCONT", Needs.BROKERS),
    BROKER_ROLL("every broker ended and started again, one after the other", Needs.BROKERS),
    CONTROLLER_KILL("kill -9 of the broker that is the active controller, started again", Needs.BROKERS),
    LEADER_MOVE("preferred election: every partition's leader moved, three times", Needs.BROKERS),
    REPLICA_MOVE("every partition's leader taken its replica, and a replica made anew there", Needs.BROKERS),
    ISR_SHRINK(
            "kill -9 of a broker, with all replicas wanted in sync: nothing is taken until it is back", Needs.BROKERS),
    DISK_READ_ONLY("the directory of a broker read-only: it ends itself, and is started again", Needs.BROKERS),
    DISK_FULL("the disk of a broker full: it ends itself, and is started again with room", Needs.BROKERS),
    CLOCK_OFF("a broker started with a clock that is an hour ahead or behind, then with the right one", Needs.BROKERS),
    NETWORK_CUT("connections between two brokers reset, again and again for seconds", Needs.BROKERS),
    UNCLEAN_ELECTION("a leader elected that never had what the last one acknowledged", Needs.BROKERS);

    /** What a cluster has to have for a fault. */
    enum Needs {
        NOTHING,
        SUPERVISORS,
        BROKERS
    }

    private final String description;
    private final Needs needs;

    ClusterFault(String description) {
        this(description, Needs.NOTHING);
    }

    ClusterFault(String description, Needs needs) {
        this.description = description;
        this.needs = needs;
    }

    String description() {
        return description;
    }

    /** The name that people type. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Needs needs() {
        return needs;
    }

    /** True if it happens to a part of Storm, or to a topology. */
    boolean needsStorm() {
        return switch (this) {
            case SUPERVISOR_KILL, NIMBUS_KILL, ZOOKEEPER_KILL, REBALANCE, CONNECTION_CUT, SUPERVISOR_LOSS -> true;
            default -> false;
        };
    }

    /** True if the log is not the same afterwards: what was delivered of it is not in it any more. */
    boolean rewritesTheLog() {
        return this == UNCLEAN_ELECTION;
    }

    static Optional<ClusterFault> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(fault -> fault.label().equals(label))
                .findFirst();
    }

    static List<String> labels() {
        return Arrays.stream(values()).map(ClusterFault::label).toList();
    }
}
