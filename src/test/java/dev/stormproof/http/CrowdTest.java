package dev.stormproof.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CrowdTest {
    private final Crowd<String> crowd = new Crowd<>();

    private void joined(String peer, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(crowd.join(peer + i, peer)).isEmpty();
        }
    }

    @Test
    void whoHasAsManyAsAPeerMayHaveLosesItsOwnOldest() {
        joined("b", 1);
        joined("a", Crowd.MOST_OF_A_PEER);

        assertThat(crowd.join("a64", "a")).contains("a0");
        assertThat(crowd.join("a65", "a")).contains("a1");
        assertThat(crowd.join("b1", "b")).isEmpty();
        assertThat(crowd.all()).hasSize(Crowd.MOST_OF_A_PEER + 2).startsWith("b0", "a2");
    }

    @Test
    void ifThereIsNoRoomThePeerThatHasMostLosesItsOldest() {
        joined("b", 10);
        joined("a", 63);
        joined("c", Crowd.MOST - 73);

        assertThat(crowd.join("d0", "d")).contains("a0");
        assertThat(crowd.all()).hasSize(Crowd.MOST).contains("d0");
    }

    @Test
    void whoIsSettledStaysAndWhoComesThenGoes() {
        joined("a", Crowd.MOST_OF_A_PEER);
        for (int i = 0; i < Crowd.MOST_OF_A_PEER; i++) {
            crowd.settle("a" + i);
        }

        assertThat(crowd.join("a64", "a")).contains("a64");
        joined("b", Crowd.MOST - Crowd.MOST_OF_A_PEER);
        for (int i = 0; i < Crowd.MOST_OF_A_PEER; i++) {
            crowd.settle("b" + i);
        }
        assertThat(crowd.join("c", "c")).contains("c");
        assertThat(crowd.all()).hasSize(Crowd.MOST);
    }

    @Test
    void whoLeftMakesRoom() {
        joined("a", Crowd.MOST_OF_A_PEER);
        crowd.settle("a3");
        crowd.leave("a3");
        crowd.leave("a4");
        crowd.leave("a4");

        assertThat(crowd.join("x", "a")).isEmpty();
        assertThat(crowd.join("y", "a")).isEmpty();
        assertThat(crowd.join("z", "a")).contains("a0");
        crowd.all().forEach(crowd::leave);
        assertThat(crowd.isEmpty()).isTrue();
    }
}
