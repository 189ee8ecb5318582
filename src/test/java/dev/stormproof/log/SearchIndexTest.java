package dev.stormproof.log;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.LogRecord;
import dev.stormproof.testing.WatchedReader;
import dev.stormproof.testing.MadeLog;
import dev.stormproof.testing.StreamRecords;
import org.junit.jupiter.api.Test;

/** What many searches of one stretch of the log share. */
class SearchIndexTest {
    private static final int SEARCH = 50_000;

    private final WatchedReader counting = new WatchedReader(new EventOfEachEmitter());
    private final SearchIndex index = new SearchIndex(new SearchedLog(counting));

    /** A log without end, of which every event has an emitter of its own. */
    private static final class EventOfEachEmitter extends MadeLog {
        @Override
        protected long endOffset() {
            return Long.MAX_VALUE;
        }

        @Override
        protected LogRecord record(long offset) {
            return StreamRecords.of(offset).event(offset, 0);
        }
    }

    /** Searches a stretch, and returns how many records were read for that. */
    private long search(int stretch) throws Exception {
        long before = counting.records();
        long begin = (long) stretch * SEARCH;
        index.checkpoints(ALICE.stream(), begin, begin + SEARCH, checkpoint -> {});
        return counting.records() - before;
    }

    @Test
    void whatWasSearchedIsNotReadAgainUntilTwoMillionNumbersAreKept() throws Exception {
        int stretches = 2_000_000 / SEARCH - 1;
        for (int stretch = 0; stretch < stretches; stretch++) {
            assertThat(search(stretch)).isEqualTo(SEARCH);
        }
        assertThat(search(0)).isZero();

        assertThat(search(stretches)).isEqualTo(SEARCH);

        assertThat(search(0)).isEqualTo(SEARCH);
        assertThat(search(stretches)).isZero();
    }
}
