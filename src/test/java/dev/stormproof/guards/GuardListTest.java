package dev.stormproof.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;

/** The list of guards fits the sources; that each test fails without its guard, scripts/prove-guards shows. */
class GuardListTest {
    static Stream<Guard> guards() throws IOException {
        return Guard.all().stream();
    }

    /** As JUnit finds it: a test with parameters by their types. */
    @ParameterizedTest
    @MethodSource("guards")
    void everyGuardStandsInItsFileOnceAndHasATest(Guard guard) throws Exception {
        assertThat(guard.withoutIt()).isNotEmpty();
        assertThat(
                        guard.test().contains("#")
                                ? DiscoverySelectors.selectMethod(guard.test()).getJavaMethod()
                                : Class.forName(guard.test()))
                .isNotNull();
    }

    @Test
    void everyWayToFoolIsListedOnce() throws IOException {
        assertThat(Guard.all()).extracting(Guard::fools).doesNotHaveDuplicates().hasSizeGreaterThan(10);
    }
}
