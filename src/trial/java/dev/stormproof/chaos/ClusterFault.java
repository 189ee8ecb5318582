package dev.stormproof.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A cluster fault is something that happens to the processes of a cluster, to their connections, or to its topics; docs/RELIABILITY.md says what each is. */
public enum ClusterFault {
    WORKER_KILL,
    WORKER_STOP,
    WORKER_PAUSE,
    SUPERVISOR_KILL,
    NIMBUS_KILL,
    ZOOKEEPER_KILL,
    BROKER_KILL,
    BROKER_STOP,
    REBALANCE,
    RESUBMIT,
    CONNECTION_CUT,
    TOPIC_SETTINGS,
    LOG_START_MOVE,
    RETENTION,
    PARTITION_ADD,
    PRODUCER_EXPIRY,
    RIGHTS_REVOKE,
    SUPERVISOR_LOSS(Needs.SUPERVISORS),
    BROKER_PAUSE(Needs.BROKERS),
    BROKER_ROLL(Needs.BROKERS),
    CONTROLLER_KILL(Needs.BROKERS),
    LEADER_MOVE(Needs.BROKERS),
    REPLICA_MOVE(Needs.BROKERS),
    ISR_SHRINK(Needs.BROKERS),
    DISK_READ_ONLY(Needs.BROKERS),
    DISK_FULL(Needs.BROKERS),
    CLOCK_OFF(Needs.BROKERS),
    NETWORK_CUT(Needs.BROKERS),
    UNCLEAN_ELECTION(Needs.BROKERS);

    /** What a cluster has to have for a fault. */
    enum Needs {
        NOTHING,
        SUPERVISORS,
        BROKERS
    }

    private final Needs needs;

    ClusterFault() {
        this(Needs.NOTHING);
    }

    ClusterFault(Needs needs) {
        this.needs = needs;
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
