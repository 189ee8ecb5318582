package dev.stormproof.verify.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeadersTest {
    private static Leaders of(Map<Long, Integer> epochByBegin) {
        return new Leaders(new TreeMap<>(epochByBegin));
    }

    @Test
    void aRecordWhereAnotherLeaderWroteIsCutOff() {
        Leaders leaders = of(Map.of(0L, 3, 10L, 5, 20L, 6));
        assertThat(leaders.haveCutOff(9, 3)).isFalse();
        assertThat(leaders.haveCutOff(10, 3)).isTrue();
        assertThat(leaders.haveCutOff(15, 5)).isFalse();
        assertThat(leaders.haveCutOff(25, 5)).isTrue();
        assertThat(leaders.haveCutOff(15, 6))
                .as("an earlier leader's were brought back")
                .isTrue();
        assertThat(leaders.haveCutOff(0, 0)).isTrue();
        assertThat(leaders.haveCutOff(25, -1)).as("of an unknown one").isFalse();
        assertThat(Leaders.NONE.haveCutOff(25, 0)).isFalse();
    }

    @Test
    void thoseThatWereSeenLaterTakeThePlaceOfWhatWasKnownBehindThem() {
        Leaders before = of(Map.of(0L, 3, 10L, 5, 20L, 6));
        assertThat(before.followedBy(of(Map.of(14L, 5, 17L, 7)))).isEqualTo(of(Map.of(0L, 3, 10L, 5, 17L, 7)));
        assertThat(before.followedBy(Leaders.NONE)).isEqualTo(before);
        assertThat(Leaders.NONE.followedBy(before)).isEqualTo(before);
    }

    @Test
    void behindAnEarlierLeaderThanWasKnownNothingIsKnownOfThoseBefore() {
        assertThat(of(Map.of(0L, 1, 13L, 5)).followedBy(of(Map.of(25L, 3)))).isEqualTo(of(Map.of(25L, 3)));
    }

    @Test
    void oneOfThemWroteARecordOrNothingIsKnownOfTheOthers() {
        Leaders leaders = of(Map.of(0L, 3, 10L, 5));
        assertThat(leaders.agreeingWith(19, 5)).isEqualTo(leaders);
        assertThat(leaders.agreeingWith(19, 3)).as("5 wrote what nobody reads").isEqualTo(leaders);
        assertThat(leaders.agreeingWith(19, 7)).hasToString("19/7");
        assertThat(leaders.agreeingWith(19, Leaders.NO_EPOCH)).isEqualTo(Leaders.NONE);
    }

    /** Where reading begins with the log, the leader of what would lie before it is noted as well. */
    @Test
    void noneBeginsBeforeTheLog() {
        assertThat(of(Map.of(-1L, 3, 5L, 4))).hasToString("0/3,5/4");
    }

    @Test
    void theNewestAreKept() {
        Leaders many = of(IntStream.range(0, 40).boxed().collect(Collectors.toMap(i -> 10L * i, i -> i)));
        assertThat(many.epochByBegin()).hasSize(Leaders.MOST).containsKey(390L).doesNotContainKey(230L);
    }

    @Test
    void theTextIsReadBackAndNoOtherIs() {
        Leaders leaders = of(Map.of(959L, 5, Long.MAX_VALUE, Integer.MAX_VALUE));
        assertThat(Leaders.ofText(leaders.toString())).isEqualTo(leaders);
        for (String other :
                new String[] {"", "x", "1/2;3/4", "1/2,3", "/2", "99999999999999999999/1", "1/9999999999"}) {
            assertThat(Leaders.ofText(other)).as(other).isEqualTo(Leaders.NONE);
        }
    }

    @Test
    void thoseThatBeginBeforeAnOffsetOrBeforeTheLastOneAreKept() {
        Leaders leaders = of(Map.of(0L, 3, 10L, 5, 20L, 6));
        assertThat(leaders.before(10)).hasToString("0/3");
        assertThat(leaders.before(11)).hasToString("0/3,10/5");
        assertThat(leaders.beforeLast()).hasToString("0/3,10/5");
        assertThat(Leaders.NONE.beforeLast()).isEqualTo(Leaders.NONE);
    }
}
