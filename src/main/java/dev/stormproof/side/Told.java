package dev.stormproof.side;

import dev.stormproof.checkpoint.UnattributedRecord.Kind;
import dev.stormproof.judge.Anomaly;
import dev.stormproof.judge.ExpiredUnread;
import dev.stormproof.judge.Finding;
import dev.stormproof.judge.Neighbours;
import dev.stormproof.judge.Neighbours.Neighbour;
import dev.stormproof.judge.PartitionId;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Unattributed;
import dev.stormproof.judge.Verdict.Inconclusive;
import dev.stormproof.judge.Verdict.Verified;
import dev.stormproof.judge.Verdict.Violated;
import dev.stormproof.log.RangeAudit.Contents;
import dev.stormproof.log.RangeAudit.Open;
import dev.stormproof.verify.OpenEnd;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What was found in the merged log, in the terms of both logs: an event by its offset, a checkpoint by its place, the offset of the event
 * that it stands before. A stray of the side topic bears that topic's name, and its offset there.
 */
public final class Told {
    /** As findings on checkpoints name another one. */
    private static final Pattern OTHER = Pattern.compile("at offset (\\d+)");

    private final TopicPartition partition;
    private final TopicPartition side;
    private final Placement placement;
    private final List<Statement> placed;

    Told(TopicPartition partition, TopicPartition side, Placement placement, List<Statement> placed) {
        this.partition = partition;
        this.side = side;
        this.placement = placement;
        this.placed = placed;
    }

    /** The same finding. */
    public Finding of(Finding finding) {
        if (finding instanceof Violated violated) {
            return of(violated);
        }
        if (finding instanceof Verified verified) {
            return new Verified(of(verified.interval()), verified.basis(), offset(verified.beginOffset()));
        }
        if (finding instanceof Inconclusive inconclusive) {
            return new Inconclusive(
                    of(inconclusive.interval()),
                    inconclusive.reason(),
                    inconclusive.detail(),
                    inconclusive.uncertain());
        }
        if (finding instanceof ExpiredUnread expired) {
            return new ExpiredUnread(expired.partition(), offset(expired.beginOffset()), offset(expired.endOffset()));
        }
        return finding instanceof Unattributed stray ? of(stray) : finding;
    }

    /** The same violation. */
    public Violated of(Violated violated) {
        return new Violated(
                of(violated.interval()),
                violated.standing(),
                violated.minimal(),
                violated.anomalyCount(),
                violated.anomalies().stream().map(this::of).toList(),
                violated.hop());
    }

    /** The same contents. */
    public Contents of(Contents contents) {
        Open open = contents.open();
        return new Contents(
                contents.events(),
                contents.checkpoints(),
                new Open(
                        open.streams(),
                        open.events(),
                        open.overdueStreams(),
                        open.overdueEvents(),
                        open.named().stream().map(this::of).toList()),
                contents.lateStarts().at(this::offset));
    }

    private OpenEnd of(OpenEnd end) {
        return new OpenEnd(
                end.stream(),
                end.emitterName(),
                end.checkpoint(),
                offset(end.checkpointOffset()),
                offset(end.sinceOffset()),
                end.events(),
                end.overdue());
    }

    private SealedInterval of(SealedInterval interval) {
        return at(interval, offset(interval.checkpointOffset()));
    }

    static SealedInterval at(SealedInterval interval, long offset) {
        return new SealedInterval(
                interval.stream(),
                interval.number(),
                offset,
                interval.firstSequence(),
                interval.eventCount(),
                interval.statement(),
                interval.emitterName(),
                interval.writtenMillis(),
                interval.seal());
    }

    private Anomaly of(Anomaly anomaly) {
        return new Anomaly(
                anomaly.kind(),
                anomaly.stream(),
                anomaly.begin(),
                anomaly.end(),
                offset(anomaly.offset()),
                anomaly.copies(),
                anomaly.expected(),
                anomaly.observed(),
                anomaly.differs(),
                anomaly.hop(),
                anomaly.writtenMillis(),
                new Neighbours(
                        of(anomaly.neighbours().before()),
                        of(anomaly.neighbours().after())));
    }

    private @Nullable Neighbour of(@Nullable Neighbour neighbour) {
        return neighbour == null
                ? null
                : new Neighbour(neighbour.sequence(), offset(neighbour.offset()), neighbour.writtenMillis());
    }

    private Unattributed of(Unattributed stray) {
        int index = placement.checkpointAt(stray.offset());
        Unattributed named = stray.kind() == Kind.LATE_CHECKPOINT || stray.kind() == Kind.FORKED_CHECKPOINT
                ? detailed(
                        stray,
                        OTHER.matcher(stray.detail())
                                .replaceAll(other -> "at offset " + text(Long.parseLong(other.group(1)))))
                : stray;
        if (index >= 0) {
            return inSide(side, placed.get(index).sideOffset, named);
        }
        return new Unattributed(
                new PartitionId(partition.topic(), partition.partition()),
                offset(named.offset()),
                named.kind(),
                named.detail(),
                named.writtenMillis(),
                offset(named.lastOffset()),
                named.count());
    }

    private String text(long merged) {
        int index = placement.checkpointAt(merged);
        return index < 0 ? Long.toString(offset(merged)) : placed.get(index).sideOffset + " of " + side;
    }

    private static Unattributed detailed(Unattributed stray, String detail) {
        return new Unattributed(
                stray.partition(),
                stray.offset(),
                stray.kind(),
                detail,
                stray.writtenMillis(),
                stray.lastOffset(),
                stray.count());
    }

    /** A finding on a record of the side topic, or on several in a row of which that is the first. */
    static Unattributed inSide(TopicPartition side, long sideOffset, Unattributed stray) {
        return new Unattributed(
                new PartitionId(side.topic(), side.partition()),
                sideOffset,
                stray.kind(),
                stray.detail(),
                stray.writtenMillis(),
                sideOffset,
                stray.count());
    }

    /** The offset among the events; what has none stays without. */
    private long offset(long merged) {
        return merged < 0 ? merged : placement.eventAt(merged);
    }
}
