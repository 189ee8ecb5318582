package dev.stormproof.cli.text;

import dev.stormproof.alert.AlertText;
import dev.stormproof.alert.NeighbourKeys;
import dev.stormproof.alert.PlainVerdict;
import dev.stormproof.alert.RecordUrls;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.cli.text.Tally.Counts;
import dev.stormproof.log.audit.OfflineVerifier.Contents;
import dev.stormproof.log.audit.OfflineVerifier.Open;
import dev.stormproof.verify.fold.UnsealedTail;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.EnumNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A report ends an audit: a table of partitions, a line for every finding that is not a proof and for every stream with an open
 * end, and the verdict on everything, together with what was not judged.
 *
 * <p>Verified is what holds an event that is proven, and nothing that is open or hidden by a transaction, unless the audit was to end at
 * the last checkpoints.
 */
public final class AuditReport {
    /** How many open ends and late beginnings are printed. */
    private static final int MOST_PRINTED = 20;

    private final AuditScope scope;
    private final String topic;
    private final Tally tally;
    private final RecordUrls urls;
    private final List<Audited> rows = new ArrayList<>();

    private final List<String> doubts = new ArrayList<>();
    private final List<String> unjudged = new ArrayList<>();
    private long further;
    private long unsigned;

    /** @param urls the pages that show records */
    public AuditReport(String topic, AuditScope scope, Tally tally, RecordUrls urls) {
        this.urls = urls;
        this.topic = topic;
        this.scope = scope;
        this.tally = tally;
    }

    /** Adds a range that was audited, at most one of each partition. */
    public void add(Audited audited) {
        rows.add(audited);
        rows.sort(Comparator.comparingInt(Audited::partition));
    }

    /** Notes why nothing is verified, whatever is found. */
    public void addDoubt(String doubt) {
        doubts.add(doubt);
    }

    /** Notes what was not judged, in a clause. */
    public void addUnjudged(String clause) {
        unjudged.add(clause);
    }

    /** Notes that so many anomalies were printed beside the report. */
    public void addFurther(int anomalies) {
        further += anomalies;
    }

    /** Notes that so many records without a signature were passed over. */
    public void addUnsigned(long records) {
        unsigned += records;
    }

    /**
     * Prints the report.
     *
     * @param keys reads the keys beside the anomalies that are printed
     */
    public void print(Terminal out, Function<List<Anomaly>, NeighbourKeys> keys) {
        List<Anomaly> anomalies = tally.anomalies();
        Table table = new Table(
                "partition", "offsets", "events", "checkpoints", "verified", "violated", "inconclusive", "open");
        for (Audited row : rows) {
            Contents contents = row.contents();
            add(
                    table,
                    row.partition(),
                    ReportText.range(row.range().begin(), row.range().end()),
                    contents.events(),
                    contents.checkpoints(),
                    tally.countsOf(row.partition()),
                    contents.open().events());
        }
        if (rows.size() > 1) {
            add(table, "together", "", sum(Contents::events), sum(Contents::checkpoints), tally.total(), openEvents());
        }
        table.print(out);
        ReportText.printFindings(tally, anomalies, AlertText.linesWith(urls, keys.apply(anomalies)), urls, out);
        if (further > 0) {
            out.printf(Locale.ROOT, "  %,d of these are listed above%n", further);
        }
        tally.inconclusive().forEach(verdict -> out.println("  " + AlertText.summary(verdict, urls)));
        tally.acceptances()
                .forEach(word ->
                        out.println("  accepted by " + word.by() + ": " + word.alertId() + ": " + word.reason()));
        printOpenEnds(out);
        sealed().ifPresent(by -> out.println("  sealed against " + by));
        out.println();
        out.printVerdict(conclusion());
        if (exitCode() != ExitCode.VERIFIED) {
            out.println(verdict().result());
        }
    }

    /** By what the verified intervals are sealed; empty if there are none. */
    private Optional<String> sealed() {
        Counts total = tally.total();
        String by = tally.keys().isEmpty() ? "" : ", by " + String.join(", ", tally.keys());
        if (total.verified() == 0) {
            return Optional.empty();
        }
        if (total.weak() == 0) {
            return Optional.of("tampering" + by);
        }
        return Optional.of(
                total.weak() == total.verified()
                        ? "accidents, and not against an attacker who can write to the topic"
                        : ReportText.text(
                                "tampering%s, but for %,d of %,d intervals, which are sealed against accidents",
                                by, total.weak(), total.verified()));
    }

    private static void add(
            Table table, Object name, String offsets, long events, long checkpoints, Counts counts, long open) {
        table.add(
                name, offsets, events, checkpoints, counts.verified(), counts.violated(), counts.inconclusive(), open);
    }

    private void printOpenEnds(Terminal out) {
        rows.stream()
                .flatMap(row -> row.contents().open().named().stream())
                .limit(MOST_PRINTED)
                .forEach(end -> out.println("  open " + line(end)));
        long more = sumOpen(Open::streams) - MOST_PRINTED;
        if (more > 0) {
            out.printf(Locale.ROOT, "  and %,d more streams with an open end%n", more);
        }
    }

    private static String line(UnsealedTail end) {
        String stream = end.stream().topic() + "-" + end.stream().partition() + ", emitter "
                + end.stream().emitterHex();
        String after = end.checkpointOffset() < 0
                ? "no checkpoint is known"
                : "after the checkpoint at offset " + end.checkpointOffset();
        return ReportText.text(
                "%s: %s, %s%s",
                stream,
                end.events() == 0
                        ? "no event yet"
                        : ReportText.events(end.events()) + " from offset " + end.sinceOffset() + " on",
                after,
                end.overdue() ? ", reported as unsealed" : "");
    }

    public int exitCode() {
        int found = tally.exitCode(scope.upToLastCheckpoint() ? sumOpen(Open::reportedStreams) : 0);
        // A finding reports the others, and may be accepted.
        boolean open = sumOpen(Open::streams) > sumOpen(Open::reportedStreams) && !scope.upToLastCheckpoint();
        boolean settled = found == ExitCode.VERIFIED || found == ExitCode.ACCEPTED;
        boolean doubtful = open || hidden() > 0 || !incomplete().isEmpty() || !doubts.isEmpty();
        return settled && doubtful ? ExitCode.INCONCLUSIVE : found;
    }

    /** One line: the verdict on everything, and what was not judged. */
    public String conclusion() {
        long intervals = sum(Contents::checkpoints) + sumOpen(Open::reportedStreams);
        String text = switch (exitCode()) {
            case ExitCode.VIOLATED -> ReportText.violated(tally, intervals);
            case ExitCode.INCONCLUSIVE -> "INCONCLUSIVE: " + String.join("; ", doubts());
            case ExitCode.ACCEPTED ->
                "ACCEPTED: what is not verified was accepted; "
                        + ReportText.events(tally.total().proven()) + " are proven";
            default ->
                (scope.upToLastCheckpoint() ? "VERIFIED up to the last checkpoints: " : "VERIFIED: ")
                        + ReportText.events(tally.total().proven())
                        + " arrived once, in order, with key and value unaltered";
        };
        List<String> clauses = new ArrayList<>(List.of(text));
        if (exitCode() != ExitCode.INCONCLUSIVE && sumOpen(Open::streams) > 0) {
            clauses.add(openClause() + (scope.upToLastCheckpoint() ? ", not judged" : ""));
        }
        if (tally.accepted() > 0) {
            clauses.add(ReportText.count(tally.accepted(), "alert was", "alerts were") + " accepted");
        }
        clauses.addAll(notJudged());
        return String.join("; ", clauses);
    }

    /** The reasons why not everything is verified, though nothing is violated. */
    private List<String> doubts() {
        List<String> doubts = ReportText.doubts(tally, sumOpen(Open::reportedStreams));
        if (sumOpen(Open::streams) > 0) {
            doubts.add(openClause());
        }
        if (hidden() > 0) {
            doubts.add("the end of " + ReportText.count(hidden(), "partition", "partitions")
                    + " cannot be read while a transaction is open");
        }
        List<Integer> incomplete = incomplete();
        if (!incomplete.isEmpty()) {
            doubts.add("partition " + incomplete.get(0)
                    + (incomplete.size() > 1 ? ReportText.text(" and %,d more", incomplete.size() - 1) : "")
                    + (incomplete.size() > 1 ? " are" : " is") + " not known to be complete from "
                    + scope.completeFromText() + " on");
        }
        boolean nothing = doubts.isEmpty() && tally.isEmpty();
        doubts.add(nothing ? "nothing to verify, there is no checkpoint" : ReportText.proven(tally));
        return doubts;
    }

    private String openClause() {
        long streams = sumOpen(Open::streams);
        String of = ReportText.count(streams, "stream", "streams");
        return openEvents() == 0
                ? of + (streams == 1 ? " has" : " have") + " begun, without an event yet"
                : ReportText.events(openEvents()) + " of " + of + (openEvents() == 1 ? " follows" : " follow")
                        + " the last checkpoint";
    }

    private long hidden() {
        return scope.upToLastCheckpoint()
                ? 0
                : rows.stream().filter(scope::hidesSomeOf).count();
    }

    private List<Integer> incomplete() {
        return rows.stream()
                .filter(row -> !row.complete())
                .map(Audited::partition)
                .toList();
    }

    /** The parts that were not judged, a clause each. */
    public List<String> notJudged() {
        List<String> clauses = NotJudged.clauses(scope, rows);
        clauses.addAll(doubts);
        clauses.addAll(unjudged);
        if (unsigned > 0) {
            clauses.add(ReportText.count(
                    unsigned, "record without a signature was ignored", "records without a signature were ignored"));
        }
        return clauses;
    }

    /** The same for people who know neither intervals nor checkpoints. */
    PlainVerdict verdict() {
        Counts total = tally.total();
        // The others are among the events of findings.
        long open = openEvents() - sumOpen(Open::reportedEvents);
        return new PlainVerdict(
                "'" + topic + "'",
                total.events() + open,
                total.proven(),
                tally.anomalies(),
                tally.unnamed(),
                tally.unattributedRecords(),
                tally.unlistedCheckpoints(),
                !tally.expiredUnread().isEmpty(),
                notJudged());
    }

    /** The audited ranges, by partition. */
    public List<Audited> rows() {
        return List.copyOf(rows);
    }

    /** How many events are stated, or open. */
    public long events() {
        return verdict().events();
    }

    public long proven() {
        return tally.total().proven();
    }

    /** Writes what the table says, as JSON: a line for each partition, and a last one. */
    public void printJson(Circumstances circumstances, Terminal out) {
        rows.forEach(row -> out.println(AuditJson.partition(row, tally.countsOf(row.partition()))));
        AuditJson.Outcome outcome = new AuditJson.Outcome(
                exitCode(), conclusion(), verdict().events(), sumOpen(Open::events), unsigned, notJudged());
        out.println(AuditJson.topic(topic, circumstances, rows.size(), tally.total(), tally.accepted(), outcome));
    }

    /** The facts about the audit itself for the page, by name. */
    public Map<String, List<String>> facts(Circumstances circumstances) {
        Map<String, List<String>> facts = new LinkedHashMap<>();
        facts.put("Audited at", List.of(circumstances.time().toString()));
        facts.put("Program", List.of(circumstances.program()));
        facts.put("Cluster", List.of(circumstances.clusterId()));
        facts.put("Topic", List.of(topic + ", id " + circumstances.topicId()));
        facts.put("Demanded protection", List.of("against " + EnumNames.of(circumstances.demanded())));
        facts.put(
                "Keys that were believed",
                circumstances.keys().isEmpty() ? List.of("none: no signature was checked") : circumstances.keys());
        facts.put("Offsets", rows.stream().map(AuditReport::offsets).toList());
        List<String> notJudged = notJudged();
        facts.put("Not judged", notJudged.isEmpty() ? List.of("nothing was left out") : notJudged);
        return facts;
    }

    private static String offsets(Audited row) {
        return row.range().partition() + ": audited "
                + ReportText.range(row.range().begin(), row.range().end()) + " of a log of "
                + ReportText.range(row.logBegin(), row.range().logEnd());
    }

    /** How many events come after the last checkpoints of their streams. */
    long openEvents() {
        return sumOpen(Open::events);
    }

    String topic() {
        return topic;
    }

    Counts counts() {
        return tally.total();
    }

    long accepted() {
        return tally.accepted();
    }

    /** How many records without a signature were passed over. */
    long ignoredUnsigned() {
        return unsigned;
    }

    private long sumOpen(ToLongFunction<Open> part) {
        return rows.stream().map(row -> row.contents().open()).mapToLong(part).sum();
    }

    private long sum(ToLongFunction<Contents> part) {
        return rows.stream().map(Audited::contents).mapToLong(part).sum();
    }
}
