package dev.stormproof.task.live.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the watcher of the topics that are written to does about what is thrown at it. */
@Timeout(60)
class WatchedTopicsTest {
    private static final WatchedTopics.State THERE = new WatchedTopics.State(null, 7, List.of(true), null);

    @Test
    void aLookThatBreaksIsFollowedByOthers() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch again = new CountDownLatch(1);
        WatchedTopics.Asker breaks = new WatchedTopics.Asker() {
            @Override
            public Map<String, WatchedTopics.State> ask(Set<String> topics) {
                int times = asked.incrementAndGet();
                if (times == 2) {
                    throw new IllegalStateException("a client of another release");
                } else if (times > 2) {
                    again.countDown();
                }
                return Map.of("made", THERE);
            }

            @Override
            public void close() {}
        };
        try (WatchedTopics topics = new WatchedTopics(breaks, "test-topics")) {
            topics.watch(Set.of("made"));
            assertThat(topics.of("made")).contains(THERE);

            assertThat(again.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }
}
