package dev.stormproof.verify.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.chain.SavedHeads;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a whole verifier says of streams of format 1, which have no sequences. */
class Format1VerificationTest {
    private static List<String> verify(String drawing) {
        return DrawnLog.of(drawing).verify().findings();
    }

    private static List<String> finalOnes(List<String> findings) {
        return findings.stream().filter(finding -> !finding.contains("?")).toList();
    }

    @Test
    void aFaultlessStreamIsVerifiedFromTheLogsBeginning() {
        assertThat(verify("pe0 pe1 p#1 pe2 pe3 p#2 pe4 pe5 p#3"))
                .containsExactly("Verified p@2", "Verified p@5", "Verified p@8");
    }

    @Test
    void aLostEventIsNamed() {
        // pe0 p#1 pe2 pe3 p#2   with pe1 lost
        assertThat(finalOnes(verify("pe0 p#1 pe2 pe3 p#2")))
                .containsExactlyInAnyOrder("Violated p@1: LOST @-1", "Verified p@4");
    }

    @Test
    void aLostCheckpointIsToldAsThatAndNotAsForeignEvents() {
        // pe0 pe1 p#1 pe2 pe3 p#2 pe4 pe5 p#3   with p#2 lost
        assertThat(finalOnes(verify("pe0 pe1 p#1 pe2 pe3 pe4 pe5 p#3 pe6 pe7 p#4")))
                .containsExactlyInAnyOrder("Verified p@2", "Violated p@7: CHECKPOINT_LOST @3", "Verified p@10");
        assertThat(finalOnes(verify("pe0 pe1 p#1 pe9 pe2 pe3 p#2 pe4 pe5 p#3")))
                .as("a checkpoint of format 1 states two events or more")
                .contains("Violated p@6: FOREIGN @3");
    }

    @Test
    void aDuplicateASwapAndAnAlterationAreNamed() {
        // thirty events: e5 twice, e11 and e12 swapped, e25 with another value
        List<String> records =
                new ArrayList<>(IntStream.range(0, 30).mapToObj(i -> "pe" + i).toList());
        records.set(25, "pe999");
        records.add(12, records.remove(11));
        records.add(6, records.get(5));
        DrawnLog log = DrawnLog.intervals(30).append(records).append("p#1 pe30 pe31 p#2");
        List<String> findings = finalOnes(log.verify().findings());
        assertThat(findings).hasSize(2).contains("Verified p@34");
        String found = findings.get(1);
        assertThat(found).contains("DUPLICATED @6", "REORDERED @1", "ALTERED @26");
        assertThat(found.split(",")).hasSize(3);
    }

    @Test
    void anEventMovedAcrossACheckpointIsReorderedInBothIntervals() {
        // pe0 p#1 pe2 pe1 pe3 p#2 pe4 pe5 p#3
        assertThat(finalOnes(verify("pe0 p#1 pe2 pe1 pe3 p#2 pe4 pe5 p#3")))
                .filteredOn(finding -> finding.startsWith("Violated"))
                .containsExactly("Violated p@1: REORDERED @3", "Violated p@5: REORDERED @3");
    }

    @Test
    void aCopyInTheNextIntervalIsADuplicate() {
        // pe0 pe1 p#1 pe2 pe1 pe3 p#2 pe4 pe5 p#3
        assertThat(finalOnes(verify("pe0 pe1 p#1 pe2 pe1 pe3 p#2 pe4 pe5 p#3")))
                .contains("Violated p@6: DUPLICATED @4");
    }

    /** Nothing tells any more that it is no event of an interval before it. */
    @Test
    void anIntervalWhoseFirstEventWasSeenAndHasExpiredIsInconclusive() {
        // pe99 pe0 pe1 p#1   with pe99 expired before the log is asked
        DrawnLog log = DrawnLog.of("pe99 pe0 pe1 p#1 pe2 pe3 p#2").deliver();
        log.expireBefore(1).audit();
        assertThat(finalOnes(log.findings())).containsExactlyInAnyOrder("EXPIRED p@3", "Verified p@6 by the log");
    }

    @Test
    void whatNobodySignedIsForeign() {
        // pe0 pe99 pe1 p#1 pe2 pe3 p#2
        assertThat(finalOnes(verify("pe0 pe99 pe1 p#1 pe2 pe3 p#2"))).contains("Violated p@3: FOREIGN @1");
    }

    @Test
    void whatLiesBeforeTheFirstCheckpointSeenIsInconclusive() {
        // ✝(pe0) pe1 p#1 pe2 pe3 p#2 pe4 pe5 p#3
        DrawnLog log = DrawnLog.of("pe0 pe1 p#1 pe2 pe3 p#2 pe4 pe5 p#3").expireBefore(1);
        assertThat(log.restart(1, 0, SavedHeads.NOTHING).verify().findings())
                .containsExactly("UNANCHORED p@2", "Verified p@5", "Verified p@8");
    }

    @Test
    void everySwapOfNeighboursIsFound() {
        // sixty-four events, of which two neighbours are swapped: roots of Adler-32 would be equal
        List<String> records = IntStream.range(0, 64).mapToObj(i -> "pe" + i).toList();
        for (int i = 0; i < 63; i++) {
            List<String> swapped = new ArrayList<>(records);
            swapped.add(i + 1, swapped.remove(i));
            DrawnLog log = DrawnLog.intervals(64).append(swapped).append("p#1").verify();
            assertThat(log.findings()).isNotEmpty().noneMatch(finding -> finding.startsWith("Verified"));
        }
    }

    @Test
    void aRepeatedCheckpointSealsNothing() {
        // pe0 pe1 p#1 pe2 p#1 pe3 p#2 pe4 pe5 p#3
        assertThat(verify("pe0 pe1 p#1 pe2 p#1 pe3 p#2 pe4 pe5 p#3"))
                .containsExactly("Verified p@2", "REPEATED_CHECKPOINT @4", "Verified p@6 by the log", "Verified p@9");
    }

    @Test
    void aCopyOfAnEventBeforeARepetitionIsADuplicate() {
        // pe0 pe1 p#1 pe2 p#1 pe3 p#2 pe4 pe5 pe2 p#3   the interval of p#2 holds pe2
        assertThat(finalOnes(verify("pe0 pe1 p#1 pe2 p#1 pe3 p#2 pe4 pe5 pe2 p#3 pe6 pe7 p#4")))
                .contains("Violated p@10: DUPLICATED @9");
    }

    @Test
    void whatLiesBetweenACheckpointAndItsRepetitionsIsNotOverlooked() {
        // pe0 pe1 p#1 pe99 p#1 … p#1 pe2 pe3 p#2 pe4 pe5 p#3
        for (int repetitions = 1; repetitions < 4; repetitions++) {
            List<String> findings =
                    finalOnes(verify("pe0 pe1 p#1 pe99 " + "p#1 ".repeat(repetitions) + "pe2 pe3 p#2 pe4 pe5 p#3"));
            assertThat(findings)
                    .filteredOn(finding -> finding.startsWith("Violated"))
                    .allMatch(finding -> finding.endsWith("FOREIGN @3"))
                    .isNotEmpty();
            assertThat(findings)
                    .filteredOn(finding -> finding.startsWith("REPEATED"))
                    .hasSize(repetitions);
        }
    }
}
