package dev.stormproof.task.process;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;

/** The hash of their settings that the client ids of a group's replicas show to each client that may describe the group. */
public final class ReplicaSettings {
    private static final String PREFIX = "stormproof-settings-";

    private ReplicaSettings() {}

    static String clientId(long fingerprint) {
        return PREFIX + String.format(Locale.ROOT, "%016x", fingerprint);
    }

    /** A sentence if replicas of a verification's group have other settings than others, which therefore stand by; else empty. */
    public static CompletionStage<String> differing(Admin admin, String group) {
        return admin.describeConsumerGroups(List.of(group + Replica.SUFFIX))
                .all()
                .toCompletionStage()
                .thenApply(groups -> groups.values().stream()
                                        .flatMap(replicas -> replicas.members().stream())
                                        .map(member -> member.clientId())
                                        .filter(id -> id.startsWith(PREFIX))
                                        .distinct()
                                        .count()
                                > 1
                        ? "replicas of group " + group + " stand by: they have other settings than those with the tasks"
                        : "")
                .exceptionally(failure -> "");
    }
}
