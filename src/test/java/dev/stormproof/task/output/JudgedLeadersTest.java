package dev.stormproof.task.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.verify.feed.Read;
import org.junit.jupiter.api.Test;

class JudgedLeadersTest {
    private final JudgedLeaders leaders = new JudgedLeaders();

    private static Read read(long offset, int epoch) {
        UnattributedRecord record =
                new UnattributedRecord(offset, UnattributedRecord.Kind.UNSIGNED, "", LogRecord.NO_TIME);
        return new Read(record, epoch, 0, null);
    }

    @Test
    void aRecordIsOfTheLastLeaderThatBeganAtItOrBefore() {
        leaders.note(read(0, 4));
        leaders.note(read(5, 6));

        assertThat(leaders.of(read(4, 9))).isEqualTo(4);
        assertThat(leaders.of(read(5, 4))).isEqualTo(6);
        assertThat(leaders.have(read(4, 4))).isTrue();
        assertThat(leaders.have(read(4, 6))).isFalse();
    }

    @Test
    void whereNoneIsKnownARecordIsOfItsOwn() {
        assertThat(leaders.areUnknown()).isTrue();
        assertThat(leaders.of(read(4, 9))).isEqualTo(9);
        assertThat(leaders.have(read(4, 9))).isFalse();

        leaders.note(read(5, 6));
        assertThat(leaders.areUnknown()).isFalse();
        assertThat(leaders.of(read(4, 9))).isEqualTo(9);
    }

    @Test
    void aLeaderWroteEverythingFromItsBeginOn() {
        leaders.note(read(0, 4));
        leaders.note(read(5, 6));
        leaders.note(read(3, 8));
        assertThat(leaders.of(read(7, 6))).isEqualTo(8);

        leaders.truncated(3);
        assertThat(leaders.of(read(7, 6))).isEqualTo(4);
    }

    @Test
    void ofThoseThatAreForgottenTheLastIsKnown() {
        leaders.note(read(0, 3));
        leaders.note(read(2, 4));
        leaders.note(read(5, 6));
        leaders.forgetBefore(7);

        assertThat(leaders.of(read(1, 9))).isEqualTo(4);
        assertThat(leaders.of(read(1, 2))).as("an earlier one").isEqualTo(2);
        assertThat(leaders.of(read(5, 9))).isEqualTo(6);
        leaders.truncated(0);
        assertThat(leaders.areUnknown()).isFalse();
        assertThat(leaders.of(read(9, 9))).isEqualTo(4);
    }

    @Test
    void beforeTheFirstLeaderNoneIsForgotten() {
        leaders.forgetBefore(7);
        assertThat(leaders.areUnknown()).isTrue();

        leaders.note(read(5, 6));
        leaders.forgetBefore(3);
        leaders.forgetBefore(5);
        assertThat(leaders.of(read(4, 9))).isEqualTo(9);
    }
}
