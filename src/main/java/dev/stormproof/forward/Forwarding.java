package dev.stormproof.forward;

import dev.stormproof.config.MetricsAddress;
import dev.stormproof.judge.EnumNames;
import dev.stormproof.metrics.Metric;
import dev.stormproof.metrics.TaskMetrics;
import dev.stormproof.metrics.WorkerMetrics;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** The forwarding of alerts as a process does it, with its numbers for Prometheus. */
public final class Forwarding {
    /** How often open alerts are told again to an Alertmanager, which forgets after its {@code resolve_timeout}, by default five of these. */
    private static final long REPEAT_MILLIS = 60_000;

    private static final long FIRST_PAUSE_MILLIS = 1_000;
    private static final long LONGEST_PAUSE_MILLIS = 60_000;

    /** The receivers that there are. */
    public enum Kind {
        WEBHOOK,
        ALERTMANAGER
    }

    /**
     * A receiver of alerts.
     *
     * @param address of a webhook, or below which an Alertmanager has its API
     * @param headers sent with every request
     * @param timeout for how long an answer is waited for
     * @param attempts how often an alert is sent in all until the forwarding ends; 0 without end
     */
    public record To(Kind kind, URI address, Map<String, String> headers, Duration timeout, int attempts) {
        private Receiver receiver() {
            return switch (kind) {
                case WEBHOOK -> new Webhook(Post.to(address, headers, timeout));
                case ALERTMANAGER ->
                    new Alertmanager(Post.to(Alertmanager.api(address), headers, timeout), System::currentTimeMillis);
            };
        }
    }

    /**
     * What is forwarded.
     *
     * @param clientProperties for the consumer
     * @param group whose offsets say what was forwarded
     * @param fromBeginning where a group without offsets begins; else it begins with what comes from now on
     */
    public record From(Map<String, String> clientProperties, String topic, String group, boolean fromBeginning) {}

    private Forwarding() {}

    /**
     * Forwards until it is told to end.
     *
     * @param metrics where its numbers are served; empty if they are not
     * @param troubles takes what people should know, a line each
     * @throws IOException if the receiver took an alert in none of the attempts; who begins again begins with that alert
     */
    public static void run(
            From from, To to, Optional<MetricsAddress> metrics, BooleanSupplier ending, Consumer<String> troubles)
            throws IOException, InterruptedException {
        Map<String, String> properties = new HashMap<>(from.clientProperties());
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, from.group());
        Backoff backoff = new Backoff(to.attempts(), FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
        WorkerMetrics numbers = WorkerMetrics.ofThisProcess();
        try (TaskMetrics served = numbers.task(metrics, from.group());
                Forwarder forwarder = new Forwarder(
                        properties,
                        from.topic(),
                        from.fromBeginning(),
                        to.receiver(),
                        backoff,
                        REPEAT_MILLIS,
                        troubles)) {
            numbers.show(
                    Metric.FORWARD_FAILING, () -> Map.of(List.of(from.group()), (double) forwarder.failingSeconds()));
            numbers.show(Metric.ALERTS, () -> count(forwarder.standings()));
            forwarder.run(() -> {
                served.tick();
                return ending.getAsBoolean();
            });
        }
    }

    private static Map<List<String>, Double> count(List<Standing> standings) {
        Map<List<String>, Double> counts = new HashMap<>();
        for (Standing standing : standings) {
            counts.merge(
                    List.of(
                            standing.alert().group(),
                            standing.alert().type().label(),
                            EnumNames.of(standing.state()),
                            standing.alert().partition().topic(),
                            String.valueOf(standing.alert().partition().partition())),
                    1.0,
                    Double::sum);
        }
        return counts;
    }
}
