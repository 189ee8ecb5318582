package dev.stormproof.cli.text;

import java.util.ResourceBundle;

/** The version that the build wrote down. */
public final class ProgramVersion {
    /** As people read it: {@code stormproof 1.0.0}. */
    public static final String NAME = "stormproof "
            + ResourceBundle.getBundle("dev.stormproof.task.metrics.version").getString("version");

    private ProgramVersion() {}
}
