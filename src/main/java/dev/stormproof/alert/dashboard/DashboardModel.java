package dev.stormproof.alert.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.Acceptance;
import dev.stormproof.alert.Acceptances;
import dev.stormproof.alert.Alert;
import dev.stormproof.alert.PlainVerdict;
import dev.stormproof.alert.RecordUrls;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A picture of order: the latest findings on each partition, and how far it is verified.
 *
 * <pre>
 *   alerts, verdicts ──► add ─────► proofs   the last {@value #MOST_PROOFS}
 *                             └───► alarms   the last, until they name {@value #MOST_NAMED} things
 *   offsets of the group ► progress                              ──► since(version): JSON for the page
 * </pre>
 *
 * <p>The latest revision on each subject counts, as long as it is kept; forgotten ones stay counted. Thread-safe.
 */
public final class DashboardModel {
    static final int MOST_PROOFS = 20_000;
    static final int MOST_NAMED = 50_000;
    static final int MOST_PARTITIONS = 5_000;
    static final int MOST_CANARIES = 16;
    static final int MOST_RECORDS = 1_000;

    /** The version before every other one: everything has changed since. */
    public static final long NOTHING = -1;

    private static final int TOPICS_NAMED = 3;

    private final Map<PartitionId, PartitionPicture> partitions = new TreeMap<>();
    private final Map<String, FindingView> proofs = new LinkedHashMap<>();
    private final Map<String, FindingView> alarms = new LinkedHashMap<>();
    private final Acceptances acceptances = new Acceptances();
    private final Set<String> canaries = new HashSet<>();
    private final Map<String, ArrayNode> records = new HashMap<>();
    private final boolean live;
    private final RecordUrls urls;
    private long version;
    private long named;
    private long forgottenProofs;
    private long forgottenAlarms;
    private long unnamed;
    private String scope = "";
    private String trouble = "";
    private String blind = "";
    private String conclusion = "";
    private List<String> notJudged = List.of();
    private Map<String, List<String>> facts = Map.of();
    private @Nullable List<Anomaly> anomalies;

    /** @param live true if more will come */
    public DashboardModel(boolean live) {
        this(live, RecordUrls.NONE);
    }

    /**
     * @param live true if more will come
     * @param urls the pages that show records; without one, the links in the findings remain
     */
    public DashboardModel(boolean live, RecordUrls urls) {
        this.live = live;
        this.urls = urls;
    }

    /** Takes an alert or a verdict with the record that it was read from; throws {@link IOException} if that is not JSON. */
    public void add(Alert alert, byte[] written) throws IOException {
        add(alert, FindingView.dataOf(written));
    }

    /** Takes a finding; a known one changes nothing. */
    public void add(Alert alert) {
        add(alert, FindingView.dataOf(alert.finding()));
    }

    private synchronized void add(Alert alert, JsonNode data) {
        PartitionId id = alert.finding().partition();
        if (alert.canary()) {
            if (canaries.size() < MOST_CANARIES) {
                canaries.add(id.topic());
            }
            version += partitions.keySet().removeIf(known -> canaries.contains(known.topic())) ? 1 : 0;
            return;
        }
        if (!partitions.containsKey(id) && partitions.size() >= MOST_PARTITIONS) {
            return;
        }
        FindingView shown = FindingView.of(alert, data, version + 1, acceptances.of(alert));
        FindingView before = proofs.getOrDefault(shown.key(), alarms.get(shown.key()));
        if (before != null && before.finding().revision() >= shown.finding().revision()) {
            return;
        }
        version++;
        PartitionPicture partition = partitions.computeIfAbsent(id, PartitionPicture::new);
        if (before != null) {
            remove(before);
            partition.count(before, -1);
        }
        partition.count(shown, 1);
        partition.changed(version);
        if (alert.isAlarm()) {
            alarms.put(shown.key(), shown);
            named += shown.weight();
            unnamed += unnamedBy(shown);
            anomalies = null;
        } else {
            proofs.put(shown.key(), shown);
        }
        forget();
    }

    /** Takes an acceptance, which may come before its alert; the alert is shown as before, and as accepted. */
    public synchronized void accept(Acceptance acceptance) {
        if (!acceptances.add(acceptance)) {
            return;
        }
        FindingView shown = alarms.get(acceptance.subject());
        if (shown != null && acceptances.of(shown.alert()).isPresent()) {
            alarms.replace(shown.key(), shown.accepted(acceptance, ++version));
            PartitionPicture partition = partitions.get(shown.finding().partition());
            if (partition != null) {
                partition.changed(version);
            }
        }
    }

    private void remove(FindingView shown) {
        if (proofs.remove(shown.key()) == null && alarms.remove(shown.key()) != null) {
            named -= shown.weight();
            unnamed -= unnamedBy(shown);
            anomalies = null;
        }
    }

    private static long unnamedBy(FindingView shown) {
        return shown.finding() instanceof Violated violated
                ? violated.anomalyCount() - violated.anomalies().size()
                : 0;
    }

    private void forget() {
        if (proofs.size() > MOST_PROOFS) {
            remove(proofs.values().iterator().next());
            forgottenProofs++;
        }
        for (Iterator<FindingView> oldest = List.copyOf(alarms.values()).iterator(); named > MOST_NAMED; ) {
            FindingView shown = oldest.next();
            remove(shown);
            forgottenAlarms++;
            unnamed += shown.finding() instanceof Violated violated ? violated.anomalyCount() : 0;
        }
    }

    /** Takes how far a partition is verified, and where its log ends. */
    public synchronized void progress(PartitionId id, long offset, long endOffset) {
        boolean full = !partitions.containsKey(id) && partitions.size() >= MOST_PARTITIONS;
        if (full || canaries.contains(id.topic())) {
            return;
        }
        PartitionPicture partition = partitions.computeIfAbsent(id, PartitionPicture::new);
        if (partition.progress(offset, endOffset)) {
            partition.changed(++version);
        }
    }

    /** Takes the streams of a partition that end without a checkpoint. */
    public synchronized void open(PartitionId id, OpenEnds ends) {
        PartitionPicture partition = partitions.computeIfAbsent(id, PartitionPicture::new);
        partition.open(ends);
        partition.changed(++version);
    }

    /**
     * Takes the conclusion of a reading of the whole log.
     *
     * @param verdict {@code verified}, {@code violated} or {@code inconclusive}
     * @param clauses what was not judged, a clause each
     */
    public synchronized void concluded(String verdict, List<String> clauses) {
        conclusion = verdict;
        notJudged = List.copyOf(clauses);
        version++;
    }

    /** Takes facts about the reading of the log, by name. */
    public synchronized void facts(Map<String, List<String>> named) {
        facts = new LinkedHashMap<>(named);
        version++;
    }

    /** Takes the line below the sentence, with the subject of the picture. */
    public synchronized void about(String text) {
        version += text.equals(scope) ? 0 : 1;
        scope = text;
    }

    /** Takes the trouble with Kafka; empty if there is none. */
    public synchronized void trouble(String text) {
        version += text.equals(trouble) ? 0 : 1;
        trouble = text;
    }

    /** Takes the reason why the picture is not reliable; empty if it is. */
    public synchronized void blind(String text) {
        version += text.equals(blind) ? 0 : 1;
        blind = text;
    }

    /** The version after the last change. */
    public synchronized long version() {
        return version;
    }

    /** The detail of a finding; empty if it is not kept. */
    synchronized Optional<ObjectNode> detail(String key) {
        return Optional.ofNullable(alarms.getOrDefault(key, proofs.get(key))).map(shown -> shown.detail(urls));
    }

    /** A finding by its key; empty if it is not kept. */
    synchronized Optional<FindingView> shown(String key) {
        return Optional.ofNullable(alarms.getOrDefault(key, proofs.get(key)));
    }

    /**
     * Reads the records at the places of alarms, for a page without a server. At most {@value #MOST_RECORDS} places are read, and none after the
     * deadline.
     *
     * @param deadlineNanos by {@link System#nanoTime()}
     */
    public void read(RecordSource door, long deadlineNanos) {
        List<FindingView> all;
        synchronized (this) {
            all = List.copyOf(alarms.values());
        }
        int places = 0;
        for (FindingView shown : all) {
            List<Long> offsets = shown.places();
            ArrayNode read = JsonNodeFactory.instance.arrayNode();
            places += offsets.size();
            if (places > MOST_RECORDS || System.nanoTime() - deadlineNanos > 0) {
                offsets.forEach(offset -> read.add(
                        ReadRecord.unread(offset, "not read: the page holds the first records that were read in time")
                                .toJson()));
            } else {
                door.read(shown.finding().partition(), offsets, record -> read.add(record.toJson()));
            }
            synchronized (this) {
                records.put(shown.key(), read);
            }
        }
    }

    /** The changes since a version; everything for {@link #NOTHING}. */
    synchronized ObjectNode since(long before, long nowMillis) {
        partitions.values().forEach(partition -> {
            if (partition.recent().drop(nowMillis)) {
                partition.changed(++version);
            }
        });
        ObjectNode update = JsonNodeFactory.instance.objectNode();
        update.put("whole", before == NOTHING);
        update.put("live", live);
        update.put("version", version);
        update.put("now", nowMillis);
        update.put("mostProofs", MOST_PROOFS);
        update.put("mostAlarms", MOST_NAMED);
        update.put("title", subject(""));
        PlainVerdict verdict = verdict();
        update.put("sentence", verdict.result());
        update.put("reservation", verdict.reservation());
        update.put("verdict", state(verdict));
        update.put("scope", scope());
        update.put("trouble", blind.isEmpty() ? trouble : blind);
        ArrayNode changed = update.putArray("partitions");
        Map<PartitionId, ArrayNode> cells = new HashMap<>();
        partitions.forEach((id, partition) -> {
            if (partition.version() > before) {
                ObjectNode node = changed.addObject();
                partition.writeTo(node, live, nowMillis);
                cells.put(id, node.putArray("intervals"));
            }
        });
        for (Map<String, FindingView> all : List.of(proofs, alarms)) {
            for (FindingView shown : all.values()) {
                ArrayNode ofPartition = cells.get(shown.finding().partition());
                if (ofPartition != null && shown.version() > before) {
                    shown.writeTo(ofPartition.addArray());
                }
            }
        }
        return update;
    }

    /** Everything, with the detail of each alarm: for a page without a server. */
    ObjectNode whole(long nowMillis) {
        ObjectNode whole = since(NOTHING, nowMillis);
        whole.put("made", nowMillis);
        ArrayNode about = whole.putArray("facts");
        synchronized (this) {
            facts.forEach((name, lines) -> {
                ArrayNode said = about.addObject().put("name", name).putArray("lines");
                lines.forEach(said::add);
            });
        }
        ObjectNode findings = whole.putObject("findings");
        synchronized (this) {
            alarms.values().forEach(shown -> findings.set(shown.key(), detailed(shown)));
        }
        return whole;
    }

    private ObjectNode detailed(FindingView shown) {
        ObjectNode detail = shown.detail(urls);
        ArrayNode read = records.get(shown.key());
        if (read != null && !read.isEmpty()) {
            detail.set("records", read);
        }
        return detail;
    }

    private PlainVerdict verdict() {
        if (anomalies == null) {
            anomalies = distinct(alarms.values());
        }
        return new PlainVerdict(
                subject("'"),
                sum(PartitionPicture::events) + sum(PartitionPicture::openEvents),
                sum(PartitionPicture::proven),
                anomalies,
                unnamed,
                sum(PartitionPicture::records),
                alarms.values().stream().anyMatch(shown -> shown.finding().type() == Finding.Type.EXPIRED_UNREAD),
                live ? notReadYet() : notJudged);
    }

    /** The clauses on what single findings do not report. */
    private List<String> notReadYet() {
        List<String> clauses = new ArrayList<>();
        clauses.add(
                sum(PartitionPicture::events) > 0
                        ? "counted are the findings that were read"
                        // No other record names verified intervals, although the progress passes them.
                        : "verified intervals are reported in the verdicts topic alone");
        long lag = sum(PartitionPicture::lag);
        if (lag > 0) {
            clauses.add(String.format(
                    Locale.ROOT,
                    lag == 1
                            ? "%,d record after the verified progress is not judged yet"
                            : "%,d records after the verified progress are not judged yet",
                    lag));
        }
        return clauses;
    }

    /** Each anomaly once, even if two intervals name it. */
    private static List<Anomaly> distinct(Collection<FindingView> alarms) {
        record Same(Anomaly.Kind kind, StreamId stream, long begin, long end) {}
        Map<Same, Anomaly> once = new LinkedHashMap<>();
        for (FindingView shown : alarms) {
            if (shown.finding() instanceof Violated violated) {
                violated.anomalies()
                        .forEach(one ->
                                once.putIfAbsent(new Same(one.kind(), one.stream(), one.begin(), one.end()), one));
            }
        }
        return List.copyOf(once.values());
    }

    private String state(PlainVerdict verdict) {
        if (!conclusion.isEmpty()) {
            return conclusion;
        }
        boolean accepted =
                alarms.values().stream().anyMatch(shown -> shown.acceptance().isPresent())
                        && alarms.values().stream().noneMatch(FindingView::isOpen);
        if (accepted && forgottenAlarms == 0 && verdict.proven() > 0) {
            return "accepted";
        }
        if (sum(PartitionPicture::violated) > 0 || verdict.records() > 0) {
            return "violated";
        }
        if (sum(PartitionPicture::inconclusive) > 0 || verdict.expired()) {
            return "inconclusive";
        }
        return verdict.proven() > 0 ? "verified" : "none";
    }

    private long sum(ToLongFunction<PartitionPicture> part) {
        return partitions.values().stream().mapToLong(part).sum();
    }

    private String subject(String quote) {
        List<String> topics = partitions.keySet().stream()
                .map(id -> quote + id.topic() + quote)
                .distinct()
                .toList();
        if (topics.isEmpty()) {
            return "this log";
        }
        int more = topics.size() - TOPICS_NAMED;
        return more > 0
                ? String.join(", ", topics.subList(0, TOPICS_NAMED)) + " and " + more + " more"
                : String.join(" and ", topics);
    }

    private String scope() {
        List<String> parts = new ArrayList<>(List.of(scope));
        long accepted = alarms.values().stream()
                .filter(shown -> shown.acceptance().isPresent())
                .count();
        if (accepted > 0) {
            parts.add(String.format(Locale.ROOT, "%,d of %,d alerts are accepted", accepted, alarms.size()));
        }
        if (forgottenProofs > 0) {
            parts.add(String.format(
                    Locale.ROOT, "the first %,d verified intervals are counted, not drawn", forgottenProofs));
        }
        if (forgottenAlarms > 0) {
            parts.add(String.format(Locale.ROOT, "the first %,d findings are counted, not drawn", forgottenAlarms));
        }
        return parts.stream().filter(Predicate.not(String::isEmpty)).collect(Collectors.joining("; "));
    }
}
