package dev.stormproof.task.process;

import dev.stormproof.task.config.StormproofConfig;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The rule by which replicas share tasks. Pure.
 *
 * <pre>
 *   a task that runs               stays with its replica, unless that has more than its share
 *   one beyond the share           is given to no replica: its own ends it, and asks again
 *   one that no replica runs       goes to the replica that has fewest
 *   one that two claim to run      stays with the later generation; the other replica ends it
 *   replicas on other terms        wait until the running ones have ended: tasks of two numbers would fence each other, and
 *                                  those of other settings would judge otherwise
 * </pre>
 */
final class TaskSharing {
    private static final short VERSION = 2;
    private static final int MOST_TASKS = 1 << 16;

    private TaskSharing() {}

    /**
     * What all replicas that have tasks must have in common.
     *
     * @param tasks the number of tasks; 0 if it is unknown
     * @param settings the {@linkplain StormproofConfig#fingerprint fingerprint} of those that decide a verdict
     */
    record Terms(int tasks, long settings) {
        static final Terms NONE = new Terms(0, 0);
    }

    /**
     * The group's message to a replica.
     *
     * @param fits false if it waits, because the tasks are shared on other terms than its own
     */
    record Share(Set<Integer> tasks, boolean fits) {
        /** The share of a replica that does not understand the leader. */
        static final Share NONE = new Share(Set.of(), false);

        ByteBuffer encode() {
            ByteBuffer bytes = ByteBuffer.allocate(Short.BYTES + Byte.BYTES + Integer.BYTES * (1 + tasks.size()));
            bytes.putShort(VERSION).put((byte) (fits ? 1 : 0)).putInt(tasks.size());
            tasks.forEach(bytes::putInt);
            return bytes.flip();
        }

        static Share decode(ByteBuffer bytes) {
            Set<Integer> tasks = new TreeSet<>();
            try {
                ByteBuffer from = bytes.duplicate();
                if (from.getShort() != VERSION) {
                    return NONE;
                }
                boolean fits = from.get() != 0;
                for (int left = from.getInt(); left > 0; left--) {
                    tasks.add(from.getInt());
                }
                return new Share(tasks, fits);
            } catch (BufferUnderflowException e) {
                return NONE;
            }
        }
    }

    /**
     * A replica's message to the group.
     *
     * @param terms those of its configuration
     * @param running the tasks that it runs, or is about to end, each with the group's generation in which it got it
     */
    record Claim(Terms terms, Map<Integer, Integer> running) {
        /** The claim of a replica of another version. */
        static final Claim NONE = new Claim(Terms.NONE, Map.of());

        Claim {
            running = Map.copyOf(running);
        }

        ByteBuffer encode() {
            ByteBuffer bytes = ByteBuffer.allocate(Short.BYTES + Long.BYTES + 2 * Integer.BYTES * (1 + running.size()));
            bytes.putShort(VERSION).putInt(terms.tasks).putLong(terms.settings).putInt(running.size());
            running.forEach((task, generation) -> bytes.putInt(task).putInt(generation));
            return bytes.flip();
        }

        static Claim decode(ByteBuffer bytes) {
            try {
                ByteBuffer from = bytes.duplicate();
                if (from.getShort() != VERSION) {
                    return NONE;
                }
                Terms terms = new Terms(from.getInt(), from.getLong());
                Map<Integer, Integer> running = new HashMap<>();
                for (int left = from.getInt(); left > 0; left--) {
                    running.put(from.getInt(), from.getInt());
                }
                return terms.tasks < 0 || terms.tasks > MOST_TASKS ? NONE : new Claim(terms, running);
            } catch (BufferUnderflowException e) {
                return NONE;
            }
        }
    }

    /** The tasks of each replica, by its id. */
    static Map<String, Set<Integer>> share(Map<String, Claim> replicas) {
        Map<String, Set<Integer>> shares = new TreeMap<>();
        replicas.keySet().forEach(replica -> shares.put(replica, new TreeSet<>()));
        Terms terms = agreed(replicas.values());
        int tasks = terms.tasks();
        if (tasks == 0) {
            return shares;
        }
        List<String> fit = replicas.keySet().stream()
                .filter(replica -> claim(replicas, replica).terms().equals(terms))
                .sorted()
                .toList();
        Map<Integer, String> owners = owners(replicas, fit, tasks);
        keep(owners, shares, fit, tasks);
        Set<Integer> claimed = new HashSet<>();
        replicas.values().forEach(claim -> claimed.addAll(claim.running().keySet()));
        Comparator<String> fewest = Comparator.comparingInt(
                        (String replica) -> tasksOf(shares, replica).size())
                .thenComparing(Comparator.naturalOrder());
        for (int task = 0; task < tasks; task++) {
            if (!claimed.contains(task)) {
                tasksOf(shares, fit.stream().min(fewest).orElseThrow()).add(task);
            }
        }
        return shares;
    }

    /** The terms that count: those with the most running tasks, or else those of most replicas. */
    static Terms agreed(Iterable<Claim> claims) {
        Map<Terms, Integer> running = new HashMap<>();
        Map<Terms, Integer> replicas = new HashMap<>();
        for (Claim claim : claims) {
            if (claim.terms().tasks() > 0) {
                running.merge(claim.terms(), claim.running().size(), Integer::sum);
                replicas.merge(claim.terms(), 1, Integer::sum);
            }
        }
        return running.entrySet().stream()
                .max(Map.Entry.<Terms, Integer>comparingByValue()
                        .thenComparing(entry -> replicas.getOrDefault(entry.getKey(), 0))
                        .thenComparing(entry -> entry.getKey().tasks())
                        .thenComparing(entry -> entry.getKey().settings()))
                .map(Map.Entry::getKey)
                .orElse(Terms.NONE);
    }

    /** The replica of each running task. */
    private static Map<Integer, String> owners(Map<String, Claim> replicas, List<String> fit, int tasks) {
        Map<Integer, String> owners = new TreeMap<>();
        for (String replica : fit) {
            claim(replicas, replica).running().forEach((task, generation) -> {
                String other = owners.get(task);
                boolean later = other == null
                        || generation > claim(replicas, other).running().getOrDefault(task, 0);
                if (task < tasks && later) {
                    owners.put(task, replica);
                }
            });
        }
        return owners;
    }

    /** Leaves running tasks where they are, up to each replica's share. */
    private static void keep(
            Map<Integer, String> owners, Map<String, Set<Integer>> shares, List<String> fit, int tasks) {
        int least = tasks / fit.size();
        int[] more = {tasks % fit.size()};
        Map<String, List<Integer>> owned = new HashMap<>();
        owners.forEach((task, replica) ->
                owned.computeIfAbsent(replica, first -> new ArrayList<>()).add(task));
        for (String replica : fit) {
            List<Integer> has = owned.getOrDefault(replica, List.of());
            int most = has.size() > least && more[0] > 0 ? least + 1 : least;
            more[0] -= most - least;
            tasksOf(shares, replica).addAll(has.subList(0, Math.min(most, has.size())));
        }
    }

    private static Claim claim(Map<String, Claim> replicas, String replica) {
        return Objects.requireNonNull(replicas.get(replica));
    }

    private static Set<Integer> tasksOf(Map<String, Set<Integer>> shares, String replica) {
        return Objects.requireNonNull(shares.get(replica));
    }
}
