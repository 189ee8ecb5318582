package dev.stormproof.chaos;

import dev.stormproof.chaos.ClusterFaultInjector.Prepared;
import dev.stormproof.chaos.testing.TopicControl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;

/** Faults of topics are what their operator does to them while events flow: settings, rights, silence. */
final class TopicFaults {
    private static final int LEAST_MILLIS = 3_000;
    private static final int MOST_MILLIS = 12_000;
    /**
     * For how long brokers remember a producer while all are silent. At other times they remember it for longer than its requests last: a
     * new leader that has forgotten it takes what it sends in any order.
     */
    private static final int REMEMBERED_MILLIS = 8_000;

    /** Longer than that, and than brokers wait between two looks, see {@link ChaosProgram}. */
    private static final int LEAST_SILENT_MILLIS = 12_000;

    private static final String REMEMBERED = "producer.id.expiration.ms";
    private static final int MOST_SILENT_MILLIS = 16_000;

    private final TopicControl control;
    private final String group;
    private final ChaosRound.Scene scene;

    TopicFaults(TopicControl control, String group, ChaosRound.Scene scene) {
        this.control = control;
        this.group = group;
        this.scene = scene;
    }

    private record Right(ResourceType type, String name, AclOperation operation) {
        @Override
        public String toString() {
            return operation + " " + type + " " + name;
        }
    }

    Prepared settings(SplittableRandom random) {
        Map.Entry<String, String> setting =
                random.nextBoolean() ? Map.entry("max.message.bytes", "700") : Map.entry("cleanup.policy", "compact");
        int millis = random.nextInt(LEAST_MILLIS, MOST_MILLIS);
        return new Prepared(
                setting + " for " + millis + " ms",
                () -> control.set(scene.topic(), Map.of(setting.getKey(), Optional.of(setting.getValue()))),
                () -> {
                    TimeUnit.MILLISECONDS.sleep(millis);
                    control.set(scene.topic(), Map.of(setting.getKey(), Optional.empty()));
                });
    }

    Prepared rights(SplittableRandom random) {
        List<Right> rights = new ArrayList<>(List.of(
                new Right(ResourceType.TOPIC, scene.topic(), AclOperation.READ),
                new Right(ResourceType.GROUP, group, AclOperation.READ),
                new Right(ResourceType.TOPIC, scene.topic(), AclOperation.DESCRIBE),
                new Right(ResourceType.TOPIC, scene.alertsTopic(), AclOperation.READ),
                new Right(ResourceType.TOPIC, scene.alertsTopic(), AclOperation.WRITE),
                new Right(ResourceType.TRANSACTIONAL_ID, "*", AclOperation.WRITE)));
        scene.output()
                .ifPresent(output -> rights.add(new Right(ResourceType.TOPIC, output.topic(), AclOperation.WRITE)));
        Right right = rights.get(random.nextInt(rights.size()));
        int millis = random.nextInt(LEAST_MILLIS, MOST_MILLIS);
        return new Prepared(
                right + " for " + millis + " ms",
                () -> control.revoke(right.type(), right.name(), right.operation()),
                () -> {
                    TimeUnit.MILLISECONDS.sleep(millis);
                    control.giveBack(right.type(), right.name(), right.operation());
                });
    }

    Prepared silence(Conduct conduct, SplittableRandom random) {
        int millis = random.nextInt(LEAST_SILENT_MILLIS, MOST_SILENT_MILLIS);
        return new Prepared(
                "for " + millis + " ms",
                () -> {
                    control.setOfBrokers(REMEMBERED, Optional.of(String.valueOf(REMEMBERED_MILLIS)));
                    conduct.whileSilent(() -> TimeUnit.MILLISECONDS.sleep(millis));
                },
                () -> control.setOfBrokers(REMEMBERED, Optional.empty()));
    }
}
