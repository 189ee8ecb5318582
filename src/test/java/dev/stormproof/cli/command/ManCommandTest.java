package dev.stormproof.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code man} says what {@code --help} says, in the language of man(7). */
class ManCommandTest {
    private static final Pattern OPTION = Pattern.compile("(?m)^ +(?:-\\w, )?(--[a-z-]+)");
    private static final Pattern REQUEST = Pattern.compile("\\.(TH|SH|TP|PP|nf|fi)( .*)?");

    @Test
    void eachCommandHasAPageWithAllOfItsOptions(@TempDir Path dir) throws IOException {
        Shell.Result written = Shell.here(
                        "man", "--output-dir", dir.resolve("man1").toString())
                .ends(ExitCode.VERIFIED);
        try (Stream<Path> files = Files.list(dir.resolve("man1"))) {
            List<Path> pages = files.toList();
            assertThat(pages.stream().map(page -> page.getFileName().toString()))
                    .contains("stormproof.1", "stormproof-audit.1", "stormproof-key-create.1", "stormproof-man.1");
            assertThat(written.out()).isEqualTo(pages.size() + " pages written to " + dir.resolve("man1") + "\n");
            for (Path page : pages) {
                String command = page.getFileName().toString().replace(".1", "");
                if (!command.equals("stormproof-help")) {
                    assertSaysWhatHelpSays(command, Files.readString(page));
                }
            }
        }
    }

    private static void assertSaysWhatHelpSays(String command, String page) {
        String[] words = command.substring("stormproof".length()).split("-", -1);
        List<String> arguments = Stream.concat(Stream.of(words).filter(word -> !word.isEmpty()), Stream.of("--help"))
                .toList();
        String help = Shell.here(arguments.toArray(String[]::new)).out();
        List<String> options =
                OPTION.matcher(help).results().map(found -> found.group(1)).toList();
        assertThat(options).as(command).isNotEmpty();
        String plain = page.replace("\\-", "-");
        assertThat(options).as(command).allSatisfy(option -> assertThat(plain).contains("\\fB" + option + "\\fR"));
        assertThat(page.lines().filter(line -> line.startsWith(".")))
                .as(command)
                .allMatch(line -> REQUEST.matcher(line).matches());
        assertThat(page).contains(".SH NAME\n", ".SH SYNOPSIS\n", ".SH EXIT STATUS\n");
    }

    @Test
    void aCommandIsNamedByItsWords() {
        Shell.Result create = Shell.here("man", "key", "create");
        assertThat(create.out()).startsWith(".TH \"STORMPROOF-KEY-CREATE\" \"1\"");
        assertThat(create.out().lines().collect(Collectors.joining("|")))
                .contains(".SH EXAMPLES|.nf|  stormproof key create \\-\\-id auditor\\-1 \\-o auditor\\-1.pem|.fi|");
        Shell.Result none = Shell.here("man", "nothing").ends(ExitCode.USAGE);
        assertThat(none.err()).contains("there is no command nothing");
        Shell.here("man", "audit", "--output-dir", "x").ends(ExitCode.USAGE);
    }

    @Command(
            name = "hostile",
            description = {".SH FORGED", "'ig", "100 %% of a\\b…"})
    static final class Hostile implements Runnable {
        @Override
        public void run() {}
    }

    @Test
    void noTextIsTakenForARequest() {
        assertThat(ManPage.of(new CommandLine(new Hostile()), "p"))
                .contains("\\&.SH FORGED", "\\&'ig", "100 % of a\\eb\\[u2026]")
                .noneMatch(line -> line.startsWith("'") || line.startsWith(".SH F"));
    }
}
