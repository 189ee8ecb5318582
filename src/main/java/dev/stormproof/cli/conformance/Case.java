package dev.stormproof.cli.conformance;

import java.util.Locale;

/** A case is one rule of docs/FORMAT.md that a log can show, and what makes an emitter show it. */
public enum Case {
    RECORD_SIGNED("1", "each record is an event or a checkpoint of format 2", "any event"),
    RESERVED_NAMES(
            "1, rule 7",
            "a record has its one header of ours; the application has none of these names",
            "an event, better one that was read from a verified topic and is sent on"),
    REPEATED_HEADERS(
            "6",
            "the application's headers are not covered, also if one name occurs twice",
            "an event with two headers of one name, which is not ours"),
    NEW_EMITTER_ID(
            "1, rule 1", "each start takes a new emitter id", "a close and a restart under the same emitter's name"),
    EVENT_HEADER("3", "the event header names format 2, a tree hash and an emitter other than 0", "any event"),
    EVENT_ALGORITHM("3", "the signature's algorithm is known, and its size is the algorithm's", "any event"),
    EVENT_SEQUENCE_FORM(
            "3",
            "the sequence is the shortest LEB128",
            "more than 128 events in one stream, so that it takes two bytes"),
    EVENT_SIGNATURE("3", "the signature is that of key and value", "an event with key and value, neither empty"),
    NULL_KEY("3", "a null key is signed with the size -1", "an event with a null key and a value"),
    EMPTY_KEY("3", "an empty key is signed with the size 0", "an event with an empty key and a value"),
    NULL_VALUE("3", "a null value is signed with the size -1", "an event with a null value"),
    EMPTY_VALUE("3", "an empty value is signed with the size 0", "an event with an empty value"),
    LARGE_VALUE(
            "3",
            "the size of a large value is signed in four bytes",
            "an event whose value has at least " + Case.LARGE_BYTES + " bytes, or the largest that the topic takes"),
    SEQUENCE_FROM_0("1, rule 4", "the first event of a stream has sequence 0", "a stream with events"),
    SEQUENCES_DENSE("1, rule 4", "sequences have no gaps and follow the log's order", "a second event in a stream"),
    STREAM_CONSTANT(
            "1, rule 6",
            "tree hash, signature algorithm and signature size stay the same in a stream",
            "two checkpoints in a stream"),
    SEVERAL_PARTITIONS(
            "1",
            "each partition has a stream of its own, from sequence 0",
            "events in several partitions of the topic"),
    SIDE_BY_SIDE(
            "1",
            "a root covers the events of its own stream alone",
            "two emitters side by side in a partition, with events of both in one interval"),
    CHECKPOINT_RECORD("1", "a checkpoint's record has neither key nor value", "any checkpoint"),
    CHECKPOINT_VERSION("4", "a checkpoint has the magic, version 1, and no unknown flag", "any checkpoint"),
    CHECKPOINT_ALGORITHMS("4", "a checkpoint names a known tree hash, signature algorithm and size", "any checkpoint"),
    CHECKPOINT_FIELDS("4", "the fields of a checkpoint are within their bounds", "any checkpoint"),
    CHECKPOINT_PLACE("7", "a checkpoint names the topic and partition that it is in", "any checkpoint"),
    CHECKPOINT_END("4", "a checkpoint has exactly the bytes that its fields demand", "any checkpoint"),
    CHECKPOINT_CHECKSUM("4", "the checksum is XXH3 over all bytes before it", "any checkpoint"),
    CHECKPOINT_KEY(
            "4",
            "a signed checkpoint has the Ed25519 signature of an accepted key",
            "a checkpoint signed with a key that checkpoint.keys in --config names, as all are then",
            false),
    NUMBER_0("1, rule 2", "a stream begins with number 0, first sequence 0", "the beginning of a stream"),
    NUMBER_FOLLOWS("1, rule 8", "a checkpoint's number is its predecessor's plus 1", "two checkpoints in a stream"),
    FIRST_SEQUENCE("1, rule 8", "the first sequence is the predecessor's next sequence", "two checkpoints in a stream"),
    PREVIOUS_HASH("1, rule 9", "the previous hash is the chain hash of the predecessor", "two checkpoints in a stream"),
    COVERS(
            "1, rule 8",
            "a checkpoint comes after the events that it covers, and before all others",
            "more events than one interval takes"),
    ROOT("2", "the root is that of the interval's events", "events, and a checkpoint after them"),
    TREE_SHAPE(
            "2",
            "a tree whose leaves are no power of two has the shape of RFC 6962",
            "an interval of 3, 5, 6 or 7 events, for instance"),
    EMPTY_ROOT(
            "2", "the root of no leaves is the hash of nothing", "a checkpoint over no events, as number 0 mostly is"),
    LEAVES("4", "the leaves are the signatures of the events, in order", "a checkpoint with leaves over events", false),
    DEADLINE_MET(
            "1, rule 13",
            "the next checkpoint is created by the deadline, of no events if need be",
            "a deadline, and an idle time longer than it"),
    CLOSING(
            "1, rules 13, 18 and 19",
            "a closing checkpoint sets the deadline 0, and nothing follows it but the same, stated again later",
            "a close"),
    UNCERTAIN(
            "4, rule 16",
            "uncertain ranges ascend within the interval, apart from each other",
            "an event whose arrival is unknown, for example because a broker goes away",
            false),
    ABORT(
            "1, rule 22",
            "after an abort, sequences, numbers and hashes go on from before the transaction",
            "a transaction that is aborted after it wrote events, and one that is committed after it",
            false);

    /** The size from which on a value counts as large: its size has a third byte. */
    static final int LARGE_BYTES = 1 << 16;

    private final String section;
    private final String rule;
    private final String shownBy;
    private final boolean required;

    Case(String section, String rule, String shownBy) {
        this(section, rule, shownBy, true);
    }

    Case(String section, String rule, String shownBy, boolean required) {
        this.section = section;
        this.rule = rule;
        this.shownBy = shownBy;
        this.required = required;
    }

    /** The id as people and programs write it. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The section of docs/FORMAT.md that has the rule, maybe with the rule's number. */
    public String section() {
        return section;
    }

    /** The rule, as what holds of a right log. */
    public String rule() {
        return rule;
    }

    /** What the emitter must write for the case to be seen. */
    public String shownBy() {
        return shownBy;
    }

    /** True if each emitter can show it; others need something that an emitter may leave out. */
    public boolean required() {
        return required;
    }
}
