import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;

/**
 * What scripts/cluster asks Nimbus, and what it waits for.
 *
 * <pre>
 *   ClusterState list                         the Nimbus that leads, one line for each topology, one for each worker and what it runs
 *   ClusterState slots COUNT SECONDS          waits until Nimbus leads and knows supervisors with so many slots
 *   ClusterState running NAME WORKERS SECONDS waits until every executor of the topology runs, in so many workers (0: any number)
 *   ClusterState gone NAME SECONDS            waits until there is no such topology
 * </pre>
 *
 * Exits with 1 if what it waits for does not come in time.
 */
final class ClusterState {
    private static final long POLL_MILLIS = 200;

    private ClusterState() {}

    /** A question to Nimbus, answered with what is still missing; empty if nothing is. */
    private interface Condition {
        String missing(Nimbus.Iface nimbus) throws TException;
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "list" -> NimbusClient.withConfiguredClient(ClusterState::list);
            case "slots" -> await(args[2], nimbus -> missingSlots(nimbus, Integer.parseInt(args[1])));
            case "running" -> await(args[3], nimbus -> notRunning(nimbus, args[1], Integer.parseInt(args[2])));
            case "gone" -> await(args[2], nimbus -> find(nimbus, args[1]) == null ? "" : args[1] + " is still there");
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.exit(0);
    }

    private static void await(String seconds, Condition condition) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(seconds));
        String[] missing = {"Nimbus does not answer"};
        while (true) {
            try {
                NimbusClient.withConfiguredClient(nimbus -> missing[0] = condition.missing(nimbus));
            } catch (Exception e) { // The client declares no less; Nimbus may be starting or choosing a leader.
                missing[0] = "Nimbus does not answer: " + e;
            }
            if (missing[0].isEmpty()) {
                return;
            }
            if (System.nanoTime() > deadlineNanos) {
                System.err.println(missing[0] + " after " + seconds + " s");
                System.exit(1);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static String missingSlots(Nimbus.Iface nimbus, int want) throws TException {
        ClusterSummary cluster = nimbus.getClusterInfo();
        // One that was killed stays the leader until its session expires, and its successor accepts nothing until then.
        if (cluster.get_nimbuses().stream().noneMatch(NimbusSummary::is_isLeader)) {
            return "Nimbus is not the leader yet";
        }
        int slots = cluster.get_supervisors().stream()
                .mapToInt(SupervisorSummary::get_num_workers)
                .sum();
        return slots >= want ? "" : slots + " of " + want + " slots are known to Nimbus";
    }

    private static String notRunning(Nimbus.Iface nimbus, String name, int workers) throws TException {
        TopologySummary topology = find(nimbus, name);
        if (topology == null) {
            return "there is no topology " + name;
        }
        if (topology.get_num_workers() == 0) {
            return "topology " + name + " is " + topology.get_status() + " and has no slot; Nimbus knows "
                    + supervisors(nimbus);
        }
        TopologyInfo info = nimbus.getTopologyInfo(topology.get_id());
        long running = info.get_executors().stream().filter(ClusterState::runs).count();
        long used = info.get_executors().stream()
                .map(ClusterState::worker)
                .distinct()
                .count();
        boolean all = running > 0
                && running == topology.get_num_executors()
                && (workers == 0 || used == workers)
                && topology.get_status().equals("ACTIVE");
        return all
                ? ""
                : "topology " + name + " is " + topology.get_status() + ", " + running + " of "
                        + topology.get_num_executors() + " executors run, in " + used + " workers";
    }

    /** The Supervisors, in a few words; Storm shuns one that was away for a time, and each other one on the same host. */
    private static String supervisors(Nimbus.Iface nimbus) throws TException {
        List<SupervisorSummary> supervisors = nimbus.getClusterInfo().get_supervisors();
        return supervisors.isEmpty()
                ? "no Supervisor"
                : supervisors.stream()
                        .map(supervisor -> "Supervisor " + supervisor.get_supervisor_id() + " on "
                                + supervisor.get_host() + ", up "
                                + supervisor.get_uptime_secs() + " s, "
                                + supervisor.get_num_used_workers() + " of "
                                + supervisor.get_num_workers() + " slots used"
                                + (supervisor.is_blacklisted() ? ", blacklisted" : ""))
                        .collect(Collectors.joining("; "));
    }

    /** True once the executor's worker has reported; Nimbus lists what it has only assigned, too. */
    private static boolean runs(ExecutorSummary executor) {
        return executor.get_stats() != null;
    }

    private static void list(Nimbus.Iface nimbus) throws TException {
        NimbusSummary leader = nimbus.getLeader();
        System.out.println("Nimbus " + leader.get_host() + ":" + leader.get_port() + " leads");
        List<TopologySummary> topologies = nimbus.getTopologySummaries();
        if (topologies.isEmpty()) {
            System.out.println("no topologies");
        }
        for (TopologySummary topology : topologies) {
            System.out.printf(
                    "topology %s %s, up %d s, id %s%n",
                    topology.get_name(), topology.get_status(), topology.get_uptime_secs(), topology.get_id());
            nimbus.getTopologyInfo(topology.get_id()).get_executors().stream()
                    .collect(Collectors.groupingBy(
                            ClusterState::worker, TreeMap::new, Collectors.toCollection(ArrayList::new)))
                    .forEach((worker, executors) -> System.out.println("  worker " + worker + " runs "
                            + executors.stream()
                                    .map(ClusterState::describe)
                                    .sorted()
                                    .collect(Collectors.joining(", "))));
        }
    }

    private static String worker(ExecutorSummary executor) {
        return executor.get_host() + ":" + executor.get_port();
    }

    private static String describe(ExecutorSummary executor) {
        int first = executor.get_executor_info().get_task_start();
        int last = executor.get_executor_info().get_task_end();
        String tasks = first == last ? "task " + first : "tasks " + first + "-" + last;
        return executor.get_component_id() + " (" + tasks + (runs(executor) ? ")" : ", starting)");
    }

    private static TopologySummary find(Nimbus.Iface nimbus, String name) throws TException {
        return nimbus.getTopologySummaries().stream()
                .filter(topology -> topology.get_name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
