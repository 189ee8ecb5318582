package dev.stormproof.task.process;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.Backoff;
import dev.stormproof.task.process.TaskSharing.Claim;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of the group of replicas, which runs the tasks that the group gives it.
 *
 * <pre>
 *   the group says ours      ──► the task is started, once an earlier one of that index has ended
 *   it says no longer ours   ──► the task stops; when it has ended, the group is asked to give it to somebody
 *   the task was fenced      ──► the group is asked whose it is; if ours, it is started after a pause
 * </pre>
 *
 * <p>The group holds no offsets and no partitions: progress and fencing are the tasks' own. Its name is that of the verification's group
 * with {@value #SUFFIX} behind it.
 */
final class Replica implements AutoCloseable, TaskAssignor.Member {
    static final String SUFFIX = "-replicas";

    /** How long a replica may be dead until the others take its tasks. */
    static final int SESSION_MILLIS = 10_000;

    /** How soon all replicas hear that one has come or gone. */
    static final int HEARTBEAT_MILLIS = 1_000;

    /** How long tasks have to write and close when the process ends. */
    static final long HANDOVER_MILLIS = 3_500;

    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);
    private static final int POLL_INTERVAL_MILLIS = 60_000;
    private static final Duration POLL = Duration.ofSeconds(1);
    /** While a task begins or ends, of which the group is to be told. */
    private static final Duration SHORT_POLL = Duration.ofMillis(50);

    private static final long RETRY_MILLIS = 1_000;
    static final Backoff FENCED = new Backoff(1_000, 60_000);
    /** How long after its end a pause counts. A second system begins again within the longest pause, and fences then. */
    static final long FORGOTTEN_MILLIS = 5 * FENCED.mostMillis();

    private static final int NOT_JOINED = -1;

    private final StormproofConfig config;
    private final IntFunction<ProcessTask> tasks;
    private final Thread thread;
    private final Map<Integer, ProcessTask> running = new ConcurrentHashMap<>();
    /** The generation in which each running task was given to this replica. */
    private final Map<Integer, Integer> given = new HashMap<>();

    private final Map<Integer, Fence> fences = new HashMap<>();
    private final Resharing resharing = new Resharing();
    private volatile Set<Integer> assigned = Set.of();
    private volatile int generation = NOT_JOINED;
    private volatile @Nullable Membership open;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** A task that was fenced, and how long it is not begun again: two systems that verify for one group would else fence each other at once. */
    record Fence(long pauseMillis, long untilNanos) {
        /** The next one. After a task has run for long, whoever fences it is a successor, and no second system. */
        static Fence behind(@Nullable Fence before, long nowNanos) {
            long forgottenNanos = TimeUnit.MILLISECONDS.toNanos(FORGOTTEN_MILLIS);
            long pauseMillis = FENCED.after(
                    before == null || nowNanos - before.untilNanos > forgottenNanos ? 0 : before.pauseMillis);
            return new Fence(pauseMillis, nowNanos + TimeUnit.MILLISECONDS.toNanos(pauseMillis));
        }
    }

    /**
     * @param tasks makes the task of an index, which is not started yet
     * @param failed takes a failure of our own
     */
    Replica(StormproofConfig config, IntFunction<ProcessTask> tasks, Thread.UncaughtExceptionHandler failed) {
        this.config = config;
        this.tasks = tasks;
        this.thread = new Thread(this::run, "stormproof-replica");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(failed);
    }

    void start() {
        thread.start();
    }

    /** The group that replicas of a configuration are members of. */
    static String group(StormproofConfig config) {
        return config.groupId() + SUFFIX;
    }

    /** The tasks that the group gave to this one. */
    Set<Integer> assigned() {
        return assigned;
    }

    /** Those of them that it verifies now. */
    List<Integer> verifying() {
        return assigned.stream()
                .filter(index -> verifies(running.get(index)))
                .sorted()
                .toList();
    }

    /** True if it is a member, and each of its tasks verifies. */
    boolean isReady() {
        return generation != NOT_JOINED && assigned.stream().allMatch(index -> verifies(running.get(index)));
    }

    /** How many partitions its tasks verify. */
    long covered() {
        return running.values().stream().mapToLong(ProcessTask::covered).sum();
    }

    /** For how long one of its tasks could write nothing at last. */
    long unwrittenMillis() {
        return running.values().stream()
                .mapToLong(ProcessTask::unwrittenMillis)
                .max()
                .orElse(0);
    }

    private static boolean verifies(@Nullable ProcessTask task) {
        return task != null && !task.isStopping() && task.state() == ProcessTask.State.VERIFIES;
    }

    /** True if it is a member of the group, as far as it knows. */
    boolean hasJoined() {
        return generation != NOT_JOINED;
    }

    @Override
    public Claim claim() {
        resharing.claimed();
        return new Claim(config.tasks.verifying(), given);
    }

    @Override
    public void assigned(Set<Integer> mine, int inGeneration) {
        LOG.info("tasks {} of {} are ours, in generation {}", mine, config.tasks.verifying(), inGeneration);
        mine.stream().filter(given::containsKey).forEach(task -> given.put(task, inGeneration));
        assigned = Set.copyOf(mine);
        generation = inGeneration;
        resharing.shared();
    }

    /** Hands over: has the tasks write what they found, and leaves the group, which gives them to the others. */
    @Override
    public void close() {
        closing.countDown();
        Membership polling = open;
        if (polling != null) {
            polling.wake();
        }
        try {
            thread.join(HANDOVER_MILLIS + RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (closing.getCount() > 0) {
            try (Membership membership = new Membership(config, this)) {
                open = membership;
                while (closing.getCount() > 0) {
                    boolean changes = !running.keySet().equals(assigned)
                            || running.values().stream().anyMatch(ProcessTask::isStopping);
                    membership.poll(changes ? SHORT_POLL : POLL);
                    reconcile();
                    if (resharing.isToBeAskedFor()) {
                        membership.rejoin();
                    }
                }
                stopAll();
            } catch (InterruptException e) {
                closing.countDown();
            } catch (KafkaException e) {
                LOG.info("the group {} cannot be joined now", group(config), e);
                pause();
            }
        }
        stopAll();
    }

    /** Has those tasks run that are to run, and the group share them again where one has ended that others may take. */
    private void reconcile() {
        Set<Integer> mine = assigned;
        for (Iterator<Map.Entry<Integer, ProcessTask>> all = running.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Integer, ProcessTask> one = all.next();
            int index = one.getKey();
            if (one.getValue().isOver()) {
                boolean fenced = one.getValue().state() == ProcessTask.State.FENCED;
                if (fenced) {
                    fence(index);
                }
                all.remove();
                given.remove(index);
                if (fenced || !mine.contains(index)) {
                    resharing.wish();
                }
            } else if (!mine.contains(index)) {
                one.getValue().stop();
            }
        }
        for (int index : new TreeSet<>(assigned)) {
            if (!running.containsKey(index) && !isFenced(index)) {
                ProcessTask task = tasks.apply(index);
                running.put(index, task);
                given.put(index, generation);
                task.start();
            }
        }
    }

    private void fence(int index) {
        Set<Integer> others = new TreeSet<>(assigned);
        others.remove(index);
        assigned = Set.copyOf(others);
        fences.put(index, Fence.behind(fences.get(index), System.nanoTime()));
    }

    private boolean isFenced(int index) {
        Fence fence = fences.get(index);
        return fence != null && System.nanoTime() - fence.untilNanos() < 0;
    }

    private void stopAll() {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(HANDOVER_MILLIS);
        running.values().forEach(ProcessTask::stop);
        try {
            for (ProcessTask task : running.values()) {
                task.awaitEnd(TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running.clear();
        given.clear();
    }

    /** Waits before the next attempt, unless it is closed. */
    private void pause() {
        try {
            boolean unused = closing.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The consumer that is a member. Its subscription is the topic of alerts, or of notes, which every replica has; it reads nothing. */
    private static final class Membership implements AutoCloseable {
        private final KafkaConsumer<byte[], byte[]> consumer;

        Membership(StormproofConfig config, TaskAssignor.Member member) {
            Map<String, Object> properties = config.kafkaConsumer();
            properties.put(ConsumerConfig.GROUP_ID_CONFIG, group(config));
            properties.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
            properties.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, List.of(TaskAssignor.class.getName()));
            properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS);
            properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
            properties.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, POLL_INTERVAL_MILLIS);
            properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
            properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
            properties.put(TaskAssignor.MEMBER, member);
            consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            consumer.subscribe(List.of(config.verifies() ? config.alerts.topic() : config.notary.notesTopic()));
        }

        void poll(Duration timeout) {
            try {
                var unused = consumer.poll(timeout);
            } catch (WakeupException e) {
                LOG.debug("the replica ends", e);
            }
        }

        /** Ends a poll; from any thread. */
        void wake() {
            consumer.wakeup();
        }

        void rejoin() {
            consumer.enforceRebalance("tasks have ended");
        }

        /** Leaves the group, so that the others need not wait until it counts as dead. */
        @Override
        public void close() {
            consumer.close(CloseOptions.timeout(Duration.ofMillis(RETRY_MILLIS)));
        }
    }
}
