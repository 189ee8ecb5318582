package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.chain.SavedHeads;
import dev.stormproof.verify.judge.Evidence;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two checkpoints of one number: a fork of a stream is told as that, and what is stated again is told apart. */
class ForksTest {
    private static List<String> findings(String drawing) {
        return DrawnLog.of(drawing).verify().findings();
    }

    @Test
    void aForkThatDiffersInItsWordsAloneIsAFork() {
        assertThat(findings("#0 e0 e1 #1 #1'")).containsExactly("Verified 0", "Verified 1", "FORKED_CHECKPOINT @4");
        assertThat(findings("#0 e0 e1 #1. #1'")).containsExactly("Verified 0", "Verified 1", "FORKED_CHECKPOINT @4");
    }

    @Test
    void aSecondEmitterOfOneIdIsAForkInEveryNumberThatTheFirstOneStated() {
        // #0 e0 e1 #1 e2 e3 #2, and a second emitter's #0" #1" #2" behind it
        assertThat(findings("#0 e0 e1 #1 e2 e3 #2 #0\" ^e0 ^e1 #1\" ^e2 ^e3 #2\""))
                .containsExactly(
                        "Verified 0", "Verified 1",
                        "Verified 2", "FORKED_CHECKPOINT @7",
                        "FORKED_CHECKPOINT @10", "FORKED_CHECKPOINT @13");
    }

    @Test
    void theEventsOfAForkFurtherDownAreNotNamedOneByOne() {
        // a machine that was restored from its image goes on from #0: three intervals are stated otherwise
        assertThat(
                        findings(
                                "#0 e0 e1 #1 e2 e3 #2 e4 e5 #3 e6 e7 #4 ^e0 ^e1 #1\" ^e2 ^e3 #2\" ^e4 ^e5 #3\" e8 e9 #5 e10 e11 #6"))
                .containsExactly(
                        "Verified 0", "Verified 1",
                        "Verified 2", "Verified 3",
                        "Verified 4", "FORKED_CHECKPOINT @15",
                        "FORKED_CHECKPOINT @18", "FORKED_CHECKPOINT @21",
                        "Violated 5: CHAIN_BROKEN 3..4", "Verified 6");
    }

    @Test
    void ofTwoEmittersOfOneIdThatWriteInTurnsOneIsBelievedAndTheForkIsToldOncePerInterval() {
        assertThat(findings("#0 e0 ^e0 e1 #1 ^e1 #1\" e2 ^e2 e3 #2 ^e3 #2\" e4 e5 #3 ^e4 ^e5 #3\""))
                .as("before #1\" nothing shows the fork")
                .containsExactly(
                        "Verified 0",
                        "Violated 1: FOREIGN 0..1",
                        "FORKED_CHECKPOINT @6",
                        "Violated 2: CHAIN_BROKEN 1..2",
                        "FORKED_CHECKPOINT @12",
                        "Violated 3: CHAIN_BROKEN 1..2",
                        "FORKED_CHECKPOINT @18");
    }

    @Test
    void whatIsLostOrThereTwiceIsNamedBesideAFork() {
        assertThat(findings("#0 e0 e1 #1 ^e0 ^e1 #1\" e2 e2 #2 #3"))
                .contains("Violated 2: CHAIN_BROKEN 1..2, DUPLICATED 2..3, LOST 3..4");
    }

    @Test
    void theLastCheckpointStatedAgainIsJudgedAndHasAnIdOfItsOwn() {
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1");
        StreamRecords stream = StreamRecords.ALICE;
        var one = stream.checkpoint(1, 0, 2)
                .promising(DrawnLog.PROMISE_MILLIS)
                .after(stream.checkpoint(0, 0, 0)
                        .promising(DrawnLog.PROMISE_MILLIS)
                        .at(0))
                .at(3);
        log.append("e2 e3");
        log.append(offset -> stream.checkpoint(2, 2, 4).after(one).closing().at(offset));
        log.append(offset ->
                stream.checkpoint(2, 2, 4).after(one).closing().by("again").at(offset));
        log.verify();
        List<Finding> findings = log.verifier().drainFindings();
        assertThat(findings).hasSize(4).allMatch(Verified.class::isInstance);
        assertThat(findings).extracting(Finding::id).doesNotHaveDuplicates();
        assertThat(findings.get(2).id()).isEqualTo("orders/0/00000000000a11ce/2");
        assertThat(findings.get(3).id()).matches("orders/0/00000000000a11ce/2~[0-9a-f]{16}");
        log.restart(4, -1, SavedHeads.NOTHING).verify();
        assertThat(log.verifier().drainFindings())
                .as("another reader gives the same ids")
                .extracting(Finding::id)
                .containsExactly(findings.get(2).id(), findings.get(3).id());
    }

    @Test
    void twoStatementsWithoutAPredecessorHaveDifferentIds() {
        // two forgeries of number 2, of which neither says truly what it continues
        DrawnLog log = DrawnLog.of("#0 e0 e1 #1 e2 e3");
        for (String name : List.of("one", "two")) {
            CheckpointRecord nowhere =
                    StreamRecords.BOB.checkpoint(1, 0, 2).by(name).at(0);
            log.append(offset -> StreamRecords.ALICE
                    .checkpoint(2, 2, 4)
                    .after(nowhere)
                    .withRoot(Hash.copyOf(new byte[8]))
                    .at(offset));
        }
        log.verify();
        List<Finding> findings = log.verifier().drainFindings();
        List<Finding> violated =
                findings.stream().filter(Violated.class::isInstance).toList();
        assertThat(violated).extracting(Finding::id).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void aSecondStatementOfANumberIsAForkThoughTheFirstLiesBeforeItsPredecessor() {
        // #1' … │ #0 e0 e1 #1 e2 e3 #2   ► #1' is judged for number 1, so that #1 is another one of it
        DrawnLog log = DrawnLog.of("x #1'").verify();
        for (int i = 0; i < Evidence.BEFORE_THE_BEGINNING; i++) {
            log.log().appendMarker();
        }
        assertThat(log.append("#0 e0 e1 #1 e2 e3 #2 #3.").verify().findings())
                .contains("FORKED_CHECKPOINT @" + (Evidence.BEFORE_THE_BEGINNING + 5))
                .doesNotContain("Verified 1 by the log");
    }
}
