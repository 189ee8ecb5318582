package dev.stormproof.cli.submit;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.task.config.AlertSettings;
import dev.stormproof.task.config.InputSettings;
import dev.stormproof.task.config.InputTopics;
import dev.stormproof.task.config.NotarySettings;
import dev.stormproof.task.config.OutputSettings;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.config.TaskSettings;
import dev.stormproof.task.config.TrackerPlacement;
import dev.stormproof.task.heads.OwnTopic;
import dev.stormproof.task.live.run.RecordParsers;
import dev.stormproof.task.live.run.Release;
import dev.stormproof.task.live.run.TransactionalIds;
import dev.stormproof.task.notary.NotaryTask;
import dev.stormproof.task.transform.EventTransforms;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.storm.Config;

/** The check before a topology starts: a configuration that cannot work is refused with a reason instead of failing late. */
public final class StartupCheck {
    /** Timeouts in milliseconds, short because the caller waits for an answer. */
    private static final Map<String, String> TIMEOUTS = Map.of(
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, "5000",
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, "15000");

    private final StormproofConfig config;
    private final Map<String, Integer> tasks;
    private final List<String> warnings = new ArrayList<>();

    /** The groups whose offsets are the verification's, and those that it is a member of. */
    private final List<String> groups = new ArrayList<>();

    /**
     * @param tasks how many tasks there are of each setting that counts some
     */
    private StartupCheck(StormproofConfig config, Map<String, Integer> tasks) {
        this.config = config;
        this.tasks = tasks;
        groups.add(config.groupId());
        if (config.output.isAny()) {
            groups.add(Release.group(config));
        }
    }

    /**
     * Looks at the configuration, at the classes that it names, at the topics in Kafka, and at our rights there.
     *
     * @param stormOverrides settings of Storm that the topology will be submitted with besides its own
     * @return warnings, one line each
     * @throws Failure with the first reason not to start
     */
    public static List<String> check(StormproofConfig config, Map<String, ?> stormOverrides) {
        checkBatchSizes(stormOverrides);
        if (!config.verifies()) {
            throw Failure.usage("a topology needs " + InputSettings.INPUT_TOPICS
                    + ": without anything to verify, 'stormproof watch' notarizes alone");
        }
        boolean atSource = config.tasks.placement() == TrackerPlacement.SOURCE;
        Map<String, Integer> spouts = Map.of(TaskSettings.SPOUT_TASKS, config.tasks.spouts());
        Map<String, Integer> all = new TreeMap<>(spouts);
        all.put(TaskSettings.TRANSFORM_TASKS, config.tasks.transforms());
        all.put(TaskSettings.CHECKPOINT_TASKS, config.tasks.checkpoints());
        return new StartupCheck(config, atSource ? spouts : all).check();
    }

    /**
     * The same for a process without Storm.
     *
     * @param replicas the group that it joins
     */
    public static List<String> checkProcess(StormproofConfig config, String replicas) {
        if (!config.output.transform().equals(OutputSettings.NO_TRANSFORM) && !config.output.isAny()) {
            throw Failure.usage(OutputSettings.TRANSFORM + "=" + config.output.transform()
                    + " would never run without Storm's transform bolt and without " + OutputSettings.OUTPUT_TOPIC
                    + ": set that, or leave it out");
        }
        boolean atSource = config.tasks.placement() == TrackerPlacement.SOURCE;
        StartupCheck check = new StartupCheck(
                config,
                Map.of(atSource ? TaskSettings.SPOUT_TASKS : TaskSettings.CHECKPOINT_TASKS, config.tasks.verifying()));
        check.groups.add(replicas);
        return check.check();
    }

    private List<String> check() {
        checkClasses();
        warnings.addAll(taskWarnings(config));
        checkReferences();
        checkKafka();
        return List.copyOf(warnings);
    }

    private void checkClasses() {
        Failure.configured("", () -> EventTransforms.named(config.output.transform()));
        Failure.configured("", () -> RecordParsers.newParser(config));
    }

    /** Numbers of tasks that mean nothing, one line each. */
    static List<String> taskWarnings(StormproofConfig config) {
        if (config.tasks.placement() != TrackerPlacement.SOURCE) {
            return List.of();
        }
        return Stream.of(TaskSettings.TRANSFORM_TASKS, TaskSettings.CHECKPOINT_TASKS)
                .filter(config.properties()::containsKey)
                .map(key -> key + " does nothing with " + TaskSettings.TRACKER_PLACEMENT + "="
                        + TrackerPlacement.SOURCE.label() + ": the " + TaskSettings.SPOUT_TASKS + " verify")
                .toList();
    }

    /** Larger batches reorder tuples around a full queue. */
    private static void checkBatchSizes(Map<String, ?> overrides) {
        for (String key : List.of(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, Config.TOPOLOGY_TRANSFER_BATCH_SIZE)) {
            Object value = overrides.get(key);
            if (value != null && !value.toString().equals("1")) {
                throw Failure.usage(key + "=" + value + " would reorder events inside Storm: leave it at 1");
            }
        }
    }

    private void checkReferences() {
        Set<String> unresolved =
                Failure.configured("a reference cannot be resolved on this machine: ", config::unresolvedReferences);
        if (!unresolved.isEmpty()) {
            throw Failure.usage(String.join(" and ", unresolved)
                    + " cannot be resolved on this machine: is the file there, and" + " may it be read?");
        }
    }

    private void checkKafka() {
        Map<String, Object> properties = new HashMap<>(config.kafkaAdmin());
        // Kafka demands that they fit together, so that none of ours is set if one is configured.
        if (Collections.disjoint(properties.keySet(), TIMEOUTS.keySet())) {
            properties.putAll(TIMEOUTS);
        }
        try (Admin admin = Admin.create(properties)) {
            BrokerInquiry kafka = new BrokerInquiry(admin, config.bootstrapServers());
            if (config.notarizes()) {
                checkNotary(kafka);
            }
            if (!config.verifies()) {
                groups.remove(config.groupId());
                groups.forEach(kafka::demandGroup);
                return;
            }
            checkInputs(kafka);
            kafka.topic(config.alerts.topic(), AlertSettings.ALERTS_TOPIC, AclOperation.READ, AclOperation.WRITE);
            checkOwn(
                    kafka,
                    admin,
                    OwnTopic.ofHeads(config),
                    AclOperation.READ,
                    AclOperation.WRITE,
                    AclOperation.DESCRIBE_CONFIGS);
            OwnTopic.ofVerdicts(config).ifPresent(verdicts -> checkOwn(kafka, admin, verdicts, AclOperation.WRITE));
            config.output
                    .divertedTopic()
                    .ifPresent(topic -> kafka.topic(topic, OutputSettings.DIVERTED_TOPIC, AclOperation.WRITE));
            groups.forEach(kafka::demandGroup);
            kafka.demandTransactionalIds(IntStream.range(0, config.tasks.verifying())
                    .mapToObj(index -> TransactionalIds.of(config, index))
                    .toList());
        } catch (KafkaException e) {
            throw Failure.usage("cannot make a Kafka client: " + Failure.ofClient(e), e);
        }
    }

    /** The rights on a topic that is there come first: what cannot be looked at is not created. */
    private static void checkOwn(BrokerInquiry kafka, Admin admin, OwnTopic own, AclOperation... needed) {
        if (kafka.topics().contains(own.name())) {
            kafka.topic(own.name(), own.key(), needed);
        }
        var unused = Failure.configured("", () -> own.demand(admin));
        kafka.topic(own.name(), own.key(), needed);
    }

    private void checkNotary(BrokerInquiry kafka) {
        for (String name : config.notary.topics()) {
            kafka.topic(name, NotarySettings.NOTARY_TOPICS, AclOperation.READ, AclOperation.DESCRIBE_CONFIGS);
            refuse(
                    kafka,
                    name,
                    TopicConfig.CLEANUP_POLICY_COMPACT,
                    NotarySettings.NOTARY_TOPICS + ": topic '" + name
                            + "' is compacted: Kafka itself removes records from it, so that no note on it would hold");
        }
        String notes = config.notary.notesTopic();
        kafka.topic(
                notes,
                NotarySettings.NOTES_TOPIC,
                AclOperation.READ,
                AclOperation.WRITE,
                AclOperation.DESCRIBE_CONFIGS);
        refuse(
                kafka,
                notes,
                TopicConfig.CLEANUP_POLICY_COMPACT,
                NotarySettings.NOTES_TOPIC + ": topic '" + notes
                        + "' is compacted, and would keep the last note of each tree alone; set "
                        + TopicConfig.CLEANUP_POLICY_CONFIG + "=" + TopicConfig.CLEANUP_POLICY_DELETE + " and "
                        + TopicConfig.RETENTION_MS_CONFIG + "=-1");
        for (String retention : List.of(TopicConfig.RETENTION_MS_CONFIG, TopicConfig.RETENTION_BYTES_CONFIG)) {
            if (!kafka.setting(notes, retention).equals("-1")) {
                throw Failure.usage(NotarySettings.NOTES_TOPIC + ": notes expire from topic '" + notes + "' ("
                        + retention + "=" + kafka.setting(notes, retention)
                        + "), and a tree whose last note is gone cannot be continued; set " + retention + "=-1");
            }
        }
        config.notary.tiles().ifPresent(tiles -> {
            kafka.topic(
                    tiles,
                    NotarySettings.NOTARY_TILES,
                    AclOperation.READ,
                    AclOperation.WRITE,
                    AclOperation.DESCRIBE_CONFIGS);
            refuse(
                    kafka,
                    tiles,
                    TopicConfig.CLEANUP_POLICY_DELETE,
                    NotarySettings.NOTARY_TILES + ": from topic '"
                            + tiles + "' tiles would expire; set " + TopicConfig.CLEANUP_POLICY_CONFIG + "="
                            + TopicConfig.CLEANUP_POLICY_COMPACT);
        });
        Failure.configured("", () -> NotaryTask.key(config));
        groups.add(NotaryTask.group(config));
        kafka.demandTransactionalIds(IntStream.range(0, config.tasks.verifying())
                .mapToObj(index -> TransactionalIds.ofNotary(config, index))
                .toList());
    }

    private static void refuse(BrokerInquiry kafka, String topic, String policy, String why) {
        if (kafka.setting(topic, TopicConfig.CLEANUP_POLICY_CONFIG).contains(policy)) {
            throw Failure.usage(why);
        }
    }

    private void checkInputs(BrokerInquiry kafka) {
        int partitions = 0;
        for (String name : inputs(kafka)) {
            partitions += kafka.topic(
                            name, InputSettings.INPUT_TOPICS, AclOperation.READ, AclOperation.DESCRIBE_CONFIGS)
                    .partitions()
                    .size();
            String policy = kafka.setting(name, TopicConfig.CLEANUP_POLICY_CONFIG);
            if (policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
                throw Failure.usage(
                        "input topic '" + name + "' is compacted (" + TopicConfig.CLEANUP_POLICY_CONFIG + "=" + policy
                                + "): Kafka itself removes events from it, so that nothing can be proven of them");
            }
            config.outputTopic(name).ifPresent(output -> checkOutput(kafka, name, output));
        }
        for (Map.Entry<String, Integer> some : tasks.entrySet()) {
            if (some.getValue() > partitions) {
                warnings.add(some.getKey() + "=" + some.getValue() + ", but the input has only " + partitions
                        + " partitions: the other tasks will be idle");
            }
        }
    }

    private static void checkOutput(BrokerInquiry kafka, String input, String output) {
        int inputPartitions =
                kafka.topic(input, InputSettings.INPUT_TOPICS).partitions().size();
        int partitions = kafka.topic(
                        output, OutputSettings.OUTPUT_TOPIC, AclOperation.WRITE, AclOperation.DESCRIBE_CONFIGS)
                .partitions()
                .size();
        if (partitions != inputPartitions) {
            throw Failure.usage(
                    "output topic '" + output + "' has " + partitions + " partitions and input topic '" + input
                            + "' has " + inputPartitions
                            + ": events stay in their partitions, so that both need as many; create '"
                            + output + "' with " + inputPartitions);
        }
        String policy = kafka.setting(output, TopicConfig.CLEANUP_POLICY_CONFIG);
        if (policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw Failure.usage("output topic '" + output + "' is compacted (" + TopicConfig.CLEANUP_POLICY_CONFIG + "="
                    + policy + "): Kafka itself would remove events and checkpoints from it; set "
                    + TopicConfig.CLEANUP_POLICY_CONFIG + "=" + TopicConfig.CLEANUP_POLICY_DELETE);
        }
        long mostInput = Long.parseLong(kafka.setting(input, TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
        long most = Long.parseLong(kafka.setting(output, TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
        if (most < mostInput) {
            throw Failure.usage(
                    "output topic '" + output + "' takes records of " + most + " bytes and input topic '" + input
                            + "' of " + mostInput + ": a checkpoint could not be passed on; set "
                            + TopicConfig.MAX_MESSAGE_BYTES_CONFIG + "=" + mostInput + " or more on '" + output + "'");
        }
    }

    private Set<String> inputs(BrokerInquiry kafka) {
        InputTopics inputs = config.input.names();
        Set<String> names = new TreeSet<>(inputs.names());
        if (inputs.arePattern()) {
            kafka.topics().stream().filter(inputs::contains).forEach(names::add);
            names.forEach(name -> config.outputTopic(name)
                    .filter(inputs::matches)
                    .ifPresent(output -> {
                        throw Failure.usage(
                                InputSettings.INPUT_TOPICS_PATTERN + "=" + inputs.text() + " matches '" + output
                                        + "' as well, which is the output of '" + name
                                        + "': what is written there would be read again without end; let the pattern match no output,"
                                        + " or name the outputs otherwise");
                    }));
            if (names.isEmpty()) {
                warnings.add("no topic matches " + InputSettings.INPUT_TOPICS_PATTERN + " yet");
            }
        }
        return names;
    }
}
