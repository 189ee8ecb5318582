package dev.stormproof.log.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.log.audit.OfflineVerifier.Open;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.fold.UnsealedTail;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The streams of a range that end without a checkpoint. */
class OpenEndsTest {
    private static UnsealedTail end(long emitter) {
        return new UnsealedTail(new StreamId("t", 0, emitter), "", 0, 0, 1, 2, emitter % 2 == 0);
    }

    @Test
    void aThousandAreNamedAndAllAreCounted() {
        List<UnsealedTail> ends =
                LongStream.rangeClosed(1, 3_000).mapToObj(OpenEndsTest::end).toList();

        Open open = Open.of(ends);

        assertThat(open.streams()).isEqualTo(3_000);
        assertThat(open.events()).isEqualTo(6_000);
        assertThat(open.overdueStreams()).isEqualTo(1_500);
        assertThat(open.overdueEvents()).isEqualTo(3_000);
        assertThat(open.named()).isEqualTo(ends.subList(0, Open.MOST_NAMED));
    }
}
