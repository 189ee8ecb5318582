package dev.stormproof.cli.conformance;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.feed.RecordContent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cases of one partition: its records one by one, and its streams. */
final class PartitionCases {
    private final int partition;
    private final Results results;
    private final RecordCases records;
    private final OtherPartitions others;
    private final Map<Long, StreamCases> streams = new HashMap<>();
    /** The emitter of each name's last stream. */
    private final Map<String, Long> emitterByName = new HashMap<>();

    /** False once a checkpoint of an unknown stream may be missing. */
    private boolean beginningsAreKnown;

    private @Nullable Event previousEvent;

    PartitionCases(int partition, boolean fromBeginning, Results results, OtherPartitions others) {
        this.partition = partition;
        this.results = results;
        this.records = new RecordCases(partition, results);
        this.others = others;
        this.beginningsAreKnown = fromBeginning;
    }

    void take(LogRecord record, RecordContent content) {
        if (record instanceof Event event) {
            takeEvent(event, content);
        } else if (record instanceof CheckpointRecord checkpoint) {
            takeCheckpoint(checkpoint, content);
        } else if (record instanceof UnattributedRecord unread) {
            missing(records.unattributed(unread, content));
        } else {
            missing(true);
        }
    }

    private void missing(boolean checkpoint) {
        beginningsAreKnown &= !checkpoint;
        streams.values().forEach(stream -> stream.missing(checkpoint));
    }

    void takeAborted(LogRecord record) {
        long emitter = record instanceof Event event ? event.emitter() : StreamId.NO_EMITTER;
        StreamCases stream = streams.get(emitter);
        if (stream != null) {
            stream.aborted();
        }
    }

    void end() {
        streams.values().forEach(StreamCases::end);
    }

    private void takeEvent(Event event, RecordContent content) {
        if (event.emitter() == StreamId.NO_EMITTER) {
            records.format1(event.offset());
            return;
        }
        records.event(event, content);
        if (previousEvent != null && previousEvent.emitter() != event.emitter()) {
            stream(previousEvent.emitter()).otherEvent();
        }
        stream(event.emitter()).event(event);
        previousEvent = event;
    }

    private void takeCheckpoint(CheckpointRecord record, RecordContent content) {
        if (!(record.checkpoint() instanceof Format2Checkpoint checkpoint)) {
            records.format1(record.offset());
            return;
        }
        records.checkpoint(record.offset(), content);
        if (checkpoint.keyId().isPresent()) {
            results.pass(Case.CHECKPOINT_KEY);
        }
        long emitter = checkpoint.stream().emitter();
        Long before = emitterByName.put(checkpoint.emitterName(), emitter);
        if (before != null && before != emitter) {
            results.pass(Case.NEW_EMITTER_ID);
        }
        stream(emitter).checkpoint(record, checkpoint);
    }

    private StreamCases stream(long emitter) {
        return streams.computeIfAbsent(emitter, any -> new StreamCases(partition, results, others, beginningsAreKnown));
    }
}
