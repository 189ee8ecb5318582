package dev.stormproof.cli.text;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.evidence.notary.Note;
import dev.stormproof.evidence.notary.NoteStretch;
import dev.stormproof.evidence.notary.NotesCheck;
import dev.stormproof.evidence.notary.NotesFinding;
import dev.stormproof.evidence.notary.NotesFinding.Kind;
import dev.stormproof.verify.judge.EnumNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The report of a comparison with notes, as text or as JSON. */
public final class NotesReport {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String topic;
    private final @Nullable String copyOf;
    private final boolean ofRange;
    private final Instant notedSince;
    private final Terminal out;
    private final List<Part> parts = new ArrayList<>();
    private final List<Integer> unnoted = new ArrayList<>();
    private final List<Integer> empty = new ArrayList<>();
    private final List<Integer> idle = new ArrayList<>();
    private final List<Absent> absent = new ArrayList<>();
    private final List<Other> others = new ArrayList<>();
    private final List<String> heldBack = new ArrayList<>();

    /** A partition of the source that the copy lacks. */
    private record Absent(int partition, int notes, long records) {}

    /** Another topic of the same name, which is there no more. */
    private record Other(String topicId, int partitions, long records, long lastMillis, boolean gone) {}

    private record Part(int partition, NoteStretch stretch, NotesCheck.Result result) {
        Note last() {
            return stretch.notes().get(stretch.notes().size() - 1);
        }

        /** How many of the notes are in the compared range. */
        int notes() {
            return stretch.notes().size() - (stretch.before() == null ? 0 : 1);
        }

        /** True if records come after the last note, and that was taken before a time: the notary is dead, or later notes are gone. */
        boolean isLate(Instant notedSince) {
            return last().state().timeMillis() < notedSince.toEpochMilli()
                    && result.findings().stream().anyMatch(one -> one.kind() == Kind.NOT_NOTED_YET);
        }

        /** True if nothing was noted in the range: its records, if any, come after the last note. */
        boolean isIdle() {
            boolean nothingNoted = !stretch.isNoted();
            return nothingNoted && result.findings().stream().allMatch(one -> one.kind() == Kind.NOT_NOTED_YET);
        }

        /** True if the last note before a cut is none of those that were compared, and may be there. */
        boolean leavesOpenWhatIsBefore(NotesFinding finding) {
            Note first = stretch.before();
            return finding.kind() == Kind.TRUNCATED
                    && finding.before() == null
                    && first != null
                    && first.state().number() > 0;
        }
    }

    /**
     * @param copyOf the topic that the notes are on; null if it is this one
     * @param ofRange true if a part of the log was asked for
     * @param notedSince records after a last note that was taken before this time make the answer inconclusive
     */
    public NotesReport(String topic, @Nullable String copyOf, boolean ofRange, Instant notedSince, Terminal out) {
        this.notedSince = notedSince;
        this.topic = topic;
        this.copyOf = copyOf;
        this.ofRange = ofRange;
        this.out = out;
    }

    public void add(int partition, NoteStretch stretch, NotesCheck.Result result) {
        Part part = new Part(partition, stretch, result);
        if (part.isIdle() && result.findings().isEmpty()) {
            idle.add(partition);
        } else {
            parts.add(part);
        }
    }

    /** Adds a partition on which there are no notes. */
    public void addUnnoted(int partition) {
        unnoted.add(partition);
    }

    /** Adds a partition that nothing was ever written to. */
    public void addEmpty(int partition) {
        empty.add(partition);
    }

    /** Adds a partition of the source that the copy lacks. */
    public void addAbsent(int partition, List<Note> notes) {
        absent.add(new Absent(partition, notes.size(), records(notes)));
    }

    /**
     * Adds another topic of the same name that notes are on.
     *
     * @param notes those on each of its partitions
     * @param gone true if what was noted of it counts; false if another topic was chosen by its id
     */
    public void addOther(String topicId, Collection<List<Note>> notes, boolean gone) {
        long lastMillis = notes.stream()
                .flatMap(List::stream)
                .mapToLong(note -> note.state().timeMillis())
                .max()
                .orElse(0);
        long records = notes.stream().mapToLong(NotesReport::records).sum();
        if (notes.isEmpty()) {
            return;
        }
        others.add(new Other(topicId, notes.size(), records, lastMillis, gone));
    }

    private static long records(List<Note> notes) {
        return notes.stream().mapToLong(note -> note.head().size()).max().orElse(0);
    }

    /** Adds a partition of the notes topic that could not be read to its end. */
    public void addHeldBack(String notes) {
        heldBack.add(notes);
    }

    /** The exit code: verified only if all that was noted of each partition was compared. */
    public int exitCode() {
        boolean gone = !absent.isEmpty() || others.stream().anyMatch(Other::gone);
        if (gone || parts.stream().anyMatch(part -> part.result().isViolated())) {
            return ExitCode.VIOLATED;
        }
        boolean allNotes = heldBack.isEmpty() && !isLate();
        boolean complete = allNotes
                && unnoted.isEmpty()
                && !isNothingNoted()
                && parts.stream()
                        .allMatch(part -> part.isIdle() || part.result().isComplete());
        return complete ? ExitCode.VERIFIED : ExitCode.INCONCLUSIVE;
    }

    private boolean isLate() {
        return parts.stream().anyMatch(part -> part.isLate(notedSince));
    }

    private boolean isNothingNoted() {
        return parts.stream().allMatch(Part::isIdle);
    }

    public void print() {
        for (Part part : parts) {
            Note last = part.last();
            out.println(ReportText.text(
                    "%s-%d: %,d records as they were noted; %,d notes, the last of %s, of %,d records up to offset %,d",
                    topic,
                    part.partition(),
                    part.result().unaltered(),
                    part.notes(),
                    Instant.ofEpochMilli(last.state().timeMillis()).toString(),
                    last.head().size(),
                    last.state().next()));
            part.result().findings().forEach(finding -> out.println("  " + line(part, finding)));
            printUnjudged(part.stretch());
        }
        unnoted.forEach(partition -> out.println(topic + "-" + partition + ": no note was taken of it"));
        empty.forEach(partition -> out.println(topic + "-" + partition + ": nothing was written to it, nor noted"));
        idle.forEach(partition ->
                out.println(topic + "-" + partition + ": nothing in the range was written to it, nor noted"));
        absent.forEach(one -> out.println(ReportText.text(
                "%s-%d: there is no such partition, and %,d records were noted of it at %s",
                topic, one.partition(), one.records(), String.valueOf(copyOf))));
        others.forEach(one -> out.println(line(one)));
        heldBack.forEach(
                notes -> out.println(notes + ": a transaction is open there, and notes after it were not read"));
        out.println("verdict: " + verdict());
    }

    private void printUnjudged(NoteStretch stretch) {
        Note before = stretch.before();
        if (before != null) {
            out.println(ReportText.text(
                    "  not judged: records before offset %,d, and notes up to number %s, of %s",
                    before.state().next(),
                    number(before),
                    Instant.ofEpochMilli(before.state().timeMillis()).toString()));
        }
        if (stretch.end() < Long.MAX_VALUE) {
            Note last = stretch.last();
            out.println(ReportText.text("  not judged: records from offset %,d on", stretch.end())
                    + (last == null ? "" : ", and notes after number " + number(last)));
        }
    }

    private String line(Other one) {
        return ReportText.text(
                "%s: %,d records of %s were noted of another topic of that name, with the topic id %s, the last at %s: %s",
                copyOf == null ? topic : copyOf,
                one.records(),
                ReportText.count(one.partitions(), "partition", "partitions"),
                one.topicId(),
                Instant.ofEpochMilli(one.lastMillis()).toString(),
                one.gone() ? "that topic was deleted, and they are gone" : "they are not judged");
    }

    private String verdict() {
        return switch (exitCode()) {
            case ExitCode.VERIFIED ->
                "UNALTERED since it was noted" + (ofRange ? ", as far as it was judged" : "")
                        + ": key, value and headers";
            case ExitCode.VIOLATED -> "VIOLATED: the log is not what was noted";
            default ->
                "INCONCLUSIVE: "
                        + (isLate() ? "records follow a last note of before " + notedSince + "; " : "")
                        + (ofRange && heldBack.isEmpty() && isNothingNoted()
                                ? "nothing was noted in the range"
                                : "not all that was noted was compared");
        };
    }

    private static String line(Part part, NotesFinding finding) {
        String records = finding.records() < 0 ? "records" : ReportText.count(finding.records(), "record", "records");
        String place = finding.endOffset() - finding.offset() <= 1
                ? "offset " + finding.offset()
                : "offsets " + finding.offset() + " to " + (finding.endOffset() - 1);
        String leaf = finding.leaf() < 0 ? "" : ", noted as number " + finding.leaf();
        return switch (finding.kind()) {
            case ALTERED -> "altered: " + records + " at " + place + leaf + by(finding);
            case LOST -> "lost: " + records + " before offset " + finding.offset() + leaf + by(finding);
            case INSERTED -> "inserted: " + records + " at " + place + by(finding);
            case REORDERED -> "reordered: " + records + " at " + place + leaf + by(finding);
            case DIFFERENT ->
                "different: something among " + records + " at " + place + by(finding)
                        + "; only kept hashes (--tiles) name the record";
            case TRUNCATED ->
                "truncated: " + records + " noted from offset " + finding.offset() + " to " + (finding.endOffset() - 1)
                        + " are gone; "
                        + noteBefore(part, finding);
            case FORKED ->
                "forked: note " + number(finding.note()) + " does not continue note " + number(finding.before());
            case EXPIRED -> "not compared: " + records + " noted at " + place + " are no longer held";
            case NEVER_NOTED ->
                "never noted: "
                        + (finding.records() < 0 ? "what was written" : records)
                        + " at " + place + ", which the log no longer held then";
            case NOTES_MISSING -> "not compared: notes before note " + number(finding.note()) + " are gone";
            case NOT_COMPARED ->
                "not compared: " + place + ", for without kept hashes (--tiles) only whole intervals are";
            case UNREAD -> "not compared: " + records + " at " + place + leaf + ", too large to be read now or then";
            case HELD_BACK ->
                "not compared: " + records + " noted up to here may come after an open transaction from offset "
                        + finding.offset() + " on";
            case NOT_NOTED_YET -> "not noted yet: " + records + " at " + place;
        };
    }

    private static String noteBefore(Part part, NotesFinding finding) {
        if (part.leavesOpenWhatIsBefore(finding)) {
            return "the last note before, if there is one, is before the range";
        }
        return finding.before() == null
                ? "there is no note before"
                : "the last note before is " + number(finding.before());
    }

    private static String by(NotesFinding finding) {
        Note note = finding.note();
        Note before = finding.before();
        return note == null
                ? ""
                : (before == null ? ", before note " : ", between note " + number(before) + " and note ") + number(note)
                        + " of " + Instant.ofEpochMilli(note.state().timeMillis());
    }

    private static String number(@Nullable Note note) {
        return note == null ? "none" : Long.toString(note.state().number());
    }

    /** Prints it for programs: one object. */
    public void printJson() {
        ObjectNode all = JSON.createObjectNode();
        all.put("topic", topic);
        if (copyOf != null) {
            all.put("copyOf", copyOf);
        }
        all.put("verdict", ExitCode.word(exitCode()));
        ArrayNode partitions = all.putArray("partitions");
        for (Part part : parts) {
            ObjectNode one = partitions.addObject();
            one.put("partition", part.partition());
            one.put("origin", part.last().origin().text());
            one.put("notes", part.notes());
            if (ofRange) {
                putJudged(one, part.stretch());
            }
            one.put("noted", part.last().head().size());
            one.put("unaltered", part.result().unaltered());
            if (part.isLate(notedSince)) {
                one.put("notedBefore", notedSince.toString());
            }
            ArrayNode findings = one.putArray("findings");
            for (NotesFinding finding : part.result().findings()) {
                ObjectNode found = findings.addObject();
                found.put("kind", EnumNames.of(finding.kind()));
                found.put("offset", finding.offset());
                found.put("endOffset", finding.endOffset());
                putKnown(found, "leaf", finding.leaf());
                putKnown(found, "records", finding.records());
                putNote(found, "before", finding.before());
                if (part.leavesOpenWhatIsBefore(finding)) {
                    found.put("beforeUnknown", true);
                }
                putNote(found, "note", finding.note());
            }
        }
        empty.forEach(partition -> partitions
                .addObject()
                .put("partition", partition)
                .put("notes", 0)
                .put("empty", true));
        idle.forEach(partition -> partitions
                .addObject()
                .put("partition", partition)
                .put("notes", 0)
                .put("idle", true));
        absent.forEach(one -> partitions
                .addObject()
                .put("partition", one.partition())
                .put("notes", one.notes())
                .put("noted", one.records())
                .put("absent", true));
        unnoted.forEach(
                partition -> partitions.addObject().put("partition", partition).put("notes", 0));
        ArrayNode topics = all.putArray("otherTopics");
        others.forEach(one -> topics.addObject()
                .put("topicId", one.topicId())
                .put("partitions", one.partitions())
                .put("noted", one.records())
                .put("lastNoteMillis", one.lastMillis())
                .put("gone", one.gone()));
        heldBack.forEach(all.putArray("notesHeldBack")::add);
        out.println(all.toString());
    }

    private static void putJudged(ObjectNode object, NoteStretch stretch) {
        Note before = stretch.before();
        if (before != null) {
            object.put("judgedFrom", before.state().next());
            object.put("behindNote", before.state().number());
        }
        if (stretch.end() < Long.MAX_VALUE) {
            object.put("judgedTo", stretch.end());
        }
    }

    private static void putKnown(ObjectNode object, String name, long value) {
        if (value >= 0) {
            object.put(name, value);
        }
    }

    private static void putNote(ObjectNode object, String name, @Nullable Note note) {
        if (note != null) {
            object.put(name, note.state().number());
        }
    }
}
