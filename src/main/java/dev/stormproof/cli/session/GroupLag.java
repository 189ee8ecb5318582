package dev.stormproof.cli.session;

import dev.stormproof.alert.dashboard.DashboardModel;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.task.process.ReplicaSettings;
import dev.stormproof.verify.judge.PartitionId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The lag of a group, which is asked for every second and drawn when the answer comes. For one thread. */
final class GroupLag {
    private static final long PERIOD_MILLIS = 1_000;

    private final Admin admin;
    private final DashboardModel picture;
    private CompletableFuture<?> asked = CompletableFuture.completedFuture(null);
    private long askedAtMillis = -PERIOD_MILLIS;

    GroupLag(Admin admin, DashboardModel picture) {
        this.admin = admin;
        this.picture = picture;
    }

    /** Asks if it is time to, and waits for nothing. */
    void look(String group, long nowMillis) {
        if (!asked.isDone() || nowMillis - askedAtMillis < PERIOD_MILLIS) {
            return;
        }
        askedAtMillis = nowMillis;
        asked = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .toCompletionStage()
                .thenAccept(this::askEnds)
                .thenCompose(done -> ReplicaSettings.differing(admin, group))
                .handle((differing, failure) -> {
                    picture.trouble(failure == null ? differing : trouble(group, failure));
                    return failure == null;
                })
                .toCompletableFuture();
    }

    private void askEnds(Map<TopicPartition, @Nullable OffsetAndMetadata> committed) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        Map<TopicPartition, Long> offsets = new HashMap<>();
        committed.forEach((partition, offset) -> {
            if (offset != null) {
                offsets.put(partition, offset.offset());
                latest.put(partition, OffsetSpec.latest());
            }
        });
        ListOffsetsResult ends = admin.listOffsets(latest);
        offsets.forEach((partition, offset) -> {
            PartitionId id = new PartitionId(partition.topic(), partition.partition());
            var unused = ends.partitionResult(partition).whenComplete((end, failure) -> {
                if (failure == null) {
                    picture.progress(id, offset, end.offset());
                }
            });
        });
    }

    private static String trouble(String group, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return "the offsets of group " + group + " cannot be read: " + Failure.oneLine(cause);
    }
}
