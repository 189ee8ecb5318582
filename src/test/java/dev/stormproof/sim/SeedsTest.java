package dev.stormproof.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.testing.NamedTests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The seeds of src/test/resources/seeds.json, each of which once broke an invariant, hold; those that are open are not run. */
class SeedsTest {
    /**
     * A seed that broke.
     *
     * @param world of which {@linkplain Simulator#run(long, String) kind} its world is; null if it draws that, too
     * @param wrong {@code verifier}, {@code oracle} or {@code simulation}
     * @param as another one that the same broke; null if it is the first of its cause
     * @param mended the commit since which it holds; null while it is open
     * @param test the test that shows the cause by itself; null if none does
     */
    record Seed(
            long seed,
            @Nullable String world,
            String wrong,
            String cause,
            @Nullable Long as,
            @Nullable String mended,
            @Nullable String test) {
        @Override
        public String toString() {
            return Long.toString(seed);
        }
    }

    static Stream<Seed> firstOfACause() throws IOException {
        return mended().filter(seed -> seed.as() == null);
    }

    static Stream<Seed> furtherOnes() throws IOException {
        return mended().filter(seed -> seed.as() != null);
    }

    private static Stream<Seed> mended() throws IOException {
        return all().stream().filter(seed -> seed.mended() != null);
    }

    private static List<Seed> all() throws IOException {
        return List.of(new ObjectMapper()
                .readValue(Path.of("src/test/resources/seeds.json").toFile(), Seed[].class));
    }

    @ParameterizedTest
    @MethodSource("firstOfACause")
    void holds(Seed seed) {
        assertThatCode(() -> run(seed)).doesNotThrowAnyException();
    }

    private static Outcome run(Seed seed) {
        return seed.world() == null ? Simulator.run(seed.seed()) : Simulator.run(seed.seed(), seed.world());
    }

    @ParameterizedTest
    @MethodSource("furtherOnes")
    @Tag("full")
    void soDoFurtherOnesOfACause(Seed seed) {
        holds(seed);
    }

    @Test
    void eachIsListedOnceInOrderAndSaysWhoWasWrong() throws IOException {
        assertThat(all()).extracting(Seed::seed).doesNotHaveDuplicates().isSorted();
        assertThat(all()).extracting(Seed::wrong).containsOnly("verifier", "oracle", "simulation");
        assertThat(all()).allSatisfy(seed -> assertThat(seed.cause()).isNotEmpty());
    }

    @Test
    void everyTestThatIsNamedExists() throws IOException {
        List<String> tests =
                all().stream().map(Seed::test).filter(test -> test != null).toList();
        assertThat(new NamedTests(tests).missing()).isEmpty();
    }
}
