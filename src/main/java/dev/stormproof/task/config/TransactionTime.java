package dev.stormproof.task.config;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;

/**
 * The timeout of a task's transaction, after which brokers end it and the task has to begin again.
 *
 * <pre>
 *   begin ── output is added ──── the last event, each attempt hangs ──── the records are written ──── commit
 *            {@value #MOST_OPEN_MILLIS} ms, or a flush    with its retries                    {@value #WRITING_MILLIS} ms, or as configured
 * </pre>
 *
 * @param outputs whether there is an output
 * @param attempts how often a transform is tried on one event
 * @param attemptMillis how long each attempt may take
 * @param writingMillis how long the writing of its records may take
 */
public record TransactionTime(
        boolean outputs, long flushIntervalMillis, int attempts, long attemptMillis, long writingMillis) {
    /** For how long output is added to one. */
    public static final long MOST_OPEN_MILLIS = 10_000;

    /** How long the writing of its records may take by default. */
    static final long WRITING_MILLIS = 15_000;

    /** How long a task's producer waits for an answer by default. */
    public static final int REQUEST_MILLIS = 10_000;

    /** How much longer than one answer the writing of a record may take. */
    private static final long SPARE_MILLIS = 4_000;

    /** Shorter than Kafka's default: the successor of a task that was killed within a transaction waits for it. */
    private static final long SHORT_MILLIS = 30_000;

    /** The longest that brokers allow by default ({@code transaction.max.timeout.ms}). */
    private static final long LONGEST_MILLIS = 900_000;

    private static final String KEY = "producer." + ProducerConfig.TRANSACTION_TIMEOUT_CONFIG;

    /**
     * For how long a producer tries to write a record: at least {@value #WRITING_MILLIS} ms.
     *
     * @param producer its properties
     * @param flushIntervalMillis for how long it gathers records by default
     */
    static long writingMillis(Map<String, Object> producer, long flushIntervalMillis) {
        long lingerMillis = given(producer, ProducerConfig.LINGER_MS_CONFIG, flushIntervalMillis);
        long requestMillis = given(producer, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS);
        long deliveryMillis = deliveryMillis(lingerMillis, requestMillis);
        long triedMillis = given(producer, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryMillis);
        return Math.max(WRITING_MILLIS, triedMillis);
    }

    /**
     * For how long a task's producer tries to write a record by default.
     *
     * @param lingerMillis for how long it gathers records
     * @param requestMillis how long it waits for an answer
     */
    public static int deliveryMillis(long lingerMillis, long requestMillis) {
        long onceMillis = Math.min(Integer.MAX_VALUE, lingerMillis) + requestMillis;
        return (int) Math.min(Integer.MAX_VALUE, Math.max(WRITING_MILLIS, onceMillis + SPARE_MILLIS));
    }

    private static long given(Map<String, Object> producer, String key, long otherwise) {
        Object given = producer.get(key);
        return given == null || SecretReferences.isReferenceIn(given.toString())
                ? otherwise
                : Long.parseLong(given.toString().trim());
    }

    /** The default timeout. */
    public int defaultMillis() {
        return (int) Math.min(LONGEST_MILLIS, Math.max(SHORT_MILLIS + attemptsMillis(), leastMillis()));
    }

    /** How long a transaction may take, up to the longest timeout that brokers allow by default. */
    long leastMillis() {
        long addingMillis = outputs ? Math.max(MOST_OPEN_MILLIS, flushIntervalMillis) : 0;
        return Math.min(LONGEST_MILLIS, addingMillis + attemptsMillis() + writingMillis);
    }

    /**
     * Throws if the configured timeout is too short.
     *
     * @param producer the properties of its producer
     */
    void check(Map<String, Object> producer) {
        long leastMillis = leastMillis();
        long givenMillis = given(producer, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, leastMillis);
        if (givenMillis < leastMillis) {
            throw new ConfigException(
                    KEY,
                    givenMillis,
                    "a transaction may take " + leastMillis
                            + " ms with these settings, and brokers would end it: set at least that, or leave it out"
                            + (outputs
                                    ? "; or lower transform.timeout.ms, transform.retries, flush.interval.ms or producer.delivery.timeout.ms"
                                    : ""));
        }
    }

    private long attemptsMillis() {
        return outputs ? attempts * Math.min(LONGEST_MILLIS, attemptMillis) * 5 / 4 : 0;
    }
}
