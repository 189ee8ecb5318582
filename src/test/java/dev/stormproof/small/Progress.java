package dev.stormproof.small;

import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Checks, while a log is verified, that the progress passes nothing undecided. */
final class Progress {
    private final SmallLog small;
    private final int[] toldUpTo;
    private final BitSet told = new BitSet();
    private final List<String> broken = new ArrayList<>(0);
    private final BitSet unsealed = new BitSet();
    private int checked;
    private int missed;

    Progress(SmallLog small) {
        this.small = small;
        toldUpTo = new int[small.streams().size()];
        Arrays.fill(toldUpTo, -1);
    }

    void broken(String what) {
        broken.add(what);
    }

    List<String> broken() {
        return broken;
    }

    void told(Finding finding) {
        if (finding instanceof Verdict verdict) {
            int stream = SmallLog.stream(verdict.interval().stream().emitter());
            int offset = Math.toIntExact(verdict.interval().checkpointOffset());
            unsealed.set(stream, verdict.revision() == Finding.OPEN_REVISION);
            toldUpTo[stream] = Math.max(toldUpTo[stream], offset);
            told.set(Math.max(0, offset));
            SmallStream of = small.streams().get(stream);
            boolean closes =
                    of.ending() != SmallStream.Ending.OPEN && verdict.interval().number() >= of.last();
            if (closes && verdict instanceof Violated violated) {
                // What came after the closing checkpoint is in no further interval.
                violated.anomalies().stream()
                        .filter(anomaly -> anomaly.kind() == Anomaly.Kind.REORDERED && anomaly.offset() > offset)
                        .forEach(moved -> told.set(Math.toIntExact(moved.offset())));
            }
        } else if (finding instanceof StrayRecord stray) {
            told.set(Math.toIntExact(stray.offset()));
        }
    }

    /** Everything before an offset was missed, or may have been. */
    void missed(int offset) {
        missed = Math.max(missed, offset);
    }

    void cut(int offset) {
        checked = Math.min(checked, offset);
        missed = Math.min(missed, offset);
        told.clear(offset, Math.max(offset, told.length()));
        for (int stream = 0; stream < toldUpTo.length; stream++) {
            toldUpTo[stream] = Math.min(toldUpTo[stream], offset - 1);
        }
    }

    /** The progress is at an offset. */
    void at(int progress, List<Token> log) {
        for (; checked < Math.min(progress, log.size()); checked++) {
            Token token = log.get(checked);
            if (checked < missed) {
                continue;
            }
            // What follows events that were told as unsealed is told with them, until a checkpoint comes.
            if (token.isEvent()
                    && !unsealed.get(token.stream())
                    && toldUpTo[token.stream()] < checked
                    && !told.get(checked)) {
                broken.add("progress passed an event: " + token + " at " + checked);
            } else if (token.isCheckpoint() && !told.get(checked)) {
                broken.add("progress passed a checkpoint: " + token + " at " + checked);
            }
        }
    }
}
