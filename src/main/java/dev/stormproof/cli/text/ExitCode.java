package dev.stormproof.cli.text;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.evidence.Outcome;

/** An exit code means the same for every command. */
public final class ExitCode {
    /** At least one event is proven, and there is no problem. */
    public static final int VERIFIED = 0;
    /** At least one interval is violated, or a record belongs to no stream. */
    public static final int VIOLATED = 1;
    /** Nothing is violated, but something could not be decided, or there was nothing to verify. */
    public static final int INCONCLUSIVE = 2;
    /** Something is not verified, but each alert on it was accepted; at least one event is proven. */
    public static final int ACCEPTED = 3;
    /** A planted fault was not reported in time: perhaps nothing is, whatever else is printed. */
    public static final int BLIND = 4;
    /** The command was called wrongly. */
    public static final int USAGE = Failure.USAGE;
    /** The input of {@code dev inspect} is no intact checkpoint, or the input of {@code verify} proves nothing. */
    public static final int DAMAGED = Failure.DAMAGED;
    /** Any other failure, such as an output that could not be written. No verdict. */
    public static final int FAILED = Failure.FAILED;

    /** The exit codes in the help of a command begin with this. */
    public static final String BEGIN = "Exit codes: ";

    /** They end with this. */
    public static final String END = ", 64 wrong usage, 70 any other failure.";

    /** Those of a command with no verdict. */
    public static final String DONE = BEGIN + "0 done" + END;

    /** Those of a verdict. */
    public static final String VERDICT = BEGIN + "0 verified, 1 violated, 2 inconclusive or nothing to verify" + END;

    /** Those of a verdict that knows of acceptances. */
    public static final String VERDICT_OR_ACCEPTED =
            BEGIN + "0 verified, 1 violated, 2 inconclusive or nothing to verify, 3 all that is not verified was "
                    + "accepted" + END;

    private ExitCode() {}

    /** The exit code of a proof with this outcome. */
    public static int of(Outcome outcome) {
        return switch (outcome) {
            case VERIFIED -> VERIFIED;
            case VIOLATED -> VIOLATED;
            case INCONCLUSIVE -> INCONCLUSIVE;
        };
    }

    /** The verdict that an exit code stands for. */
    public static String word(int verdict) {
        return switch (verdict) {
            case VERIFIED -> "verified";
            case VIOLATED -> "violated";
            case INCONCLUSIVE -> "inconclusive";
            case ACCEPTED -> "accepted";
            default -> throw new IllegalArgumentException("exit code " + verdict);
        };
    }
}
