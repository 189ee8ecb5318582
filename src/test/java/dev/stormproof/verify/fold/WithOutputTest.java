package dev.stormproof.verify.fold;

import static dev.stormproof.testing.StreamRecords.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.testing.DrawnLog;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.MissedRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The fold and an output take the same log. */
class WithOutputTest {
    private final CheckpointRecord zero = ALICE.checkpoint(0, 0, 0).at(0);
    private final LogFold fold = new LogFold("orders", 0, 0, DrawnLog.TIMEOUTS, Bounds.DEFAULT);
    private final Output output = new Output();

    @Test
    void bothTakeEachRecord() {
        WithOutput both = new WithOutput(fold, output);
        both.take(new Read(zero, DeliveryLink.NO_EPOCH, LogRecord.NO_TIME, null));
        both.take(new Read(ALICE.event(1, 0), 7, LogRecord.NO_TIME, null));
        assertThat(output.heard).containsExactly("0/-1/null", "1/7/null");
        assertThat(fold.events()).isEqualTo(1);
        assertThat(fold.drainFindings()).hasSize(1);
    }

    @Test
    void bothHearOfATruncationAndOfAnExpiredRange() {
        WithOutput both = new WithOutput(fold, output);
        both.take(new Read(zero, DeliveryLink.NO_EPOCH, LogRecord.NO_TIME, null));
        assertThat(both.truncated(1)).isEqualTo(1);
        both.expired(1, 9);
        assertThat(output.heard).containsExactly("0/-1/null", "truncated 1", "expired 1..9");
        assertThat(fold.progressOffset()).isEqualTo(9);
    }

    @Test
    void theOutputHearsFromWhereOnTheFoldTellsThatRecordsAreMissed() {
        WithOutput both = new WithOutput(fold, output);
        both.take(new Read(zero, DeliveryLink.NO_EPOCH, LogRecord.NO_TIME, null));
        both.take(new Read(ALICE.event(1, 0), DeliveryLink.NO_EPOCH, LogRecord.NO_TIME, null));
        both.expired(2, 9);
        assertThat(output.heard).last().isEqualTo("expired 1..9");
        assertThat(fold.drainFindings()).contains(new MissedRecords("orders", 0, 1, 9));
    }

    @Test
    void theOutputSaysWhetherContentIsTaken() {
        assertThat(new WithOutput(fold, output).takesContent()).isTrue();
        assertThat(new WithOutput(fold, fold).takesContent()).isFalse();
    }

    @Test
    void thereIsAsMuchRoomAsBothHave() {
        WithOutput both = new WithOutput(fold, output);
        assertThat(both.room()).isEqualTo(fold.room());
        output.room = 1;
        assertThat(both.room()).isEqualTo(1);
    }

    @Test
    void aVerifierHandsItsOutputEachRecordWithItsContent() {
        PartitionVerifier verifier = new PartitionVerifier(
                "orders", 0, 0, Leaders.NONE, DrawnLog.TIMEOUTS, Bounds.DEFAULT, Optional.of(output));
        RecordContent content = new RecordContent(null, new byte[3], HeaderBytes.NONE, 5, false);
        verifier.take(new DeliveryLink(0, -1, 7), new Read(zero, 7, LogRecord.NO_TIME, content));
        assertThat(output.heard).containsExactly("0/7/3");
        assertThat(verifier.drainFindings()).hasSize(1);
        assertThat(verifier.nextOffset()).isEqualTo(1);
    }

    @Test
    void aContentTakesTheRoomOfItsKeyItsValueAndItsHeaders() {
        HeaderBytes headers = HeaderBytes.NONE.plus("a", new byte[4]);
        int headerBytes = headers.encoded().length;
        assertThat(headerBytes).isPositive();
        assertThat(new RecordContent(new byte[10], new byte[300], headers, 0, false).sizeBytes())
                .isEqualTo(310 + headerBytes);
        assertThat(new RecordContent(null, null, HeaderBytes.NONE, 0, false).sizeBytes())
                .isZero();
    }

    /** An output that writes down what it hears. */
    private static final class Output implements LogSink {
        private final List<String> heard = new ArrayList<>();
        private int room = Integer.MAX_VALUE;

        @Override
        public void take(Read read) {
            RecordContent content = read.content();
            heard.add(read.record().offset() + "/" + read.leaderEpoch() + "/"
                    + (content == null ? "null" : content.sizeBytes()));
        }

        @Override
        public boolean takesContent() {
            return true;
        }

        @Override
        public long truncated(long offset) {
            heard.add("truncated " + offset);
            return offset;
        }

        @Override
        public void expired(long beginOffset, long endOffset) {
            heard.add("expired " + beginOffset + ".." + endOffset);
        }

        @Override
        public void caughtUp(long asOfMillis) {}

        @Override
        public int room() {
            return room;
        }
    }
}
