package dev.stormproof.task.live.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleaseTest {
    @Test
    void whatWasWrittenIsReadBack() {
        for (Release.Action action : Release.Action.values()) {
            Release release = new Release(4711, action, Instant.parse("2026-11-22T09:00:00Z"), "alice of ops");

            assertThat(Release.decode(release.encode())).contains(release);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "by hand",
                "stormproof-release/1 divert",
                "stormproof-release/1 divert yesterday alice",
                "stormproof-release/1 divert 2026-11-22T25:61:00Z alice",
                "stormproof-release/1 retry +1000000001-01-01T00:00:00Z alice",
                "stormproof-release/1 skip 2026-11-22T09:00:00Z alice",
                "stormproof-release/2 divert 2026-11-22T09:00:00Z alice",
                "stormproof-release/1 divert 2026-11-22T09:00:00Z alice\nand bob"
            })
    void anyOtherNoteIsNoRelease(String note) {
        assertThat(Release.decode(new OffsetAndMetadata(4711, note))).isEmpty();
    }
}
