package dev.stormproof.forward;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.judge.EnumNames;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A Prometheus Alertmanager. An open alert fires there for as long as it is told again; one that is accepted or settled is resolved.
 *
 * <p>One that is not told again ends there by itself, after the Alertmanager's {@code resolve_timeout} and by its clock: an open alert has
 * no {@code endsAt}, which would be of our clock, and in its first hour no {@code startsAt}.
 *
 * <p>The labels are what routes and silences go by: {@code alertname="StormproofAlert"}, {@code severity}, {@code finding}, {@code group},
 * {@code topic}, {@code partition} and {@code alert_id}. If a later revision is more urgent, or another finding, the alert of the earlier
 * labels is resolved in the same request.
 *
 * <p>Source: Alertmanager's API v2, {@code POST /api/v2/alerts}.
 */
final class Alertmanager implements Receiver {
    /** The name of all alerts, which tells them from those of Prometheus's own rules. */
    static final String NAME = "StormproofAlert";

    private static final String PATH = "api/v2/alerts";
    private static final int MOST_AT_ONCE = 64;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** For how long an alert counts as one that has just begun. */
    private static final Duration FRESH = Duration.ofHours(1);

    private final Post post;
    private final LongSupplier nowMillis;

    Alertmanager(Post post, LongSupplier nowMillis) {
        this.post = post;
        this.nowMillis = nowMillis;
    }

    /** The address of the API below that of an Alertmanager. */
    static URI api(URI base) {
        return URI.create(base.toString().endsWith("/") ? base + PATH : base + "/" + PATH);
    }

    @Override
    public int mostAtOnce() {
        return MOST_AT_ONCE;
    }

    @Override
    public boolean forgets() {
        return true;
    }

    @Override
    public void send(List<Change> alerts) throws IOException, InterruptedException {
        Instant now = Instant.ofEpochMilli(nowMillis.getAsLong());
        ArrayNode body = JSON.createArrayNode();
        for (Change change : alerts) {
            ObjectNode alert = write(change, now);
            change.before().map(Alertmanager::labels).ifPresent(before -> {
                if (!before.equals(alert.get("labels"))) {
                    ObjectNode over = body.addObject();
                    over.set("labels", before);
                    over.put("endsAt", now.toString());
                }
            });
            body.add(alert);
        }
        post.send("application/json", JSON.writeValueAsBytes(body));
    }

    private ObjectNode write(Change change, Instant now) {
        Told alert = change.alert();
        ObjectNode node = JSON.createObjectNode();
        node.set("labels", labels(alert));
        ObjectNode annotations = node.putObject("annotations");
        change.acceptance()
                .ifPresentOrElse(
                        acceptance -> annotations.put(
                                "summary", "accepted by " + acceptance.by() + ": " + acceptance.reason()),
                        () -> {
                            annotations.put("summary", alert.summary());
                            annotations.put("runbook_url", alert.runbook());
                            if (!alert.audit().isEmpty()) {
                                annotations.put("audit", alert.audit());
                            }
                            if (!alert.next().isEmpty()) {
                                annotations.put("next", alert.next());
                            }
                        });
        long toldMillis = Math.max(0, alert.timeMillis());
        Instant began = Instant.ofEpochMilli(Math.min(toldMillis, now.toEpochMilli()));
        boolean open = change.standing().state() == Standing.State.OPEN;
        if (!open) {
            node.put("endsAt", now.toString());
        }
        // An open one that is new to it begins by its own clock: where ours is ahead, it would end before it began, and
        // be refused.
        if (!open || began.isBefore(now.minus(FRESH))) {
            node.put("startsAt", began.toString());
        }
        return node;
    }

    private static ObjectNode labels(Told alert) {
        ObjectNode labels = JSON.createObjectNode();
        labels.put("alertname", NAME);
        labels.put("severity", EnumNames.of(alert.severity()));
        labels.put("finding", alert.type().label());
        labels.put("group", alert.group());
        labels.put("topic", alert.partition().topic());
        labels.put("partition", String.valueOf(alert.partition().partition()));
        labels.put("alert_id", alert.subject());
        return labels;
    }
}
