package dev.stormproof.cli;

import dev.stormproof.config.TrackerPlacement;
import dev.stormproof.local.EmbeddedKafka;
import org.junit.jupiter.api.Tag;

/** The same test with placement {@code source}. */
@Tag("full")
class OfflineEqualsLiveAtTheSourceTest extends OfflineEqualsLiveTest {
    OfflineEqualsLiveAtTheSourceTest(EmbeddedKafka kafka) {
        super(kafka);
    }

    @Override
    TrackerPlacement placement() {
        return TrackerPlacement.SOURCE;
    }
}
