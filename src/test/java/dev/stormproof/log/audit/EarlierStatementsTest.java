package dev.stormproof.log.audit;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.testing.SimulatedLog;
import dev.stormproof.verify.fold.LogQuery.OfInterval;
import dev.stormproof.verify.judge.IntervalId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EarlierStatementsTest {
    private static final int LAST = 100;

    private final SimulatedLog log = new SimulatedLog();
    private final List<CheckpointRecord> chain = new ArrayList<>();

    private List<CheckpointRecord> ofCopy(int number) throws Exception {
        CheckpointRecord original = chain.get(number);
        CheckpointRecord copy = log.append(
                offset -> new CheckpointRecord(offset, original.checkpoint(), original.chainHash(), LogRecord.NO_TIME));
        OfInterval task = new OfInterval(
                IntervalId.of(copy),
                copy.chainHash(),
                -1,
                copy.offset() + 1,
                true,
                new OfInterval.Earlier(chain.get(LAST).offset(), LAST, Long.MAX_VALUE, Long.MAX_VALUE, false));
        Reach reach = new Reach(new SearchedLog().on(log), Reach.DEFAULT_OFFSETS, SearchBudget.unlimited(), 0);
        return new EarlierStatements(new SearchedLog().on(log), reach).of(copy, task);
    }

    /** Hints lead back 64 steps, and to the successor as well; beyond that the statement is searched by its time. */
    @Test
    void theChainIsFollowedSixtyFourStepsBack() throws Exception {
        chain.add(log.append(ALICE.checkpoint(0, 0, 0)::at));
        for (int number = 1; number <= LAST; number++) {
            chain.add(log.append(ALICE.checkpoint(number, 0, 0).behind(chain.get(number - 1))::at));
        }
        assertThat(ofCopy(LAST - 64)).containsExactly(chain.get(LAST - 64), chain.get(LAST - 63));
        assertThat(ofCopy(LAST - 65)).containsExactly(chain.get(LAST - 65));
    }
}
