package dev.stormproof.chaos;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The place where the events of a run are verified. */
enum Placement {
    /** In bolts of a topology, behind its transform. */
    BOLT,
    /** In the spouts of a topology. */
    SOURCE,
    /** In two processes of {@code stormproof watch}, without Storm. */
    VERIFY;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Placement ofLabel(String text) {
        return Arrays.stream(values())
                .filter(one -> one.label().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--placement is one of "
                        + Arrays.stream(values()).map(Placement::label).collect(Collectors.joining(", ")) + ", not "
                        + text));
    }
}
