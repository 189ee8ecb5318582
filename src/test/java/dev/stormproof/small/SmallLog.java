package dev.stormproof.small;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.OversizedRecords;
import dev.stormproof.proof.checkpoint.SequenceRange;
import dev.stormproof.small.SmallStream.Statement;
import dev.stormproof.testing.StreamRecords;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the emitters of a small log write, and the records that tokens become: with real checkpoints, each of which names its
 * predecessor by its hash.
 *
 * <p>Owned by one thread.
 */
final class SmallLog {
    /** Which checkpoint an emitter says to have arrived. */
    enum Hints {
        PREDECESSOR,
        THE_ONE_BEFORE,
        NONE
    }

    /** The promise of each checkpoint. */
    static final long PROMISE_MILLIS = 60_000;

    private static final StreamRecords[] RECORDS = {StreamRecords.ALICE, StreamRecords.BOB};
    private static final int NO_HINT = -1;
    private static final int MOST_KEPT = 20_000;

    private final List<SmallStream> streams;
    private final List<Token> faultless;
    private final Hints hints;
    private final Map<List<Integer>, CheckpointRecord> made = new HashMap<>();

    SmallLog(List<SmallStream> streams, List<Token> faultless, Hints hints) {
        this.streams = streams;
        this.faultless = faultless;
        this.hints = hints;
    }

    static SmallLog of(SmallStream stream, Hints hints) {
        return new SmallLog(List.of(stream), stream.tokens(), hints);
    }

    List<Token> faultless() {
        return faultless;
    }

    List<SmallStream> streams() {
        return streams;
    }

    Statement statement(Token checkpoint) {
        return streams.get(checkpoint.stream()).statement(checkpoint);
    }

    static int stream(long emitter) {
        return emitter == RECORDS[0].stream().emitter() ? 0 : 1;
    }

    static long emitter(int stream) {
        return RECORDS[stream].stream().emitter();
    }

    /** Where each emitter's checkpoints lie, by stream and number; -1 if it does not. */
    int[][] places(List<Token> tokens) {
        int[][] places = new int[streams.size()][];
        for (SmallStream stream : streams) {
            places[stream.index()] = new int[stream.last() + 2];
            Arrays.fill(places[stream.index()], NO_HINT);
        }
        for (int i = tokens.size() - 1; i >= 0; i--) {
            Token token = tokens.get(i);
            if (token.kind() == Token.CHECKPOINT && !token.copy()) {
                places[token.stream()][token.number()] = i;
            }
        }
        return places;
    }

    /** The record that a token becomes at an offset. */
    LogRecord record(Token token, int[][] places, long offset) {
        StreamRecords of = RECORDS[token.stream()];
        return switch (token.kind()) {
            case Token.EVENT -> of.event(offset, token.number());
            case Token.ALTERED -> of.altered(offset, token.number());
            case Token.REPLACED -> of.forged(offset, token.number());
            case Token.UNREAD -> new OversizedRecords(offset, offset, 1, "?", LogRecord.NO_TIME);
            default -> {
                CheckpointRecord record = checkpoint(token, places[token.stream()]);
                yield new CheckpointRecord(offset, record.checkpoint(), record.chainHash(), LogRecord.NO_TIME);
            }
        };
    }

    private CheckpointRecord checkpoint(Token token, int[] places) {
        // Its own hint and those of all its predecessors.
        Integer[] key = new Integer[token.number() + 4];
        Arrays.fill(key, NO_HINT);
        key[0] = (int) token.kind();
        key[1] = token.stream();
        key[2] = token.variant();
        for (int number = 1; number <= token.number(); number++) {
            key[3 + number] = hint(number, places);
        }
        List<Integer> keyed = Arrays.asList(key);
        CheckpointRecord known = made.get(keyed);
        if (known == null) {
            if (made.size() > MOST_KEPT) {
                made.clear();
            }
            known = make(token, places);
            made.put(keyed, known);
        }
        return known;
    }

    private CheckpointRecord make(Token token, int[] places) {
        Statement states = statement(token);
        StreamRecords.Draft draft = RECORDS[token.stream()]
                .checkpoint(states.number(), states.first(), states.next())
                .promising(PROMISE_MILLIS)
                .hinting(hint(states.number(), places));
        if (states.chained()) {
            draft.after(checkpoint(Token.of(Token.CHECKPOINT, token.stream(), token.number() - 1), places));
        }
        if (states.closing()) {
            draft.closing();
        }
        if (states.replaced()) {
            draft.ofForged();
        }
        if (states.doubtful()) {
            draft.uncertainOf(new SequenceRange(states.first(), states.next())).by("end");
        } else if (token.kind() == Token.FORGED) {
            draft.by("forger " + token.variant());
        }
        return draft.at(0);
    }

    private int hint(int number, int[] places) {
        int lag = hints == Hints.THE_ONE_BEFORE ? 2 : 1;
        if (hints == Hints.NONE || number < 1) {
            return NO_HINT;
        }
        for (int before = Math.min(Math.max(0, number - lag), places.length - 1); before >= 0; before--) {
            if (places[before] != NO_HINT) {
                return places[before];
            }
        }
        return NO_HINT;
    }

    @Override
    public String toString() {
        return "hints " + hints;
    }
}
