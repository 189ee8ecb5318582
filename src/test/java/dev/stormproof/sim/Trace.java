package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Records in a few words. */
final class Trace {
    private Trace() {}

    static String of(LogRecord record) {
        if (record instanceof Event event) {
            return "@" + event.offset() + " " + name(event.emitter()) + " event " + event.sequence() + " "
                    + abbreviated(event.observed()) + (event.intact() ? "" : " NOT INTACT");
        }
        if (record instanceof CheckpointRecord checkpoint) {
            String number =
                    checkpoint.checkpoint().leaves().map(Trace::abbreviated).orElse("");
            if (checkpoint.checkpoint() instanceof Format2Checkpoint sealed) {
                number = sealed.number() + " [" + sealed.firstSequence() + ", " + sealed.nextSequence() + ")"
                        + (sealed.closing() ? " closing" : "")
                        + (sealed.uncertain().isEmpty() ? "" : " uncertain " + sealed.uncertain())
                        + (sealed.leaves().isPresent() ? "" : " root only")
                        + " after " + abbreviated(sealed.previousHash()) + " hint " + sealed.previousOffsetHint();
            }
            return "@" + checkpoint.offset() + " "
                    + name(checkpoint.checkpoint().stream().emitter()) + " CHECKPOINT " + number + " of "
                    + checkpoint.checkpoint().eventCount() + " = " + abbreviated(checkpoint.chainHash());
        }
        return record.toString();
    }

    private static String abbreviated(Leaves leaves) {
        return IntStream.range(0, leaves.count())
                .mapToObj(i -> abbreviated(leaves.signature(i)))
                .collect(Collectors.joining(" "));
    }

    private static String abbreviated(Hash hash) {
        return hash.sizeBytes() < 3 ? "-" : hash.toHex().substring(0, 6);
    }

    private static String name(long emitter) {
        return String.format("%016x", emitter).substring(0, 4);
    }
}
