package dev.stormproof.cli;

import dev.stormproof.task.config.TrackerPlacement;
import org.junit.jupiter.api.Tag;

/** The same trial with placement {@code source}. */
@Tag("full")
class FaultTrialAtTheSourceTest extends FaultTrialTest {
    @Override
    TrackerPlacement placement() {
        return TrackerPlacement.SOURCE;
    }
}
