package dev.stormproof.verify.feed;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.feed.LogPiece.End;
import dev.stormproof.verify.feed.LogPiece.Found;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A feed that is driven by steps in a line, and that notes what its sink hears.
 *
 * <pre>
 *   d5           delivery of the record at 5, right behind 4, under epoch 3
 *   d5/4 d5&lt;2    the same under epoch 4; behind 2
 *   t70          a tick at 70
 *   on again     readOn, readAgain
 *   ask          a piece is asked for
 *   more:5,6/4   answer to the piece that was asked for, or is asked for now: records at 5 and, under epoch 4, at 6
 *   end:5,6      the same, and there the log ends
 *   late:5=5,6   the same of a log that begins at 5
 *   cut:2,0      answer of a log that was truncated at 2 and begins at 0
 *   room:2       the sink has room for so many from now on
 *   progress:1   the sink wants a truncated log from there on
 * </pre>
 *
 * <p>An epoch of {@code -} is an unknown one.
 */
final class DrivenFeed implements LogSink {
    static final int EPOCH = 3;
    static final int PIECE_RECORDS = 100;
    static final long INACTIVITY_MILLIS = 1_000;

    /** The end of a log in which no transaction is open. */
    static final End WHOLE = new End(0, 0);

    private static final long PIECE_BYTES = 1 << 20;

    private final List<String> heard = new ArrayList<>();
    private final LogFeed feed;
    private long progress = Long.MAX_VALUE;
    private int room = 1_000;
    private @Nullable LogPiece asked;

    private DrivenFeed(long nextOffset, Leaders leaders) {
        this.feed = new LogFeed(this, nextOffset, leaders, PIECE_RECORDS, PIECE_BYTES);
    }

    /** A feed that begins at an offset: {@code 5/3}. */
    static DrivenFeed from(String begin) {
        return new DrivenFeed(offset(begin), Leaders.of(offset(begin) - 1, epoch(begin)));
    }

    /** The same behind several leaders: {@code 0/3,2/5}. */
    static DrivenFeed from(long begin, String leaders) {
        return new DrivenFeed(begin, Leaders.ofText(leaders));
    }

    LogFeed feed() {
        return feed;
    }

    /** Takes steps. */
    DrivenFeed drive(String steps) {
        for (String step : steps.split(" ", -1)) {
            take(step);
        }
        return this;
    }

    /** What the sink heard since the last call. */
    List<String> drain() {
        List<String> drained = List.copyOf(heard);
        heard.clear();
        return drained;
    }

    /** {@code following 5}, or {@code reading 5/3}: behind which record, and under which epoch, the log is read. */
    String state() {
        if (!feed.isReading()) {
            return "following " + feed.nextOffset();
        }
        Optional<LogPiece> piece = feed.ask();
        return piece.map(next -> "reading " + next.beginOffset() + "/"
                        + (next.leaderEpoch() == DeliveryLink.NO_EPOCH ? "-" : next.leaderEpoch()))
                .orElse("reading later");
    }

    /** The next piece, which has to be asked for. */
    LogPiece ask() {
        LogPiece piece = feed.ask().orElseThrow();
        asked = piece;
        return piece;
    }

    /** The piece that is asked for behind a record. */
    static LogPiece piece(String begin) {
        return new LogPiece(offset(begin), epoch(begin), PIECE_RECORDS, PIECE_BYTES, false);
    }

    /** What a log says that was neither truncated nor overtaken by retention. */
    static Found found(LogPiece piece, String records, boolean atEnd) {
        return new Found(
                reads(records), Optional.of(WHOLE).filter(end -> atEnd), EpochEnd.WHOLE, piece.beginOffset(), false);
    }

    static List<Read> reads(String records) {
        return Arrays.stream(records.split(",", -1))
                .filter(one -> !one.isEmpty())
                .map(one -> new Read(made(offset(one)), epoch(one), 0, null))
                .toList();
    }

    private static EpochEnd end(String text) {
        return new EpochEnd(epoch(text), offset(text));
    }

    private void take(String step) {
        String[] parts = step.split("[:=]", -1);
        switch (parts[0]) {
            case "on" -> feed.readOn();
            case "again" -> {
                feed.readAgain();
                asked = null;
            }
            case "ask" -> ask();
            case "more", "end" -> {
                LogPiece piece = taken();
                feed.answer(piece, found(piece, parts[1], parts[0].equals("end")));
            }
            case "held" -> {
                String[] ends = parts[1].split(",", -1);
                LogPiece piece = taken();
                End end = new End(Long.parseLong(ends[0]), Long.parseLong(ends[1]));
                feed.answer(
                        piece,
                        new Found(reads(parts[2]), Optional.of(end), EpochEnd.WHOLE, piece.beginOffset(), false));
            }
            case "late" ->
                feed.answer(
                        taken(),
                        new Found(reads(parts[2]), Optional.of(WHOLE), EpochEnd.WHOLE, Long.parseLong(parts[1]), true));
            case "cut" -> {
                String[] offsets = parts[1].split(",", -1);
                feed.answer(taken(), Found.truncated(end(offsets[0]), Long.parseLong(offsets[1])));
            }
            case "room" -> room = Integer.parseInt(parts[1]);
            case "progress" -> progress = Long.parseLong(parts[1]);
            default -> deliverOrTick(step);
        }
    }

    private void deliverOrTick(String step) {
        String rest = step.substring(1);
        if (step.startsWith("t")) {
            feed.tick(Long.parseLong(rest), INACTIVITY_MILLIS);
            return;
        }
        String[] parts = rest.split("<", -1);
        long offset = offset(parts[0]);
        long previous = parts.length > 1 ? Long.parseLong(parts[1]) : offset - 1;
        feed.deliver(
                new DeliveryLink(offset, previous, epoch(parts[0])),
                new Read(made(offset), epoch(parts[0]), LogRecord.NO_TIME, null));
    }

    private LogPiece taken() {
        LogPiece piece = asked == null ? ask() : asked;
        asked = null;
        return piece;
    }

    private static LogRecord made(long offset) {
        return new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "", LogRecord.NO_TIME);
    }

    private static long offset(String record) {
        return Long.parseLong(record.split("/", -1)[0]);
    }

    private static int epoch(String record) {
        String[] parts = record.split("/", -1);
        if (parts.length == 1) {
            return EPOCH;
        }
        return parts[1].equals("-") ? DeliveryLink.NO_EPOCH : Integer.parseInt(parts[1]);
    }

    @Override
    public void take(Read read) {
        heard.add(String.valueOf(read.record().offset()));
        room--;
    }

    @Override
    public boolean takesContent() {
        return false;
    }

    @Override
    public long truncated(long offset) {
        heard.add("truncated@" + offset);
        return Math.min(progress, offset);
    }

    @Override
    public void expired(long beginOffset, long endOffset) {
        heard.add("expired@" + beginOffset + ".." + endOffset);
    }

    @Override
    public void caughtUp(long asOfMillis) {
        heard.add("caughtUp@" + asOfMillis);
    }

    @Override
    public int room() {
        return room;
    }
}
