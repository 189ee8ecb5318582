package dev.stormproof.task.heads;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeadsSumTest {
    @Test
    void itsTextIsReadAgain() {
        assertThat(new HeadsSum(0, true).text()).isEqualTo("0000000000000000");
        assertThat(new HeadsSum(0x8c1f00d2a7e3b549L, false).text()).isEqualTo("8c1f00d2a7e3b549?");
        for (HeadsSum one : new HeadsSum[] {new HeadsSum(-1, true), new HeadsSum(1, false)}) {
            assertThat(HeadsSum.ofText(one.text())).contains(one);
        }
    }

    @Test
    void anythingElseIsNone() {
        assertThat(HeadsSum.ofText("")).isEmpty();
        assertThat(HeadsSum.ofText("?")).isEmpty();
        assertThat(HeadsSum.ofText("8c1f00d2a7e3b54")).isEmpty();
        assertThat(HeadsSum.ofText("8C1F00D2A7E3B549")).isEmpty();
        assertThat(HeadsSum.ofText("8c1f00d2a7e3b549??")).isEmpty();
    }
}
