package dev.stormproof.cli;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.task.config.TrackerPlacement;
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
