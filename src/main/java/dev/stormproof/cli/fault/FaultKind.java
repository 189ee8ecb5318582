package dev.stormproof.cli.fault;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kind of a fault names the damage to an event on its way into the log. */
public enum FaultKind {
    /** The event never arrives, though it is acknowledged to its sender. */
    LOSE,
    /** The event arrives twice, one copy right after the other. */
    DUPLICATE,
    /** The event changes places with the next one of its partition. */
    SWAP,
    /** The event arrives late, after at least two and at most an interval's worth of the events that follow it. */
    MOVE,
    /** The event arrives with another value; its headers stay as they were. */
    ALTER;

    /** The name that people type: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<FaultKind> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst();
    }
}
