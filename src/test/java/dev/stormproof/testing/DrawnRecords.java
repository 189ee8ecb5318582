package dev.stormproof.testing;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The records of a log, as a test draws them.
 *
 * <pre>
 *   e7      event 7 of Alice; be7, ce7, de7 of three others; pe7 in format 1
 *   #3      checkpoint 3, likewise; it states its own events, whatever the log holds
 *   #3.     checkpoint 3, which ends the stream
 *   #3!     the same, stated again at a later time
 *   #3?     checkpoint 3, which ends the stream and leaves its own events in doubt; #3?5 those up to checkpoint 5
 *   #3-7    checkpoint 3, which ends the stream, without event 7, which a broker refused
 *   #3'     checkpoint 3 as another emitter states it
 *   #3"     checkpoint 3 of a second emitter of the same id, over ^e4 ^e5; it continues #2" if that was drawn
 *   #3<5    checkpoint 3, whose emitter knew of no checkpoint after offset 5 that it had arrived
 *   ~e7     event 7 with another value than was signed
 *   ^e7     event 7 with another value, and a signature that fits it
 *   x       a record of no stream
 *   ?       a record that is too large to be read
 *   |       a transaction marker
 * </pre>
 *
 * <p>Interval n holds two events, so that a faultless log is {@code #0 e0 e1 #1 e2 e3 #2}. Format 1 has no checkpoint 0. Each
 * checkpoint promises the next one within {@link #PROMISE_MILLIS}.
 */
final class DrawnRecords {
    static final long PROMISE_MILLIS = 60_000;

    private static final Pattern TOKEN = Pattern.compile("([~^]?)([bcdp]?)([e#])(\\d+)([.!'\"]?|\\?\\d*|[-<]\\d+)");

    private final SimulatedLog log;
    private final Map<Long, CheckpointRecord> forked = new HashMap<>();
    private final Map<Long, CheckpointRecord> hinting = new HashMap<>();
    private int[] sizes = {};

    DrawnRecords(SimulatedLog log) {
        this.log = log;
    }

    /** Has the intervals 1, 2, … hold so many events; two each behind those. */
    void sizes(int... counts) {
        sizes = counts.clone();
    }

    List<String> faultless() {
        List<String> records = new ArrayList<>(List.of("#0"));
        for (int number = 1; number <= sizes.length; number++) {
            for (long sequence = firstSequence(number); sequence < firstSequence(number + 1); sequence++) {
                records.add("e" + sequence);
            }
            records.add("#" + number + (number == sizes.length ? "." : ""));
        }
        return records;
    }

    void append(String token) {
        if (token.equals("|")) {
            log.appendMarker();
        } else if (token.equals("x")) {
            log.append(
                    offset -> new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "x", LogRecord.NO_TIME));
        } else if (token.equals("?")) {
            log.append(offset -> new OversizedRecords(offset, offset, 1, "?", LogRecord.NO_TIME));
        } else if (!token.isEmpty()) {
            Matcher parts = TOKEN.matcher(token);
            if (!parts.matches()) {
                throw new IllegalArgumentException("drawn: " + token);
            }
            long number = Long.parseLong(parts.group(4));
            StreamRecords stream = stream(parts.group(2));
            log.append(offset -> parts.group(3).equals("#")
                    ? checkpoint(stream, number, parts.group(5), offset)
                    : event(stream, number, parts.group(1), offset));
        }
    }

    private static StreamRecords stream(String letter) {
        return switch (letter) {
            case "" -> StreamRecords.ALICE;
            case "b" -> StreamRecords.BOB;
            case "p" -> StreamRecords.PLAIN;
            default -> StreamRecords.of(letter.charAt(0));
        };
    }

    private static LogRecord event(StreamRecords stream, long sequence, String change, long offset) {
        if (stream.equals(StreamRecords.PLAIN)) {
            return stream.plainEvent(offset, sequence);
        }
        return switch (change) {
            case "~" -> stream.altered(offset, sequence);
            case "^" -> stream.forged(offset, sequence);
            default -> stream.event(offset, sequence);
        };
    }

    private CheckpointRecord checkpoint(StreamRecords stream, long number, String change, long offset) {
        long first = firstSequence(number);
        long last = change.length() > 1 && change.startsWith("?") ? Long.parseLong(change.substring(1)) : number;
        long next = firstSequence(last + 1);
        if (stream.equals(StreamRecords.PLAIN)) {
            long[] signatures = new long[(int) (next - first)];
            Arrays.setAll(signatures, i -> first + i);
            return stream.plainCheckpoint(offset, signatures);
        }
        StreamRecords.Draft draft = stream.checkpoint(number, first, next).promising(PROMISE_MILLIS);
        if (number > 0) {
            Map<Long, CheckpointRecord> continued = change.equals("\"") ? forked : hinting;
            CheckpointRecord before = continued.get(number - 1);
            draft.after(before == null ? checkpoint(stream, number - 1, "", 0) : before);
        }
        if (change.equals(".")) {
            draft.closing();
        } else if (change.equals("!")) {
            draft.closing().madeAt(1);
        } else if (change.startsWith("?")) {
            draft.closing().uncertainOf(new SequenceRange(first, next));
        } else if (change.startsWith("-")) {
            long refused = Long.parseLong(change.substring(1));
            draft.closing().refusedOf(new SequenceRange(refused, refused + 1));
        } else if (change.startsWith("<")) {
            hinting.put(
                    number, draft.hinting(Long.parseLong(change.substring(1))).at(offset));
        } else if (change.equals("'")) {
            draft.by("another");
        } else if (change.equals("\"")) {
            forked.put(number, draft.by("second").ofForged().at(offset));
        }
        return draft.at(offset);
    }

    /** The first sequence of an interval; interval 0 holds none. */
    private long firstSequence(long number) {
        long first = 0;
        for (int i = 1; i < number; i++) {
            first += i <= sizes.length ? sizes[i - 1] : 2;
        }
        return first;
    }
}
