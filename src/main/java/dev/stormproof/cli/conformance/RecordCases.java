package dev.stormproof.cli.conformance;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.feed.RecordContent;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The cases that one record shows by itself. */
final class RecordCases {
    private static final int ONE_BYTE_SEQUENCES = 128;

    private final int partition;
    private final Results results;

    RecordCases(int partition, Results results) {
        this.partition = partition;
        this.results = results;
    }

    void event(Event event, RecordContent content) {
        results.pass(Case.RECORD_SIGNED);
        results.pass(Case.EVENT_HEADER);
        results.pass(Case.EVENT_ALGORITHM);
        if (event.sequence() >= ONE_BYTE_SEQUENCES) {
            results.pass(Case.EVENT_SEQUENCE_FORM);
        }
        Names names = names(content);
        names(event.offset(), names.events == 1 && names.reserved.isEmpty(), "one header sp-e", names);
        signature(event, content, names.repeated);
    }

    void checkpoint(long offset, RecordContent content) {
        results.pass(Case.RECORD_SIGNED);
        results.pass(Case.CHECKPOINT_VERSION);
        results.pass(Case.CHECKPOINT_ALGORITHMS);
        results.pass(Case.CHECKPOINT_FIELDS);
        results.pass(Case.CHECKPOINT_PLACE);
        results.pass(Case.CHECKPOINT_END);
        results.pass(Case.CHECKPOINT_CHECKSUM);
        Names names = names(content);
        names(
                offset,
                names.events == 0 && names.checkpoints == 1 && names.reserved.isEmpty(),
                "one header " + Format2Checkpoint.HEADER,
                names);
        results.pass(Case.CHECKPOINT_RECORD);
    }

    /** True if a stream may have lost a checkpoint by it. */
    boolean unattributed(UnattributedRecord record, RecordContent content) {
        long offset = record.offset();
        byte[] checkpoint = content.headers().last(Format2Checkpoint.HEADER);
        if (checkpoint != null) {
            unreadCheckpoint(record, checkpoint, content);
            return true;
        }
        byte[] event = content.headers().last(EventHeader.NAME);
        if (event != null) {
            unreadEvent(record, event);
            return false;
        }
        Names names = names(content);
        if (names.reserved.isEmpty()) {
            fail(Case.RECORD_SIGNED, offset, "a header sp-e or " + Format2Checkpoint.HEADER, record.detail());
        } else {
            names(
                    offset,
                    false,
                    "no header that begins with " + EventHeader.RESERVED + " but " + Format2Checkpoint.HEADER,
                    names);
        }
        return false;
    }

    /** A record that this program reads, and the kit does not judge. */
    void format1(long offset) {
        fail(Case.RECORD_SIGNED, offset, "format 2", "format 1");
    }

    private void unreadEvent(UnattributedRecord record, byte[] header) {
        try {
            EventHeader.decode(header);
            fail(Case.EVENT_HEADER, record.offset(), "a header that can be read", record.detail());
        } catch (MalformedCheckpointException e) {
            fail(eventCase(e), record.offset(), "as section 3 has it", String.valueOf(e.getMessage()));
        }
    }

    private static Case eventCase(MalformedCheckpointException e) {
        return switch (e.field()) {
            case "signature algorithm", "size of signature" -> Case.EVENT_ALGORITHM;
            case "sequence" -> Case.EVENT_SEQUENCE_FORM;
            default -> Case.EVENT_HEADER;
        };
    }

    private void unreadCheckpoint(UnattributedRecord record, byte[] bytes, RecordContent content) {
        String detail = record.detail();
        switch (record.kind()) {
            case MISPLACED_CHECKPOINT ->
                fail(Case.CHECKPOINT_PLACE, record.offset(), "the topic and partition that it is in", detail);
            case FILLED_CHECKPOINT ->
                fail(
                        Case.CHECKPOINT_RECORD,
                        record.offset(),
                        "null key, null value",
                        size("key", content.key()) + ", " + size("value", content.value()));
            case UNTRUSTED_CHECKPOINT ->
                fail(Case.CHECKPOINT_KEY, record.offset(), "the signature of an accepted key", detail);
            default -> {
                try {
                    var unused = CheckpointCodec.decode(bytes);
                    fail(Case.CHECKPOINT_FIELDS, record.offset(), "as section 4 has it", detail);
                } catch (MalformedCheckpointException e) {
                    fail(checkpointCase(e), record.offset(), "as section 4 has it", String.valueOf(e.getMessage()));
                }
            }
        }
    }

    private static Case checkpointCase(MalformedCheckpointException e) {
        if (e.cutOff()) {
            return Case.CHECKPOINT_END;
        }
        String field = e.field();
        if (field.contains("uncertain")) {
            return Case.UNCERTAIN;
        }
        return switch (field) {
            case "magic", "version", "flags" -> Case.CHECKPOINT_VERSION;
            case "tree hash", "signature algorithm", "size of signature" -> Case.CHECKPOINT_ALGORITHMS;
            case "end" -> Case.CHECKPOINT_END;
            case "checksum" -> Case.CHECKPOINT_CHECKSUM;
            case "key id", "size of key id", "signature" -> Case.CHECKPOINT_KEY;
            case "first sequence" -> Case.NUMBER_0;
            default -> Case.CHECKPOINT_FIELDS;
        };
    }

    private void signature(Event event, RecordContent content, boolean repeatedHeaders) {
        if (event.observed().sizeBytes() == 0) { // An application's own algorithm that is unknown here.
            return;
        }
        byte[] key = content.key();
        byte[] value = content.value();
        boolean plain = key != null && key.length > 0 && value != null && value.length > 0;
        @Nullable
        Case[] shown = {
            repeatedHeaders ? Case.REPEATED_HEADERS : null,
            value != null && value.length >= Case.LARGE_BYTES ? Case.LARGE_VALUE : null,
            value == null ? Case.NULL_VALUE : null,
            value != null && value.length == 0 ? Case.EMPTY_VALUE : null,
            key == null && value != null && value.length > 0 ? Case.NULL_KEY : null,
            key != null && key.length == 0 && value != null && value.length > 0 ? Case.EMPTY_KEY : null,
            plain ? Case.EVENT_SIGNATURE : null
        };
        for (@Nullable Case rule : shown) {
            if (rule == null) {
                continue;
            }
            if (event.contradictsItsHeader()) {
                fail(
                        rule,
                        event.offset(),
                        "signature " + event.observed().toHex() + " of " + size("key", key) + " and "
                                + size("value", value),
                        event.stated().toHex());
                return;
            }
            results.pass(rule);
        }
    }

    private void names(long offset, boolean right, String expected, Names found) {
        if (!right) {
            fail(Case.RESERVED_NAMES, offset, expected, found.toString());
        } else {
            results.pass(Case.RESERVED_NAMES);
        }
    }

    private void fail(Case rule, long offset, String expected, String found) {
        results.fail(rule, partition, offset, expected, found);
    }

    private static String size(String what, byte @Nullable [] bytes) {
        return bytes == null ? "a null " + what : "a " + what + " of " + bytes.length + " bytes";
    }

    private static Names names(RecordContent content) {
        Names names = new Names();
        Set<String> known = new HashSet<>();
        content.headers().forEach((name, value) -> {
            if (name.equals(EventHeader.NAME)) {
                names.events++;
            } else if (name.equals(Format2Checkpoint.HEADER)) {
                names.checkpoints++;
            } else if (name.startsWith(EventHeader.RESERVED)) {
                names.reserved.add(name);
            } else if (!known.add(name)) {
                names.repeated = true;
            }
        });
        return names;
    }

    /** The names of the headers of a record. */
    private static final class Names {
        private int events;
        private int checkpoints;
        private boolean repeated;
        private final Set<String> reserved = new TreeSet<>();

        @Override
        public String toString() {
            return events + " of sp-e, " + checkpoints + " of " + Format2Checkpoint.HEADER
                    + (reserved.isEmpty() ? "" : ", and " + String.join(", ", reserved));
        }
    }
}
