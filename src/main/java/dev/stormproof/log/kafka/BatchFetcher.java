package dev.stormproof.log.kafka;

import dev.stormproof.log.kafka.FetchedRecords.Aborted;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.EpochEnd;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.DefaultHostResolver;
import org.apache.kafka.clients.FetchSessionHandler.FetchRequestData;
import org.apache.kafka.clients.Metadata.LeaderAndEpoch;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.internals.ConsumerMetadata;
import org.apache.kafka.clients.consumer.internals.ConsumerNetworkClient;
import org.apache.kafka.clients.consumer.internals.ConsumerUtils;
import org.apache.kafka.clients.consumer.internals.Deserializers;
import org.apache.kafka.clients.consumer.internals.FetchConfig;
import org.apache.kafka.clients.consumer.internals.FetchMetricsManager;
import org.apache.kafka.clients.consumer.internals.Fetcher;
import org.apache.kafka.clients.consumer.internals.OffsetFetcher;
import org.apache.kafka.clients.consumer.internals.RequestFuture;
import org.apache.kafka.clients.consumer.internals.SubscriptionState;
import org.apache.kafka.clients.consumer.internals.SubscriptionState.FetchPosition;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopicCollection;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochRequest;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochResponse;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Timer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * A fetcher of record batches as bytes, one partition at a time: Kafka's own consumer without a group, whose fetcher has the
 * records taken away before it makes objects of them.
 *
 * <pre>
 *   broker ──► NetworkClient ──► Fetcher ──► handleFetchSuccess ──► records taken away ──► {@link FetchedRecords}
 *                                   └ sessions, errors, leader epochs, replicas to read from, quotas: as Kafka has them
 * </pre>
 *
 * <p>The only class that uses the client's internal packages to ask brokers, which may change with every release of it;
 * {@code scripts/check clients next:VERSION} tries another. Belongs to one thread.
 */
final class BatchFetcher implements AutoCloseable {
    private static final long CLOSE_MILLIS = 1_000;

    private final Time time = Time.SYSTEM;
    private final Metrics metrics;
    private final SubscriptionState subscriptions;
    private final ConsumerMetadata metadata;
    private final ConsumerNetworkClient client;
    private final TakingFetcher fetcher;
    private final OffsetFetcher offsets;
    private final ReceiveBuffers buffers = new ReceiveBuffers();
    private final int timeoutMillis;
    private final long retryMillis;
    private @Nullable TopicPartition partition;
    private @Nullable FetchedRecords fetched;
    /** The id of the topic that the last records were fetched of; zero if unknown. */
    private Uuid topicId = Uuid.ZERO_UUID;

    /** The leader by which the position was set. */
    private @Nullable LeaderAndEpoch leader;
    /** The leader epoch of the last batch before the position; -1 if unknown. */
    private int advancedEpoch = DeliveryLink.NO_EPOCH;
    /** The position, if it is where the last batches end; -1 if it was set. */
    private long advancedOffset = -1;

    /** @param consumerConfig the configuration of a consumer with {@code auto.offset.reset=none} */
    BatchFetcher(Map<String, Object> consumerConfig) {
        Map<String, Object> settings = new HashMap<>(consumerConfig);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        ConsumerConfig config = new ConsumerConfig(settings);
        timeoutMillis = config.getInt(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG);
        String clientId = config.getString(ConsumerConfig.CLIENT_ID_CONFIG);
        LogContext log = new LogContext("[" + clientId + "] ");
        ApiVersions versions = new ApiVersions();
        retryMillis = config.getLong(ConsumerConfig.RETRY_BACKOFF_MS_CONFIG);
        metrics = ConsumerUtils.createMetrics(config, time, CommonClientConfigs.metricsReporters(clientId, config));
        subscriptions = ConsumerUtils.createSubscriptionState(config, log);
        metadata = new ConsumerMetadata(
                config,
                subscriptions,
                log,
                ClientUtils.configureClusterResourceListeners(metrics.reporters(), List.of()));
        metadata.bootstrap(ClientUtils.parseAndValidateAddresses(config));
        FetchMetricsManager fetchMetrics = ConsumerUtils.createFetchMetricsManager(metrics);
        client = networkClient(config, log, versions, fetchMetrics.throttleTimeSensor());
        FetchConfig fetch = new FetchConfig(config);
        fetcher = new TakingFetcher(config, log, fetch, fetchMetrics, versions);
        offsets = new OffsetFetcher(
                log,
                client,
                metadata,
                subscriptions,
                time,
                retryMillis,
                config.getInt(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG),
                fetch.isolationLevel,
                versions);
    }

    /** The client that {@link ConsumerUtils} makes, with other buffers for the answers. */
    private ConsumerNetworkClient networkClient(
            ConsumerConfig config, LogContext log, ApiVersions versions, Sensor throttleTime) {
        Selector selector = new Selector(
                NetworkReceive.UNLIMITED,
                config.getLong(ConsumerConfig.CONNECTIONS_MAX_IDLE_MS_CONFIG),
                metrics,
                time,
                ConsumerUtils.CONSUMER_METRIC_GROUP_PREFIX,
                Map.of(),
                true,
                false,
                ClientUtils.createChannelBuilder(config, time, log),
                buffers,
                log);
        NetworkClient network = new NetworkClient(
                null,
                metadata,
                selector,
                config.getString(ConsumerConfig.CLIENT_ID_CONFIG),
                ConsumerUtils.CONSUMER_MAX_INFLIGHT_REQUESTS_PER_CONNECTION,
                config.getLong(ConsumerConfig.RECONNECT_BACKOFF_MS_CONFIG),
                config.getLong(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG),
                config.getInt(ConsumerConfig.SEND_BUFFER_CONFIG),
                config.getInt(ConsumerConfig.RECEIVE_BUFFER_CONFIG),
                config.getInt(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG),
                config.getLong(ConsumerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG),
                config.getLong(ConsumerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG),
                time,
                true,
                versions,
                throttleTime,
                log,
                new DefaultHostResolver(),
                null,
                config.getLong(CommonClientConfigs.METADATA_RECOVERY_REBOOTSTRAP_TRIGGER_MS_CONFIG),
                MetadataRecoveryStrategy.forName(
                        config.getString(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG)));
        return new ConsumerNetworkClient(
                log,
                network,
                metadata,
                time,
                retryMillis,
                config.getInt(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG),
                config.getInt(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG));
    }

    /** Kafka's fetcher, from whose answers the records are taken: it finds empty ones. */
    private final class TakingFetcher extends Fetcher<byte[], byte[]> {
        TakingFetcher(
                ConsumerConfig config,
                LogContext log,
                FetchConfig fetch,
                FetchMetricsManager fetchMetrics,
                ApiVersions versions) {
            super(
                    log,
                    client,
                    BatchFetcher.this.metadata,
                    BatchFetcher.this.subscriptions,
                    fetch,
                    new Deserializers<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer(), metrics),
                    fetchMetrics,
                    BatchFetcher.this.time,
                    versions);
        }

        @Override
        protected void handleFetchSuccess(Node node, FetchRequestData asked, ClientResponse response) {
            take(asked, (FetchResponse) response.responseBody());
            super.handleFetchSuccess(node, asked, response);
        }
    }

    /** Takes the partition's records out of an answer; the records of an older fetch, at another position, are dropped. */
    private void take(FetchRequestData asked, FetchResponse response) {
        for (FetchResponseData.FetchableTopicResponse topic : response.data().responses()) {
            for (FetchResponseData.PartitionData data : topic.partitions()) {
                if (data.errorCode() == Errors.NONE.code()
                        && FetchResponse.recordsOrFail(data) instanceof MemoryRecords records) {
                    if (records.sizeInBytes() > 0 && isWanted(asked, topic, data)) {
                        fetched = new FetchedRecords(inArray(records), aborted(data));
                        topicId =
                                Objects.requireNonNull(asked.sessionPartitions().get(partition())).topicId;
                    }
                    data.setRecords(MemoryRecords.EMPTY);
                }
            }
        }
    }

    private boolean isWanted(
            FetchRequestData asked,
            FetchResponseData.FetchableTopicResponse topic,
            FetchResponseData.PartitionData data) {
        TopicPartition wanted = partition;
        FetchRequest.@Nullable PartitionData request =
                wanted == null ? null : asked.sessionPartitions().get(wanted);
        if (wanted == null || request == null || data.partitionIndex() != wanted.partition()) {
            return false;
        }
        boolean sameTopic = topic.topic().isEmpty()
                ? topic.topicId().equals(request.topicId)
                : topic.topic().equals(wanted.topic());
        FetchPosition position = subscriptions.positionOrNull(wanted);
        return sameTopic
                && subscriptions.hasValidPosition(wanted)
                && position != null
                && position.offset == request.fetchOffset;
    }

    private static ByteBuffer inArray(MemoryRecords records) {
        ByteBuffer bytes = records.buffer();
        if (bytes.hasArray()) {
            return bytes;
        }
        return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }

    private static List<Aborted> aborted(FetchResponseData.PartitionData data) {
        return data.abortedTransactions() == null
                ? List.of()
                : data.abortedTransactions().stream()
                        .map(one -> new Aborted(one.producerId(), one.firstOffset()))
                        .toList();
    }

    void assign(TopicPartition wanted) {
        partition = wanted;
        fetched = null;
        advancedOffset = -1;
        topicId = Uuid.ZERO_UUID;
        if (subscriptions.assignFromUser(Set.of(wanted))) {
            metadata.requestUpdateForNewTopics();
        }
    }

    /** The id of the topic that the partition's last records were fetched of; zero if unknown. */
    Uuid topicId() {
        return topicId;
    }

    long beginOffset() {
        return known(offsets.beginningOffsets(Set.of(partition()), timer()).get(partition()));
    }

    long endOffset() {
        return known(offsets.endOffsets(Set.of(partition()), timer()).get(partition()));
    }

    /** The offset of the first record that was written at a time or later; empty if there is none. */
    Optional<Long> offsetForTime(long millis) {
        OffsetAndTimestamp found =
                offsets.offsetsForTimes(Map.of(partition(), millis), timer()).get(partition());
        return Optional.ofNullable(found).map(OffsetAndTimestamp::offset);
    }

    /** Sets the position. What was requested ahead of it stays. */
    void seek(long offset) {
        if (offset != advancedOffset) {
            advancedOffset = -1;
            advancedEpoch = DeliveryLink.NO_EPOCH;
            seek(offset, Optional.empty());
        }
    }

    private void seek(long offset, Optional<Integer> leaderEpoch) {
        fetched = null;
        leader = metadata.currentLeader(partition());
        FetchPosition position = new FetchPosition(offset, leaderEpoch, leader);
        leaderEpoch.ifPresent(epoch -> metadata.updateLastSeenEpochIfNewer(partition(), epoch));
        subscriptions.seekUnvalidated(partition(), position);
    }

    /**
     * Waits for the batches at the position, which does not move; empty if none came in time. Throws the same as a consumer's poll.
     */
    Optional<FetchedRecords> poll(Duration timeout) {
        Timer timer = time.timer(timeout);
        do {
            offsets.validatePositionsIfNeeded();
            if (fetched == null) {
                sendFetches();
            }
            client.poll(timer, () -> fetched == null && !fetcher.hasAvailableFetches());
            var unused = fetcher.collectFetch();
            if (fetched != null) {
                Optional<FetchedRecords> taken = Optional.of(fetched);
                fetched = null;
                return taken;
            }
            timer.update();
        } while (timer.notExpired());
        return Optional.empty();
    }

    /** Takes the buffer of an answer back; no part of it may be used any more. */
    void giveBack(FetchedRecords read) {
        buffers.giveBack(read.bytes().array());
    }

    /**
     * Moves the position after the fetched batches. Throws the same as a consumer's poll if the log no longer holds them.
     *
     * @param leaderEpoch the leader epoch of the last batch; -1 if unknown
     * @param further true to request the next batches at once, so that they arrive while these are read
     */
    void advance(long offset, int leaderEpoch, boolean further) {
        Optional<Integer> epoch = leaderEpoch < 0 ? Optional.empty() : Optional.of(leaderEpoch);
        LeaderAndEpoch now = metadata.currentLeader(partition());
        if (subscriptions.hasValidPosition(partition()) && now.equals(leader)) {
            subscriptions.position(partition(), new FetchPosition(offset, epoch, now));
        } else {
            FetchPosition before = subscriptions.positionOrNull(partition());
            if (before != null) {
                requireHeld(before.offset, advancedEpoch);
            }
            seek(offset, epoch);
            requireHeld(offset, leaderEpoch);
        }
        advancedEpoch = leaderEpoch;
        advancedOffset = offset;
        if (further) {
            sendFetches();
            client.transmitSends();
        }
    }

    /** Asks another leader than the one that sent the records whether its log holds them. */
    private void requireHeld(long offset, int leaderEpoch) {
        // chaos/ReturningReplicaTest has a leader come back that knows nothing of it.
        if (leaderEpoch == DeliveryLink.NO_EPOCH
                || endOfEpoch(offset, leaderEpoch).holds(leaderEpoch, offset)) {
            return;
        }
        throw new LogTruncationException(Map.of(partition(), offset), Map.of());
    }

    private void sendFetches() {
        offsets.validatePositionsOnMetadataChange();
        fetcher.sendFetches();
    }

    /**
     * The end of a leader epoch in the log as it is now, at most {@code offset}. A consumer's own request finds out whether the
     * log has the offset, but not whether another leader wrote the records before it.
     */
    EpochEnd endOfEpoch(long offset, int leaderEpoch) {
        Timer timer = timer();
        do {
            Optional<EpochEndOffset> answer = askLeader(leaderEpoch, timer);
            if (answer.isPresent()) {
                long end = answer.get().endOffset();
                return end == OffsetsForLeaderEpochResponse.UNDEFINED_EPOCH_OFFSET
                        ? new EpochEnd(leaderEpoch, 0) // Of later leaders than wrote the log nothing is there.
                        : new EpochEnd(answer.get().leaderEpoch(), Math.min(offset, end));
            }
            metadata.requestUpdate(false);
            client.poll(time.timer(retryMillis));
            timer.update();
        } while (timer.notExpired());
        throw new TimeoutException(
                partition() + " did not say within " + timeoutMillis + " ms where epoch " + leaderEpoch + " ends");
    }

    private Optional<EpochEndOffset> askLeader(int leaderEpoch, Timer timer) {
        LeaderAndEpoch asked = metadata.currentLeader(partition());
        if (asked.leader.isEmpty()) {
            return Optional.empty();
        }
        OffsetForLeaderTopicCollection topics = new OffsetForLeaderTopicCollection(List.of(new OffsetForLeaderTopic()
                        .setTopic(partition().topic())
                        .setPartitions(List.of(new OffsetForLeaderPartition()
                                .setPartition(partition().partition())
                                .setLeaderEpoch(leaderEpoch)
                                .setCurrentLeaderEpoch(asked.epoch.orElse(RecordBatch.NO_PARTITION_LEADER_EPOCH)))))
                .iterator());
        RequestFuture<ClientResponse> answer =
                client.send(asked.leader.get(), OffsetsForLeaderEpochRequest.Builder.forConsumer(topics));
        client.poll(answer, timer);
        if (answer.failed() && !answer.isRetriable()) {
            throw answer.exception();
        }
        if (!answer.succeeded()) {
            return Optional.empty();
        }
        EpochEndOffset end = ((OffsetsForLeaderEpochResponse) answer.value().responseBody())
                .data()
                .topics()
                .find(partition().topic())
                .partitions()
                .get(0);
        Errors error = Errors.forCode(end.errorCode());
        if (error != Errors.NONE && !(error.exception() instanceof RetriableException)) {
            throw error.exception();
        }
        return Optional.of(end).filter(one -> error == Errors.NONE);
    }

    @Override
    public void close() {
        fetcher.close(time.timer(CLOSE_MILLIS));
        Utils.closeQuietly(client, "network client");
        metrics.close();
    }

    private Timer timer() {
        return time.timer(timeoutMillis);
    }

    private TopicPartition partition() {
        TopicPartition assigned = partition;
        if (assigned == null) {
            throw new IllegalStateException("no partition is assigned");
        }
        return assigned;
    }

    private long known(@Nullable Long offset) {
        if (offset == null) {
            throw new UnknownTopicOrPartitionException(partition() + " is not known to the broker");
        }
        return offset;
    }
}
