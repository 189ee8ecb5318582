package dev.stormproof.storm;

import dev.stormproof.config.TrackerPlacement;
import dev.stormproof.local.EmbeddedKafka;
import org.junit.jupiter.api.Tag;

/** The same with placement {@code source}: the same tests, the same verdicts. */
@Tag("full")
class RestartedAtTheSourceTest extends RestartedTopologyTest {
    RestartedAtTheSourceTest(EmbeddedKafka kafka) {
        super(kafka);
    }

    @Override
    TrackerPlacement placement() {
        return TrackerPlacement.SOURCE;
    }
}
