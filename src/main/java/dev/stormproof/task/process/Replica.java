package dev.stormproof.task.process;

import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.Backoff;
import dev.stormproof.task.process.TaskSharing.Claim;
import dev.stormproof.task.process.TaskSharing.Share;
import dev.stormproof.task.process.TaskSharing.Terms;
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
 *   the group gives us a task   ──► it is started, once an earlier one of that index has ended
 *   the group takes it away     ──► it stops; when it has ended, the group is asked to give it to another replica
 *   the task was fenced         ──► the group is asked whose it is; if ours, it is started after a pause
 * </pre>
 *
 * <p>The group has no offsets and no partitions: progress and fencing are the tasks' own. Its name is that of the verification's group,
 * followed by {@value #SUFFIX}.
 */
final class Replica implements AutoCloseable, TaskAssignor.Member {
    static final String SUFFIX = "-replicas";

    /** How long a replica may be dead until the others take its tasks. */
    static final int SESSION_MILLIS = 10_000;

    /** How soon all replicas learn that one has joined or left. */
    static final int HEARTBEAT_MILLIS = 1_000;

    /** How long tasks have to write and close when the process ends. */
    static final long HANDOVER_MILLIS = 3_500;

    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);
    private static final int POLL_INTERVAL_MILLIS = 60_000;
    private static final Duration POLL = Duration.ofSeconds(1);
    /** While a task begins or ends, which the group has to know. */
    private static final Duration SHORT_POLL = Duration.ofMillis(50);

    private static final long RETRY_MILLIS = 1_000;
    static final Backoff FENCED = new Backoff(1_000, 60_000);
    /** How long after its end a pause counts. A second system begins again within the longest pause, and fences us then. */
    static final long FORGOTTEN_MILLIS = 5 * FENCED.mostMillis();

    private static final int NOT_JOINED = -1;

    private final StormproofConfig config;
    private final Terms terms;
    private final IntFunction<ProcessTask> tasks;
    private final Thread thread;
    private final Map<Integer, ProcessTask> running = new ConcurrentHashMap<>();
    /** The generation in which each running task was given to this replica. */
    private final Map<Integer, Integer> given = new HashMap<>();

    private final Map<Integer, Fence> fences = new HashMap<>();
    private final Resharing resharing = new Resharing();
    private volatile Set<Integer> assigned = Set.of();
    private volatile int generation = NOT_JOINED;
    private volatile boolean fits = true;
    private volatile @Nullable Membership open;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** A fenced task, and how long it is not started again: two systems with the same group would otherwise fence each other at once. */
    record Fence(long pauseMillis, long untilNanos) {
        /** The next fence. A task that has run for long is fenced by a successor, and not by a second system. */
        static Fence after(@Nullable Fence before, long nowNanos) {
            long forgottenNanos = TimeUnit.MILLISECONDS.toNanos(FORGOTTEN_MILLIS);
            boolean forgotten = before != null && nowNanos - before.untilNanos > forgottenNanos;
            long pauseMillis = FENCED.after(before == null || forgotten ? 0 : before.pauseMillis);
            return new Fence(pauseMillis, nowNanos + TimeUnit.MILLISECONDS.toNanos(pauseMillis));
        }
    }

    /**
     * @param tasks makes the task of an index, without starting it
     * @param failed takes a failure of our own
     */
    Replica(StormproofConfig config, IntFunction<ProcessTask> tasks, Thread.UncaughtExceptionHandler failed) {
        this.config = config;
        this.terms = new Terms(config.tasks.verifying(), config.fingerprint());
        this.tasks = tasks;
        this.thread = new Thread(this::run, "stormproof-replica");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(failed);
    }

    void start() {
        thread.start();
    }

    static String group(StormproofConfig config) {
        return config.groupId() + SUFFIX;
    }

    Set<Integer> assigned() {
        return assigned;
    }

    List<Integer> verifying() {
        return assigned.stream()
                .filter(index -> verifies(running.get(index)))
                .sorted()
                .toList();
    }

    boolean isReady() {
        return generation != NOT_JOINED && assigned.stream().allMatch(index -> verifies(running.get(index)));
    }

    long covered() {
        return running.values().stream().mapToLong(ProcessTask::covered).sum();
    }

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

    /** False while it stands by, because other replicas have the tasks with other settings. */
    boolean fits() {
        return fits;
    }

    @Override
    public Claim claim() {
        resharing.claimed();
        return new Claim(terms, given);
    }

    @Override
    public void assigned(Share share, int inGeneration) {
        Set<Integer> mine = share.tasks();
        LOG.info("tasks {} of {} are ours, in generation {}", mine, terms.tasks(), inGeneration);
        if (fits && !share.fits()) {
            LOG.warn("{} stands by: the replicas that have the tasks run with other settings", group(config));
        }
        fits = share.fits();
        mine.stream().filter(given::containsKey).forEach(task -> given.put(task, inGeneration));
        assigned = Set.copyOf(mine);
        generation = inGeneration;
        resharing.shared();
    }

    /** Hands over: has the tasks write their findings, and leaves the group, which gives them to other replicas. */
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
        int failures = 0;
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
                LOG.atLevel(ProcessTask.levelOf(++failures))
                        .setCause(e)
                        .log("the group {} cannot be joined now", group(config));
                pause();
            }
        }
        stopAll();
    }

    /** Starts and stops tasks as assigned, and wishes a resharing if one has ended that others may take. */
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
        fences.put(index, Fence.after(fences.get(index), System.nanoTime()));
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

    private void pause() {
        try {
            boolean unused = closing.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The consumer that is the member. It subscribes to the alerts topic, or the notes topic, which exists for every replica, and reads nothing. */
    private static final class Membership implements AutoCloseable {
        private final KafkaConsumer<byte[], byte[]> consumer;

        Membership(StormproofConfig config, TaskAssignor.Member member) {
            Map<String, Object> properties = config.kafkaConsumer();
            properties.put(ConsumerConfig.GROUP_ID_CONFIG, group(config));
            properties.put(ConsumerConfig.CLIENT_ID_CONFIG, ReplicaSettings.clientId(config.fingerprint()));
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
