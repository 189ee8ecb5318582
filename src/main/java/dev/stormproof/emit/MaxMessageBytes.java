package dev.stormproof.emit;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The largest checkpoint that a topic's brokers accept, as far as is known.
 *
 * <pre>
 *   ASSUMED: stormproof.checkpoint.max.bytes ── the cluster gave its max.message.bytes ──▶ KNOWN
 *      ▲                                                                                    │
 *      └── a checkpoint was refused: at most half of its size from now on, and asked again ─┘
 *          (of a size that is proven: asked again, and halved if it is refused once more)
 * </pre>
 *
 * <p>The second attempt is for transactions: once a record of one has failed, the client fails all unsent records with the same exception, so a
 * checkpoint may seem too large when it was an event.
 *
 * <p>While it is ASSUMED, only acknowledged sizes are proven. It never grows: a refused size would be refused again. Kafka's callbacks write
 * here, in their own threads.
 */
final class MaxMessageBytes {
    private static final Logger LOG = LoggerFactory.getLogger(MaxMessageBytes.class);

    /** An upper bound of the bytes of a checkpoint's record and batch besides the checkpoint. */
    static final int RECORD_OVERHEAD_BYTES = 1_024;

    private static final long MAX_WAIT_MILLIS = 5_000;

    private static final String COMPACTED =
            "topic {} is compacted: brokers take no checkpoint there, and Kafka itself removes events;"
                    + " write to a topic with cleanup.policy=delete, or to this one with a KafkaProducer";

    private final String topic;
    private final Runnable inquiry;
    private final CompletableFuture<Boolean> answered = new CompletableFuture<>();
    /** Written under the monitor; read with each event. */
    private volatile int maxBytes;

    private volatile boolean compacted;
    private boolean known;
    private int arrivedBytes;
    /** A proven size that was then refused; 0 once it is acknowledged again. */
    private int doubtedBytes;

    private boolean warned;

    /** @param inquiry asks the cluster, and calls {@link #setKnown} if that answers */
    MaxMessageBytes(String topic, int maxBytes, Runnable inquiry) {
        this.topic = topic;
        this.maxBytes = maxBytes;
        this.inquiry = inquiry;
    }

    /** Waits once, for a short time, until the cluster was asked for the first time. Refusals would show the limit as well. */
    void awaitAnswer(long maxBlockMillis) {
        try {
            answered.get(waitMillis(maxBlockMillis), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.debug("{}: the cluster did not report the topic's limit in time", topic, e);
            answered();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** How long a first send waits, within its producer's max.block.ms. */
    static long waitMillis(long maxBlockMillis) {
        return Math.min(maxBlockMillis, MAX_WAIT_MILLIS);
    }

    /** The cluster was asked, with or without an answer. */
    void answered() {
        answered.complete(true);
    }

    /** True if the failure proves that the record is too large and was not appended. */
    static boolean isTooLarge(@Nullable Exception failure) {
        return failure instanceof RecordTooLargeException || failure instanceof RecordBatchTooLargeException;
    }

    /** The size that checkpoints with leaves must not exceed. */
    int maxBytes() {
        return maxBytes;
    }

    /** True if the topic is known to accept a checkpoint of this size. */
    synchronized boolean isProven(int sizeBytes) {
        return known || sizeBytes <= arrivedBytes;
    }

    synchronized void arrived(int sizeBytes) {
        arrivedBytes = Math.max(arrivedBytes, sizeBytes);
        if (sizeBytes >= doubtedBytes) {
            doubtedBytes = 0;
        }
    }

    /** The topic's settings, as far as the cluster reports them. */
    synchronized void setKnown(Map<String, String> settings) {
        String maxMessageBytes = settings.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        if (maxMessageBytes != null) {
            known = true;
            lower(Integer.parseInt(maxMessageBytes) - RECORD_OVERHEAD_BYTES);
        }
        if (settings.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "").contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            takesNone();
        }
    }

    /** A checkpoint failed, not for its size: a broker says of a record without a key whether its topic is compacted. */
    void failed(Exception failure) {
        if (failure instanceof InvalidRecordException
                && String.valueOf(failure.getMessage()).contains("ompacted topic")) {
            takesNone();
        }
    }

    private synchronized void takesNone() {
        if (!compacted) {
            compacted = true;
            LOG.error(COMPACTED, topic);
        }
    }

    /**
     * Refuses events that could not be sealed, and that a broker would refuse with the checkpoint in their batch.
     *
     * @throws InvalidConfigurationException if the topic takes no checkpoint
     */
    void demandCheckpoints() {
        if (compacted) {
            throw new InvalidConfigurationException(COMPACTED.replace("{}", topic));
        }
    }

    /** A checkpoint of this size was refused as too large. */
    void refused(int sizeBytes) {
        synchronized (this) {
            boolean contradicted = isProven(sizeBytes) && doubtedBytes == 0;
            known = false;
            arrivedBytes = 0;
            doubtedBytes = sizeBytes;
            if (!contradicted) {
                lower(sizeBytes / 2);
            }
        }
        inquiry.run();
    }

    private void lower(int bytes) {
        if (bytes >= maxBytes) {
            return;
        }
        maxBytes = Math.max(0, bytes);
        if (!warned) {
            warned = true;
            LOG.warn(
                    "{}: the topic takes checkpoints of up to {} bytes, and so gets more of them, or some without leaves; raise"
                            + " its max.message.bytes, or lower {}",
                    topic,
                    maxBytes,
                    EmitterConfig.MAX_BYTES);
        }
    }
}
