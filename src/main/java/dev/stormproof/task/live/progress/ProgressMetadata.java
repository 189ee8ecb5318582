package dev.stormproof.task.live.progress;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.stormproof.task.output.Written;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.fold.Promises;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is committed beside an offset, as its metadata.
 *
 * <pre>
 *   {"topologyId": …, "taskId": …, "threadName":
 *     "stormproof/1 topic=8c1f… promised=3,40 told=0:5-9,0:20-21 written=50:12/3,40/5 by=0of2 led=12/3,40/5"}
 * </pre>
 *
 * <p>{@code promised=3-} has the promises looked for from offset 3 on; {@code written=50:12/3} has the output written up to offset 50, of what the leader of epoch 3 wrote from offset 12 on; {@code written=50:!} has it halted there, {@code written=50:~} has it wait, {@code led=12/3} says that the leader of epoch 3 wrote from offset 12 on. Its form
 * is the one that KafkaSpout writes, because it warns about every other; our text stands where that has the name of a thread. Kafka
 * limits it to 4,096 bytes by default, so there are bounds on everything.
 *
 * @param topicId tells the topic from others that bore its name; 0 if unknown
 * @param promises see {@link Progress#promises()}: more than {@value #MOST_PROMISES} are not named
 * @param published where the alerts about the partition stand that may be found again; empty if that is unknown
 * @param written how far the partition's output is written; empty if it never was
 * @param writer the task that wrote it, as its transactional id ends; empty if unknown
 * @param leaders see {@link Progress#leaders()}
 */
public record ProgressMetadata(
        long topicId,
        Promises promises,
        Optional<List<AlertSpan>> published,
        Optional<Written> written,
        String writer,
        Leaders leaders) {
    /** The metadata of a partition without output, of an unknown writer. */
    ProgressMetadata(long topicId, Promises promises, Optional<List<AlertSpan>> published) {
        this(topicId, promises, published, Optional.empty(), "", Leaders.NONE);
    }

    /** The metadata of a partition of which everything is unknown. */
    static final ProgressMetadata NONE = new ProgressMetadata(TopicIds.UNKNOWN, Promises.NONE, Optional.empty());

    static final int MOST_PROMISES = 100;

    /** The bound on spans; beyond it the places count as unknown, and all alerts are read back. */
    public static final int MOST_SPANS = 50;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern TEXT =
            Pattern.compile("stormproof/1 topic=([0-9a-f]{16}) promised=([0-9,]*-?) told=(\\?|[0-9:,-]*)"
                    + "(?: written=([0-9]+):([0-9,/]*)(!?)(~?))?(?: by=([0-9]+of[0-9]+))?(?: led=([0-9,/]+))?");
    private static final Pattern SPAN = Pattern.compile("([0-9]+):([0-9]+)-([0-9]+)");

    public ProgressMetadata {
        promises = promises.named(MOST_PROMISES);
        published = published.filter(spans -> spans.size() <= MOST_SPANS).map(List::copyOf);
    }

    /** The metadata beside the beginning of a partition without promises and without alerts. */
    public static ProgressMetadata fresh(long topicId) {
        return new ProgressMetadata(topicId, Promises.NONE, Optional.of(List.of()));
    }

    /** The metadata beside the beginning of a partition without progress, which Kafka may have forgotten: so nobody knows what was told. */
    public static ProgressMetadata forgotten(long topicId) {
        return new ProgressMetadata(topicId, Promises.NONE, Optional.empty());
    }

    /** True if it stands beside the progress in another topic than the one that bears its name now. */
    public boolean isOfAnother(long topicIdNow) {
        return topicId != TopicIds.UNKNOWN && topicIdNow != TopicIds.UNKNOWN && topicId != topicIdNow;
    }

    /** The metadata as a task commits it. */
    public String encode(String topologyId, int taskId) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("topologyId", topologyId)
                .put("taskId", taskId)
                .put("threadName", text())
                .toString();
    }

    /** Reads an offset's metadata; {@link #NONE} if it is not ours. */
    public static ProgressMetadata decode(String metadata) {
        Matcher matcher = TEXT.matcher(threadName(metadata));
        if (!matcher.matches()) {
            return NONE;
        }
        try {
            Optional<Written> written = Optional.ofNullable(matcher.group(4))
                    .map(end -> new Written(
                            Long.parseLong(end),
                            Leaders.ofText(matcher.group(5)),
                            !matcher.group(6).isEmpty(),
                            !matcher.group(7).isEmpty()));
            return new ProgressMetadata(
                    Long.parseUnsignedLong(matcher.group(1), 16),
                    promises(matcher.group(2)),
                    spans(matcher.group(3)),
                    written,
                    Objects.requireNonNullElse(matcher.group(8), ""),
                    Leaders.ofText(Objects.requireNonNullElse(matcher.group(9), "")));
        } catch (NumberFormatException e) {
            return NONE;
        }
    }

    private static Promises promises(String text) {
        if (text.endsWith("-")) {
            return Promises.since(Long.parseLong(text.substring(0, text.length() - 1)));
        }
        return Promises.at(split(text).stream().map(Long::valueOf).toList());
    }

    private static Optional<List<AlertSpan>> spans(String text) {
        if (text.equals("?")) {
            return Optional.empty();
        }
        List<AlertSpan> spans = new ArrayList<>();
        for (String one : split(text)) {
            Matcher span = SPAN.matcher(one);
            if (!span.matches()) {
                return Optional.empty();
            }
            spans.add(new AlertSpan(
                    Integer.parseInt(span.group(1)), Long.parseLong(span.group(2)), Long.parseLong(span.group(3))));
        }
        return Optional.of(spans);
    }

    private String text() {
        String offsets = promises.since() == Promises.NAMED
                ? promises.offsets().stream().map(String::valueOf).collect(Collectors.joining(","))
                : promises.since() + "-";
        String spans = published
                .map(all -> all.stream()
                        .map(span -> span.partition() + ":" + span.beginOffset() + "-" + span.endOffset())
                        .collect(Collectors.joining(",")))
                .orElse("?");
        return "stormproof/1 topic=" + HexFormat.of().toHexDigits(topicId) + " promised=" + offsets + " told=" + spans
                + written.map(end -> " written=" + end.endOffset() + ":" + end.leaders() + (end.halted() ? "!" : "")
                                + (end.waiting() ? "~" : ""))
                        .orElse("")
                + (writer.isEmpty() ? "" : " by=" + writer)
                + (leaders.equals(Leaders.NONE) ? "" : " led=" + leaders);
    }

    private static String threadName(String metadata) {
        try {
            return metadata.isEmpty()
                    ? ""
                    : JSON.readTree(metadata).path("threadName").asText();
        } catch (JsonProcessingException e) {
            return "";
        }
    }

    private static List<String> split(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    }
}
