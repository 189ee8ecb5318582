package dev.stormproof.consume;

import dev.stormproof.checkpoint.CheckpointRecord;
import dev.stormproof.checkpoint.Event;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.consume.HeldRecords.Fate;
import dev.stormproof.consume.HeldRecords.Judged;
import dev.stormproof.judge.Finding;
import dev.stormproof.leader.Leaders;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Reads a log of values as a verified consumer reads one of Kafka: what it would hand out, by progress and alerts. */
public final class PaperReader {
    private final HeldRecords<LogRecord> held = new HeldRecords<>(record -> 0);
    private final PartitionFindings findings = new PartitionFindings();
    private final ProgressPoint progress;
    private long end;

    /** @param progress the committed progress, with the leader epoch and the leaders beside it */
    public PaperReader(long progress, int leaderEpoch, Leaders leaders, List<Finding> alerts) {
        this.progress = new ProgressPoint(progress, leaderEpoch, leaders, 0);
        alerts.forEach(findings::add);
    }

    /** Takes the next record that a reader of committed records sees. */
    public void take(LogRecord record, int leaderEpoch) {
        if (record instanceof Event event && event.sequence() != Event.NO_SEQUENCE) {
            add(record, leaderEpoch, new Entry.OfEvent(event.emitter(), event.sequence()));
        } else if (record instanceof CheckpointRecord one && one.checkpoint() instanceof Format2Checkpoint checkpoint) {
            add(
                    record,
                    leaderEpoch,
                    new Entry.OfCheckpoint(
                            checkpoint.stream().emitter(),
                            checkpoint.number(),
                            checkpoint.firstSequence(),
                            checkpoint.nextSequence()));
        } else {
            add(record, leaderEpoch, new Entry.OfStray("of no stream"));
        }
        end = record.offset() + 1;
    }

    private void add(LogRecord record, int leaderEpoch, Entry entry) {
        held.add(record.offset(), leaderEpoch, 1, entry, record);
    }

    /** What is handed out of all that was taken, where what is not verified is skipped. */
    public List<Event> handedOut() {
        List<Event> out = new ArrayList<>();
        while (held.first() != null) {
            Judged judged = held.judgeFirst(progress, Math.max(end, progress.offset()), false, findings);
            if (judged.fate() == Fate.WAITS || judged.fate() == Fate.CUT_OFF) {
                return out;
            }
            if (judged.fate() == Fate.VERIFIED) {
                Iterator<LogRecord> verified = held.records();
                for (int i = 0; i < judged.count(); i++) {
                    out.add((Event) verified.next());
                }
                held.handOut(judged.count());
            } else {
                held.removeFirst();
            }
        }
        return out;
    }
}
