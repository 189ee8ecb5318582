package dev.stormproof.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.verify.judge.Tail;

/** The fields of a verdict about unsealed events, which verdicts with a checkpoint do not have. */
final class TailJson {
    private static final String TAIL = "tail";
    private static final String FIRST_SEQUENCE = "firstSequence";
    private static final String LAST_SEQUENCE = "lastSequence";
    private static final String MISSING = "missing";
    private static final String FIRST_MISSING = "firstMissing";
    private static final String LATE = "late";
    private static final String ALTERED = "altered";
    private static final String UNCHECKED = "unchecked";

    private TailJson() {}

    static void write(ObjectNode data, Tail tail) {
        if (!tail.isThere()) {
            return;
        }
        ObjectNode node = data.putObject(TAIL);
        putIfKnown(node, FIRST_SEQUENCE, tail.firstSequence());
        putIfKnown(node, LAST_SEQUENCE, tail.lastSequence());
        putIfKnown(node, MISSING, tail.missing());
        putIfKnown(node, FIRST_MISSING, tail.firstMissing());
        node.put(LATE, tail.late());
        node.put(ALTERED, tail.altered());
        node.put(UNCHECKED, tail.unchecked());
    }

    private static void putIfKnown(ObjectNode node, String field, long number) {
        if (number != Tail.UNKNOWN) {
            node.put(field, number);
        }
    }

    static Tail read(JsonNode data) {
        JsonNode node = data.path(TAIL);
        return node.isObject()
                ? new Tail(
                        data.required("eventCount").asLong(),
                        known(node, FIRST_SEQUENCE),
                        known(node, LAST_SEQUENCE),
                        known(node, MISSING),
                        known(node, FIRST_MISSING),
                        node.required(LATE).asLong(),
                        node.required(ALTERED).asLong(),
                        node.required(UNCHECKED).asLong())
                : Tail.NONE;
    }

    private static long known(JsonNode node, String field) {
        return node.path(field).asLong(Tail.UNKNOWN);
    }
}
