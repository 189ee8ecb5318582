package dev.stormproof.guards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.guards.TestedGuard.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;

/** What proves that a guard is held: an assertion of its test that fails, and nothing else. */
class TestedGuardTest {
    private static final TestExecutionResult GREEN = TestExecutionResult.successful();

    private final TestedGuard run = new TestedGuard("guarded"::equals, () -> {});

    private static TestExecutionResult failed(Throwable why) {
        return TestExecutionResult.failed(why);
    }

    private void finished(String method, TestExecutionResult result) {
        TestSource source = MethodSource.from("SomeTest", method);
        TestDescriptor descriptor =
                new AbstractTestDescriptor(UniqueId.forEngine("e").append("m", method), method, source) {
                    @Override
                    public Type getType() {
                        return Type.TEST;
                    }
                };
        run.executionFinished(TestIdentifier.from(descriptor), result);
    }

    @Test
    void aFailedAssertionOfTheNamedTestBesideAGreenOneProves() {
        finished("guarded", failed(new AssertionError()));
        finished("other", GREEN);
        assertThat(run.withoutTheGuard()).isEqualTo(Verdict.PROVEN);
    }

    @Test
    void anExceptionProvesNothing() {
        finished("guarded", failed(new IllegalStateException()));
        finished("other", GREEN);
        assertThat(run.withoutTheGuard()).isEqualTo(Verdict.FAILED_BY_NO_ASSERTION);
    }

    @Test
    void aChangeThatBreaksEveryTestProvesNothing() {
        finished("guarded", failed(new AssertionError()));
        finished("other", failed(new AssertionError()));
        assertThat(run.withoutTheGuard()).isEqualTo(Verdict.NOTHING_ELSE_IS_GREEN);
    }

    @Test
    void aFailureOfAnotherTestProvesNothing() {
        finished("guarded", GREEN);
        finished("other", failed(new AssertionError()));
        assertThat(run.withoutTheGuard()).isEqualTo(Verdict.GREEN);
    }

    @Test
    void anExitCodeThatIsNoneOfOursIsNoVerdict() {
        assertThat(List.of(0, 1, 130, 137)).allMatch(exit -> Verdict.ofExit(exit) == Verdict.NO_VERDICT);
        assertThat(Verdict.values()).allMatch(verdict -> Verdict.ofExit(verdict.exit()) == verdict);
    }
}
