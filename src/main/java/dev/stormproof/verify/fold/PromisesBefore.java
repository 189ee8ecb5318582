package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.verify.fold.LogQuery.OfPromises;
import dev.stormproof.verify.judge.Succession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The promises that were committed beside the progress, on their way back from the log: a piece is read after the other, up to
 * the progress, and of each stream the last checkpoint counts.
 *
 * <pre>
 *   DONE    ──expect──────────────────► WANTED
 *   WANTED  ──next────────────────────► ASKED
 *   ASKED   ──answer, more is to come─► WANTED
 *           ──answer, the last one────► DONE
 *   any     ──expect more─────────────► WANTED; an answer to what was asked before counts no more
 * </pre>
 *
 * <p>Owned by one thread.
 */
final class PromisesBefore {
    private final int mostStreams;
    private final Map<Long, CheckpointRecord> owing = new LinkedHashMap<>();
    /** The number of the last checkpoint of each stream, whether or not that owes another; of at most as many streams. */
    private final Map<Long, Long> numbers = new LinkedHashMap<>();

    private Promises expected = Promises.NONE;
    private @Nullable OfPromises wanted;
    private boolean asked;

    /** @param mostStreams how many streams are kept at once */
    PromisesBefore(int mostStreams) {
        this.mostStreams = mostStreams;
    }

    /** Requests that promises before an offset are read, and again those that are not all read yet. */
    void expect(Promises promises, long endOffset) {
        expected = promises.and(expected);
        wanted = expected.isEmpty() ? null : OfPromises.first(expected, endOffset);
        asked = false;
        owing.clear();
        numbers.clear();
    }

    Promises expected() {
        return expected;
    }

    Optional<OfPromises> next() {
        Optional<OfPromises> next = Optional.ofNullable(asked ? null : wanted);
        asked |= next.isPresent();
        return next;
    }

    /**
     * Takes the checkpoints of a piece.
     *
     * @return those that are known to be the last ones of streams that owe another; of more streams than are kept, the first
     *     ones, which may go on further down
     */
    List<CheckpointRecord> answer(OfPromises task, List<CheckpointRecord> found) {
        if (!asked || !task.equals(wanted)) {
            return List.of();
        }
        asked = false;
        wanted = task.next();
        for (CheckpointRecord record : found) {
            long emitter = record.checkpoint().stream().emitter();
            if (isCopy(record, numbers.get(emitter))) {
                continue;
            }
            note(record);
            owing.remove(emitter);
            if (LastCheckpoint.of(record).owesAnother()) {
                owing.put(emitter, record);
            }
        }
        List<CheckpointRecord> known = new ArrayList<>();
        while (owing.size() > (wanted == null ? 0 : mostStreams)) {
            known.add(owing.remove(owing.keySet().iterator().next()));
        }
        expected = wanted == null ? Promises.NONE : expected;
        return known;
    }

    /** True if a checkpoint lies behind one of a greater number: an end in doubt alone bears that of one which it takes back. */
    private static boolean isCopy(CheckpointRecord record, @Nullable Long before) {
        return before != null && Succession.number(record) < before && !Succession.endsInDoubt(record);
    }

    private void note(CheckpointRecord record) {
        numbers.put(record.checkpoint().stream().emitter(), Succession.number(record));
        if (numbers.size() > mostStreams) {
            numbers.remove(numbers.keySet().iterator().next());
        }
    }
}
