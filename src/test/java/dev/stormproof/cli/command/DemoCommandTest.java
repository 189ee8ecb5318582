package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code demo} tells of each fault when it happens, and when it is named. */
@Timeout(120)
class DemoCommandTest {
    @Test
    void eachFaultIsToldAndNamedAndNothingElseIs() throws Exception {
        Shell.Result result = Shell.here("demo", "--seconds", "8", "--every", "2", "--rate", "150", "--no-browser")
                .ends(ExitCode.VERIFIED);

        assertThat(result.out())
                .containsSubsequence("BROKEN  an order is lost", "NAMED   lost  sequence 100  orders-0")
                .containsSubsequence("BROKEN  an order is written twice", "NAMED   duplicated  sequence 200  orders-1")
                .containsSubsequence("BROKEN  an order is altered", "NAMED   altered  sequence 300  orders-2")
                .containsSubsequence(
                        "Open the page that draws it: http://127.0.0.1:",
                        "injected 3, of these named 3; others named 0",
                        "Each of the 3 faults was named, and nothing else.");
    }

    @Test
    void aDemonstrationThatIsTooShortForAFaultIsRefused() throws Exception {
        Shell.here("demo", "--seconds", "5", "--every", "3").ends(ExitCode.USAGE);
    }
}
