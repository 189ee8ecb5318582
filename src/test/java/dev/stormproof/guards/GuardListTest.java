package dev.stormproof.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** The markers of guards fit the tests that name them; that each test fails without its guard, scripts/prove-guards shows. */
class GuardListTest {
    @Test
    void everyGuardThatATestNamesCanBeTakenOut() throws Exception {
        List<Marker> markers = Marker.all();
        SoftAssertions all = new SoftAssertions();
        for (Guard guard : Guard.all()) {
            all.assertThatCode(() -> guard.withoutIt(markers)).as(guard.name()).doesNotThrowAnyException();
        }
        all.assertAll();
    }

    @Test
    void everyMarkerHasATest() throws Exception {
        List<String> named =
                Guard.all().stream().flatMap(guard -> guard.ids().stream()).toList();
        assertThat(Marker.all()).extracting(Marker::id).isSubsetOf(named).hasSizeGreaterThan(150);
    }

    @Test
    void everyIdStandsAtOnePlace() throws Exception {
        assertThat(Marker.all()).extracting(Marker::id).doesNotHaveDuplicates();
    }

    @Test
    void everyTestNamesAGuardOnce() throws Exception {
        assertThat(Guard.all()).doesNotHaveDuplicates();
    }
}
