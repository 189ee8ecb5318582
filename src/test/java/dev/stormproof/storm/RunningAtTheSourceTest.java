package dev.stormproof.storm;

import dev.stormproof.config.TrackerPlacement;
import dev.stormproof.local.EmbeddedKafka;

/** The same with placement {@code source}: the same tests, the same verdicts. */
class RunningAtTheSourceTest extends RunningTopologyTest {
    RunningAtTheSourceTest(EmbeddedKafka kafka) {
        super(kafka);
    }

    @Override
    TrackerPlacement placement() {
        return TrackerPlacement.SOURCE;
    }
}
