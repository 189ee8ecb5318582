package dev.stormproof.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.guards.Guards;
import org.junit.jupiter.api.Test;

class Format1PlacesTest {
    private final Format1Places places = new Format1Places();

    @Test
    void anEventIsOneOfTheLastInFrontOfACheckpointByItsPlace() {
        for (long offset : new long[] {3, 5, 8, 9}) {
            places.add(offset);
        }
        assertThat(places.isAmongLast(2, 10, 8)).isTrue();
        assertThat(places.isAmongLast(2, 10, 5)).isFalse();
        assertThat(places.isAmongLast(2, 9, 5)).isTrue();
        assertThat(places.isAmongLast(4, 10, 4)).as("of no event").isFalse();
    }

    @Test
    void whatWasForgottenIsUnknownAndTheOthersAreNot() {
        for (long offset = 0; offset < 100; offset++) {
            places.add(offset);
        }
        places.forgetBefore(90);
        assertThat(places.isAmongLast(10, 100, 90)).isTrue();
        assertThat(places.isAmongLast(100, 100, 89)).isFalse();
    }

    @Test
    void readingThatBeginsAnewTakesThePlaceOfWhatWasRead() {
        for (long offset : new long[] {3, 5, 8}) {
            places.add(offset);
        }
        places.truncated(5);
        places.add(6);
        assertThat(places.isAmongLast(2, 7, 3)).isTrue();
        places.add(4);
        assertThat(places.isAmongLast(1, 7, 3)).isFalse();
        assertThat(places.isAmongLast(1, 7, 6)).isFalse();
    }

    @Test
    @Guards({"places-of-format-1-are-bounded", "unknown-places-of-format-1-pass"})
    void ofMoreThanAreKeptTheLaterOnesAreUnknownUntilTheyHavePassed() {
        int most = Format1Places.MOST;
        for (long offset = 0; offset < most + 5; offset++) {
            places.add(offset);
        }
        assertThat(places.isAmongLast(1, most, most - 1)).isTrue();
        assertThat(places.isAmongLast(5, most + 5, most + 4)).isFalse();

        places.forgetBefore(most);
        places.add(most + 5);
        assertThat(places.isAmongLast(6, most + 6, most + 5))
                .as("those before are unknown")
                .isFalse();

        places.forgetBefore(most + 6);
        places.add(most + 7);
        assertThat(places.isAmongLast(1, most + 8, most + 7)).isTrue();
    }
}
