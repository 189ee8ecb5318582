package dev.stormproof.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The list of guards fits the sources; that each test fails without its guard, scripts/prove-guards shows. */
class GuardListTest {
    static Stream<Guard> guards() throws IOException {
        return Guard.all().stream();
    }

    @ParameterizedTest
    @MethodSource("guards")
    void everyGuardStandsInItsFileOnceAndHasATest(Guard guard) throws Exception {
        assertThat(guard.withoutIt()).isNotEmpty();
        String[] names = guard.test().split("#", -1);
        List<String> methods = Stream.of(Class.forName(names[0]).getDeclaredMethods())
                .map(Method::getName)
                .toList();
        assertThat(names.length == 1 || methods.contains(names[1].replaceFirst("\\(.*", "")))
                .as(guard.test())
                .isTrue();
    }

    @Test
    void everyWayToFoolIsListedOnce() throws IOException {
        assertThat(Guard.all()).extracting(Guard::fools).doesNotHaveDuplicates().hasSizeGreaterThan(10);
    }
}
