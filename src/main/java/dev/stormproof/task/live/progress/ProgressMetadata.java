package dev.stormproof.task.live.progress;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.stormproof.task.heads.HeadsSum;
import dev.stormproof.task.output.Written;
import dev.stormproof.verify.feed.Leaders;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The metadata beside a committed offset.
 *
 * <pre>
 *   {"topologyId": …, "taskId": …, "threadName":
 *     "stormproof/1 topic=8c1f… reported=0:5-9,0:20-21 written=50:12/3,40/5 by=0of2 led=12/3,40/5
 *      heads=8c1f00d2a7e3b549"}
 * </pre>
 *
 * <pre>
 *   reported=0:5-9     alerts about the partition are at [5, 9) of partition 0 of the alerts topic; reported=?: unknown
 *   written=50:12/3    the output is written up to offset 50; the leader of epoch 3 wrote from offset 12
 *   written=50:!       it is halted there; written=50:~: it waits
 *   led=12/3           the leader of epoch 3 wrote from offset 12
 *   heads=8c1f…        the sum of the records in the topic of heads
 * </pre>
 *
 * <p>KafkaSpout warns about any other form than its own, so the text takes the place of a thread's name there. Kafka limits metadata to
 * 4,096 bytes by default, so everything in it is bounded.
 *
 * @param topicId distinguishes the topic from others of the same name; 0 if unknown
 * @param published the places of alerts about the partition that may be found again; empty if unknown
 * @param written how far the partition's output is written; empty if it never was
 * @param writer the task that wrote it, as its transactional id ends; empty if unknown
 * @param leaders see {@link Progress#leaders()}
 * @param heads distinguishes the partition's heads at this progress from all others; empty if none are kept
 */
public record ProgressMetadata(
        long topicId,
        Optional<List<AlertSpan>> published,
        Optional<Written> written,
        String writer,
        Leaders leaders,
        Optional<HeadsSum> heads) {
    /** The metadata of a partition whose heads are not kept. */
    public ProgressMetadata(
            long topicId,
            Optional<List<AlertSpan>> published,
            Optional<Written> written,
            String writer,
            Leaders leaders) {
        this(topicId, published, written, writer, leaders, Optional.empty());
    }

    /** The metadata of a partition without output, of an unknown writer. */
    ProgressMetadata(long topicId, Optional<List<AlertSpan>> published) {
        this(topicId, published, Optional.empty(), "", Leaders.NONE);
    }

    static final ProgressMetadata NONE = new ProgressMetadata(TopicIds.UNKNOWN, Optional.empty());

    /** If there are more spans, the places count as unknown, and all alerts are read back. */
    public static final int MOST_SPANS = 50;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern TEXT = Pattern.compile(
            "stormproof/1 topic=([0-9a-f]{16}) reported=(\\?|[0-9:,-]*)"
                    + "(?: written=([0-9]+):([0-9,/]*)(!?)(~?))?(?: by=([0-9]+of[0-9]+))?(?: led=([0-9,/]+))?(?: heads=([0-9a-f]{16}\\??))?");
    private static final Pattern SPAN = Pattern.compile("([0-9]+):([0-9]+)-([0-9]+)");

    public ProgressMetadata {
        published = published.filter(spans -> spans.size() <= MOST_SPANS).map(List::copyOf);
    }

    /** The metadata at the beginning of a partition without alerts. */
    public static ProgressMetadata fresh(long topicId) {
        return new ProgressMetadata(topicId, Optional.of(List.of()));
    }

    /** The metadata at the beginning of a partition without progress. Kafka may have forgotten it, so earlier alerts are unknown. */
    public static ProgressMetadata forgotten(long topicId) {
        return new ProgressMetadata(topicId, Optional.empty());
    }

    /** True if it belongs to the progress in another topic than the one that has the name now. */
    public boolean isOfAnother(long topicIdNow) {
        return topicId != TopicIds.UNKNOWN && topicIdNow != TopicIds.UNKNOWN && topicId != topicIdNow;
    }

    /** The text that a task commits. */
    public String encode(String topologyId, int taskId) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("topologyId", topologyId)
                .put("taskId", taskId)
                .put("threadName", text())
                .toString();
    }

    /** Reads committed metadata; {@link #NONE} if it is not ours. */
    public static ProgressMetadata decode(String metadata) {
        Matcher matcher = TEXT.matcher(threadName(metadata));
        if (!matcher.matches()) {
            return NONE;
        }
        try {
            Optional<Written> written = Optional.ofNullable(matcher.group(3))
                    .map(end -> new Written(
                            Long.parseLong(end),
                            Leaders.ofText(matcher.group(4)),
                            !matcher.group(5).isEmpty(),
                            !matcher.group(6).isEmpty()));
            return new ProgressMetadata(
                    Long.parseUnsignedLong(matcher.group(1), 16),
                    spans(matcher.group(2)),
                    written,
                    Objects.requireNonNullElse(matcher.group(7), ""),
                    Leaders.ofText(Objects.requireNonNullElse(matcher.group(8), "")),
                    HeadsSum.ofText(Objects.requireNonNullElse(matcher.group(9), "")));
        } catch (NumberFormatException e) {
            return NONE;
        }
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
        String spans = published
                .map(all -> all.stream()
                        .map(span -> span.partition() + ":" + span.beginOffset() + "-" + span.endOffset())
                        .collect(Collectors.joining(",")))
                .orElse("?");
        return "stormproof/1 topic=" + HexFormat.of().toHexDigits(topicId) + " reported=" + spans
                + written.map(end -> " written=" + end.endOffset() + ":" + end.leaders() + (end.halted() ? "!" : "")
                                + (end.waiting() ? "~" : ""))
                        .orElse("")
                + (writer.isEmpty() ? "" : " by=" + writer)
                + (leaders.equals(Leaders.NONE) ? "" : " led=" + leaders)
                + heads.map(sum -> " heads=" + sum.text()).orElse("");
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
