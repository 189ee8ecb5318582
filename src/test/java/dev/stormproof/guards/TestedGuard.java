package dev.stormproof.guards;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** The listener to one run of tests, which says what that run proves of a guard. */
final class TestedGuard implements TestExecutionListener {
    /** What a run of tests shows. */
    enum Verdict {
        /** Every test is green: as it should be with every guard in its place, and proves nothing without one. */
        GREEN(10),
        /** The named test fails by an assertion, and by nothing else, and another test of its class is green. */
        PROVEN(11),
        /** The named test fails by an exception: something broke, which need not be the guard. */
        FAILED_BY_NO_ASSERTION(12),
        /** The named test fails, and so does every other test of its class. */
        NOTHING_ELSE_IS_GREEN(13),
        RED(14),
        NO_TEST(15),
        NO_END(16),
        NO_VERDICT(17),
        /** What is left without the guard is no program. */
        DOES_NOT_COMPILE(18);

        private final int exit;

        Verdict(int exit) {
            this.exit = exit;
        }

        /** What a JVM exits with that says so. */
        int exit() {
            return exit;
        }

        static Verdict ofExit(int exit) {
            return Stream.of(values())
                    .filter(verdict -> verdict.exit == exit)
                    .findFirst()
                    .orElse(NO_VERDICT);
        }
    }

    private final Predicate<String> named;
    private final Runnable onGreenOther;
    private int green;
    private int others;
    private int greenOthers;
    private int asserted;
    private int failed;
    private final List<String> failures = new ArrayList<>();

    /**
     * @param named says of a method whether it is the test of the guard
     * @param onGreenOther runs when another test is green
     */
    TestedGuard(Predicate<String> named, Runnable onGreenOther) {
        this.named = named;
        this.onGreenOther = onGreenOther;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean ok = result.getStatus() == Status.SUCCESSFUL;
        if (result.getStatus() == Status.FAILED) {
            failures.add(test.getUniqueId() + " "
                    + result.getThrowable().map(Throwable::toString).orElse(""));
        }
        if (test.isContainer()) {
            // What fails before its tests begin is no assertion about any of them.
            failed += ok || test.isTest() ? 0 : 1;
            return;
        }
        boolean isNamed = test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> named.test(((MethodSource) source).getMethodName()))
                .orElse(false);
        others += isNamed ? 0 : 1;
        if (ok && !isNamed) {
            greenOthers++;
            onGreenOther.run();
        }
        green += ok ? 1 : 0;
        if (result.getStatus() == Status.FAILED && isNamed) {
            Optional<Throwable> why = result.getThrowable();
            boolean byAssertion = why.filter(AssertionError.class::isInstance).isPresent();
            asserted += byAssertion ? 1 : 0;
            failed += byAssertion ? 0 : 1;
        }
    }

    /** What failed, and why. */
    List<String> failures() {
        return failures;
    }

    /** The verdict if every guard is in its place. */
    Verdict asControl() {
        if (green == 0 && asserted + failed == 0) {
            return Verdict.NO_TEST;
        }
        return asserted + failed == 0 ? Verdict.GREEN : Verdict.RED;
    }

    /** The verdict if a guard is taken out. */
    Verdict withoutTheGuard() {
        if (failed > 0) {
            return Verdict.FAILED_BY_NO_ASSERTION;
        }
        if (asserted == 0) {
            return green == 0 ? Verdict.NO_TEST : Verdict.GREEN;
        }
        boolean onlyThis = others == 0 || greenOthers > 0 || green > 0;
        return onlyThis ? Verdict.PROVEN : Verdict.NOTHING_ELSE_IS_GREEN;
    }
}
