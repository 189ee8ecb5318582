package dev.stormproof.small;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.tree.Seed;
import dev.stormproof.small.Faults.Faulty;
import dev.stormproof.small.SmallLog.Hints;
import dev.stormproof.small.SmallStream.Ending;
import dev.stormproof.verify.judge.Finding;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A part of what {@code scripts/trial small-logs} plays in full. */
class SmallLogsTest {
    private static final int PAIRS = 300;

    private final SmallLogs small = new SmallLogs(97);

    @Test
    void noFaultlessLogGivesAnAlarm() {
        small.faultless(SmallLog.of(SmallStream.of(0, Ending.OPEN, 1, 0, 1), Hints.PREDECESSOR));
        small.faultless(SmallLog.of(SmallStream.of(0, Ending.CLOSED, 0, 2, 0), Hints.NONE));
        small.faultless(SmallLog.of(SmallStream.of(0, Ending.IN_DOUBT, 0, 1, 1), Hints.THE_ONE_BEFORE));

        assertNothingIsBroken();
    }

    @Test
    void noIntervalWithAFaultIsVerified() {
        for (List<Integer> shape : SmallStream.shapes()) {
            small.faulty(SmallLog.of(new SmallStream(0, shape, Ending.OPEN), Hints.PREDECESSOR));
        }
        small.harmed(SmallLog.of(SmallStream.of(0, Ending.OPEN, 1, 2, 0), Hints.PREDECESSOR));
        small.interleaved(List.of(1, 1, 1), List.of(0, 1, 0));

        assertNothingIsBroken();
    }

    @Test
    void norWithTwo() {
        Seed seed = Seed.next();
        System.out.println("small logs with two faults: " + seed);

        small.pairs(seed.value(), Seed.cases(PAIRS));

        assertNothingIsBroken();
    }

    @Test
    void aForgedCheckpointThatCameEarlyIsNoRivalOfTheOneThatContinues() {
        SmallLog log = SmallLog.of(SmallStream.of(0, Ending.OPEN, 2, 0, 0), Hints.PREDECESSOR);
        List<Token> tokens = new ArrayList<>(log.faultless());
        tokens.remove(0);
        tokens.add(0, new Token(Token.FORGED, 0, 2, SmallStream.OTHER_EVENTS, true));
        Faulty forged = new Faulty("lose #0, forge F2 at 0", tokens);

        for (Scenario scenario : Scenario.cuts(tokens.size(), true)) {
            small.play(log, forged, scenario.answered(Scenario.Answers.READ_EARLY));
        }

        assertNothingIsBroken();
    }

    @Test
    void aLogThatIsCutAtItsVeryBeginningIsReadAsOneThatBegins() {
        SmallLog log = SmallLog.of(SmallStream.of(0, Ending.OPEN, 0, 1, 2), Hints.NONE);
        List<Token> tokens = new ArrayList<>(log.faultless());
        tokens.add(0, new Token(Token.FORGED, 0, 2, SmallStream.ENDS_LATER, true));
        Scenario.Step cut = new Scenario.Step(Scenario.Kind.CUT, 4, 0, Scenario.Again.ALL);

        Play play = small.play(log, new Faulty("forge F2 at 0", tokens), Scenario.of(cut));

        assertThat(play.told().stream().map(told -> told.finding().type()).filter(Finding.Type.VERIFIED::equals))
                .hasSize(2 + 4);
        assertNothingIsBroken();
    }

    @Test
    void afterAHeadThatWasCutOffUnnoticedNothingIsVerified() {
        SmallLog log = SmallLog.of(SmallStream.of(0, Ending.OPEN, 0, 1, 0), Hints.PREDECESSOR);
        List<Token> tokens = new ArrayList<>(log.faultless());
        tokens.add(3, tokens.get(2).copied());
        Scenario.Step cut = new Scenario.Step(Scenario.Kind.CUT, 2, 0, Scenario.Again.ALL_BUT_ONE);
        Scenario.Step expire = new Scenario.Step(Scenario.Kind.EXPIRE, 2, 2, Scenario.Again.ALL);

        small.play(log, new Faulty("duplicate e0", tokens), Scenario.of(cut, expire));

        assertNothingIsBroken();
    }

    private void assertNothingIsBroken() {
        assertThat(small.broken().toString()).isEmpty();
        assertThat(small.plays()).isPositive();
    }
}
