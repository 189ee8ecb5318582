package dev.stormproof.storm;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.codahale.metrics.Counter;
import dev.stormproof.alert.Alert;
import dev.stormproof.audit.AuditPool;
import dev.stormproof.audit.KafkaLogReader;
import dev.stormproof.audit.LogReader;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.checkpoint.StrayRecord;
import dev.stormproof.config.StormproofConfig;
import dev.stormproof.verify.Finding;
import dev.stormproof.verify.Patience;
import dev.stormproof.verify.Stray;
import java.net.URLEncoder;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.storm.Config;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * System C: verifies its partitions and writes alerts and verified progress to Kafka.
 *
 * <p>It begins where the committed progress of the spout's group ends, whatever else of the topology goes on running.
 * Findings are written when the tick comes, or when many wait. If Kafka cannot be written to, the task ends with an
 * exception, so that Storm starts it anew from the last committed progress.
 */
final class CheckpointBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointBolt.class);

    /** Shorter than Kafka's default: the next task waits for it when this one was killed in mid-transaction. */
    private static final String TRANSACTION_TIMEOUT_MILLIS = "30000";

    /** How many jobs of audits wait at most, for each thread that makes them. */
    private static final int JOBS_PER_THREAD = 4;

    private final TopologySettings settings;
    private final int tickSeconds;

    @SuppressWarnings("NullAway.Init") // Storm calls prepare first, for this and all that follow.
    private transient StormproofConfig config;

    @SuppressWarnings("NullAway.Init")
    private transient OutputCollector collector;

    @SuppressWarnings("NullAway.Init")
    private transient FindingsOutbox outbox;

    @SuppressWarnings("NullAway.Init")
    private transient AuditPool pool;

    @SuppressWarnings("NullAway.Init")
    private transient TaskVerification verification;

    @SuppressWarnings("NullAway.Init")
    private transient Map<Alert.Type, Counter> counters;

    CheckpointBolt(TopologySettings settings) {
        this.settings = settings;
        this.tickSeconds = settings.config().flushIntervalSeconds();
    }

    @Override
    public Map<String, Object> getComponentConfiguration() {
        return Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, tickSeconds);
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
        config = settings.config();
        collector = output;
        counters = counters(context);
        // First the producer, which ends a transaction that a dead predecessor left open; then the progress behind it.
        Producer<byte[], byte[]> producer = newProducer(context);
        Predicate<TopicPartition> mine = partition -> isMine(partition, context);
        GroupProgress progress = GroupProgress.read(config, mine);
        outbox = new FindingsOutbox(producer, progress.group(), destination(), note -> note.encode(context));
        long records = AlertsTopic.read(
                config,
                progress.told(),
                mine,
                (alert, place) -> outbox.recall(alert, place, progressOf(alert, progress.partitions())));
        LogRecordParser parser = TopologySettings.newParser(config);
        pool = new AuditPool(
                "stormproof-" + context.getThisTaskId(),
                config.auditThreads(),
                config.auditThreads() * JOBS_PER_THREAD,
                this::newLogReader);
        TaskAudits audits = new TaskAudits(pool, collector::reportError);
        registerGauges(context, audits);
        verification = new TaskVerification(
                parser, progress.partitions(), this::firstOffset, audits, patience(), this::collect, outbox::forget);
        LOG.info(
                "verifying for group {}, alerts go to {}, where {} were read back; progress {}",
                config.groupId(),
                config.alertsTopic(),
                records,
                progress.partitions());
    }

    @Override
    public void execute(Tuple tuple) {
        if (TupleUtils.isTick(tuple)) {
            verification.tick(System.currentTimeMillis());
            flush();
        } else {
            verification.take(Delivery.in(tuple));
            if (outbox.size() >= config.flushMaxFindings()) {
                flush();
            }
        }
        collector.ack(tuple);
    }

    @Override
    public void cleanup() {
        pool.close();
        outbox.close();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}

    /** What an operator wants to see of audits: how many jobs there are, and how many partitions cannot be read. */
    private void registerGauges(TopologyContext context, TaskAudits audits) {
        context.registerGauge("audit-jobs", pool::pending);
        context.registerGauge("audit-failing-partitions", audits::failing);
    }

    private LogReader newLogReader() {
        return new KafkaLogReader(config.kafkaConsumer(), TopologySettings.newParser(config));
    }

    /** Where to begin in a partition that was added since this task began: at its progress, or where its log begins. */
    private long firstOffset(TopicPartition partition) {
        Progress progress =
                GroupProgress.read(config, partition::equals).partitions().get(partition);
        if (progress != null) {
            return progress.offset();
        }
        try (LogReader reader = newLogReader()) {
            return reader.of(partition).beginOffset();
        }
    }

    private static long progressOf(Alert alert, Map<TopicPartition, Progress> progress) {
        Progress known = progress.get(FindingsOutbox.partitionOf(alert.finding()));
        return known == null ? 0 : known.offset();
    }

    private static boolean isMine(TopicPartition partition, TopologyContext context) {
        int taskCount = context.getComponentTasks(context.getThisComponentId()).size();
        return PartitionPlacement.taskIndex(partition.topic(), partition.partition(), taskCount)
                == context.getThisTaskIndex();
    }

    private void collect(Finding finding) {
        counter(finding).inc();
        if (!isIgnored(finding)) {
            outbox.add(finding);
        }
    }

    private void flush() {
        outbox.flush(verification.progress(), System.currentTimeMillis());
    }

    private boolean isIgnored(Finding finding) {
        return !config.alertsOnUnsignedEvents()
                && finding instanceof Stray stray
                && stray.kind() == StrayRecord.Kind.UNSIGNED;
    }

    private Producer<byte[], byte[]> newProducer(TopologyContext context) {
        Map<String, Object> properties = new HashMap<>(config.kafkaProducer());
        properties.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MILLIS);
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId(config, context.getThisTaskIndex()));
        Producer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }

    /** The transactional id of a task's producer: the next task of that index fences it. */
    static String transactionalId(StormproofConfig config, int taskIndex) {
        return "stormproof-" + config.groupId() + "-" + taskIndex;
    }

    private FindingsOutbox.Destination destination() {
        return new FindingsOutbox.Destination(
                config.alertsTopic(),
                config.verdictsTopic(),
                "/stormproof/" + URLEncoder.encode(config.groupId(), UTF_8));
    }

    private Patience patience() {
        return new Patience(config.silenceGraceMillis(), config.silenceWithoutPromiseMillis());
    }

    private Counter counter(Finding finding) {
        Alert.Type type = new Alert("", 0, finding).type();
        return Objects.requireNonNull(counters.get(type));
    }

    private static Map<Alert.Type, Counter> counters(TopologyContext context) {
        Map<Alert.Type, Counter> counters = new EnumMap<>(Alert.Type.class);
        for (Alert.Type type : Alert.Type.values()) {
            counters.put(type, context.registerCounter("findings-" + type.name().toLowerCase(Locale.ROOT)));
        }
        return counters;
    }
}
