package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.terminal.Failure;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an installation without the broker and Storm's daemons answers; scripts/check release asks one. */
class MissingDaemonsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "org/apache/kafka/metadata/storage/Formatter",
                "org/apache/storm/LocalCluster",
                "kafka/server/KafkaRaftServer"
            })
    void aMissingClassOfTheDaemonsSaysWhichInstallationHasIt(String missing) {
        Failure failure = Main.failureOf(new NoClassDefFoundError(missing));

        assertThat(failure).hasMessageEndingWith("take the tar.gz without -slim in its name");
        assertThat(failure.exitCode()).isEqualTo(Failure.FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"com/example/Missing", "com/example/kafka/Missing"})
    void anotherMissingClassStaysUnexpected(String missing) {
        assertThat(Main.failureOf(new NoClassDefFoundError(missing)))
                .hasMessage("unexpected NoClassDefFoundError: " + missing);
    }

    @ParameterizedTest
    @ValueSource(strings = "no such file")
    void aKnownFailureStaysAsItIs(String message) {
        Failure known = Failure.usage(message);

        assertThat(Main.failureOf(known)).isSameAs(known);
    }
}
