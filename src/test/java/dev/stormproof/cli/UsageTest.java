package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Help, and the refusal of wrong usage, come before anything is started. */
class UsageTest {
    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasHelpWithExamplesThatItTakes(String command) {
        Shell.Result result = Shell.here((command + " --help").split(" ")).ends(0);

        assertThat(result.out())
                .contains("Usage: stormproof " + command)
                .containsPattern("Examples:\\R(?s:.*)stormproof " + command);
        for (String example : examples(result.out())) {
            new Main().commands().parseArgs(example.split(" "));
        }
    }

    /** The command lines of ours in a help, as a shell reads them. */
    private static List<String> examples(String help) {
        return help.substring(help.indexOf("Examples:"))
                .replaceFirst("Examples:\\R", "")
                .replaceAll(" \\\\\\R +", " ")
                .lines()
                .takeWhile(line -> !line.isEmpty())
                .filter(line -> line.contains("stormproof "))
                .map(line -> line.replaceFirst(".*?stormproof ", "").replaceFirst("  .*| > .*|\\)$", ""))
                .map(line -> line.replaceAll("\"[^\"]*\"", "quoted"))
                .toList();
    }

    /** A group alone does nothing, and so has none. */
    @ParameterizedTest
    @MethodSource("commands")
    void helpHasTheExitCodesOfItsCommandAlone(String command) {
        String help = Shell.here((command + " --help").split(" ")).out();

        boolean group = !help.contains("\nExit codes: 0 ");
        assertThat(group)
                .isEqualTo(Set.of("key", "notary", "config", "output", "dev").contains(command));
        assertThat(help.contains(" 4 ")).as(help).isEqualTo(command.equals("canary"));
        assertThat(help.contains(" 65 "))
                .as(help)
                .isEqualTo(Set.of("verify", "dev inspect").contains(command));
    }

    @Test
    void theFirstLevelListsEachCommandAndFits() {
        String help = Shell.here("--help").out();

        assertThat(help.lines().count()).isLessThanOrEqualTo(40);
        new Main()
                .commands()
                .getSubcommands()
                .forEach((name, command) -> assertThat(help)
                        .satisfies(text -> assertThat(text.contains("\n  " + name + " "))
                                .as(name)
                                .isEqualTo(
                                        !command.getCommandSpec().usageMessage().hidden())));
    }

    /** The others report nothing, or one line. */
    @Test
    void everyCommandWithAReportHasJson() {
        Set<String> without = new TreeSet<>();
        for (String command : (Iterable<String>) commands()::iterator) {
            CommandLine line = new Main().commands();
            for (String name : command.split(" ", -1)) {
                line = Objects.requireNonNull(line.getSubcommands().get(name));
            }
            if (line.getSubcommands().isEmpty()
                    && !line.getCommandSpec().optionsMap().containsKey("--json")) {
                without.add(command);
            }
        }
        assertThat(without)
                .containsExactly(
                        "alerts accept",
                        "canary",
                        "completion",
                        "config check",
                        "dashboard",
                        "demo",
                        "dev broker",
                        "dev emit",
                        "dev inspect",
                        "dev local",
                        "key create",
                        "notary consistency",
                        "notary notes",
                        "notary prove",
                        "notary tiles",
                        "output resume",
                        "prove",
                        "watch");
    }

    /** Each command and each of their own, but {@code help}, which is picocli's. */
    static Stream<String> commands() {
        return names("", new Main().commands());
    }

    private static Stream<String> names(String before, CommandLine command) {
        return command.getSubcommands().entrySet().stream()
                .filter(sub -> !sub.getKey().equals("help"))
                .flatMap(sub -> Stream.concat(
                        Stream.of(before + sub.getKey()), names(before + sub.getKey() + " ", sub.getValue())));
    }

    @Test
    void theVersionIsTheBuilds() {
        assertThat(Shell.here("--version").out()).containsPattern("^stormproof \\d+\\.\\d+\\.\\d+");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\"                                    | Missing required subcommand",
                "audti                                 | did you mean audit?; see 'stormproof --help'",
                "forward --webhook http://x            | forward was removed: Prometheus and Alertmanager",
                "verify x.proof --tsa-certificate r.pem | --tsa-certificate was removed: let 'openssl ts' stamp",
                "verify x.tlog-proof --witness-key=w+1+x | --witness-key was removed: the tools of C2SP",
                "check x.proof --key k                 | 'check' is now 'verify'",
                "tiles export --dir x                  | 'tiles' is now 'notary tiles'",
                "find --alert x                        | 'find' is now 'alerts find'",
                "release --retry                       | 'release' is now 'output resume'",
                "emit --topic events                   | 'emit' is now 'dev emit'",
                "verify --config verify.properties     | 'verify --config' is now 'watch --config'",
                "alerts find --alert x                 | 'find --alert' is now 'alerts find ID'",
                "alerts accept a --topic x             | 'accept --topic' is now 'alerts accept --alerts-topic'",
                "prove --topic t --key=a:b             | 'prove --key' is now 'prove --signing-key'",
                "verify x.proof --key k                | 'verify --key' is now 'verify --producer-key'",
                "canary --metrics x:1                  | 'canary --metrics' is now 'canary --listen'",
                "notary tiles --dir d                  | 'tiles --dir' is now 'notary tiles -o'",
                "run --alerts a.jsonl                  | 'run --alerts' is now 'run -o'",
                "run --listen x:1                      | --listen is for --dashboard",
                "notary audit --notes-server x:1       | '--notes-server' is now '--notes-bootstrap-server'",
                "audit --topic t --config no.such      | there is no file no.such",
                "audit --topic t --bootstrap-server x --command-config scripts/compose/verify.properties | is a setting of ours; name the file with --config",
                "run --partitions three                | '--partitions'",
                "run --partitions 0                    | --partitions 0: must be at least 1",
                "run --inject loose=3                  | 'loose=3' is not KIND=N",
                "run --inject lose=-1                  | 'lose=-1' is not KIND=N",
                "run --inject lose=1,lose=2            | 'lose' is given twice",
                "run --events 10 --inject lose=9       | --inject: ",
                "run --input no-such-file.log          | there is no file no-such-file.log",
                "run --transform no.such.Transform     | --transform: ",
                "run --tracker-placement spout         | 'spout' is none of bolt, source",
                "run --tracker-placement source --transform log-json | --transform log-json would never run",
                "run --command-config x.properties     | --bootstrap-server",
                "dev broker --port 65536                   | a port is a number from 0 to 65535",
                "dev broker --topic events:0               | 'events:0' is not NAME or NAME:PARTITIONS",
                "dev emit --topic events                   | '--bootstrap-server=HOST:PORT'",
                "dev emit --bootstrap-server nonsense --topic t --input pom.xml | --bootstrap-server nonsense",
                "watch                               | no configuration: name a file with --config",
                "prove --bootstrap-server x --topic t -o p --offset 3 | it needs --partition N",
                "prove --bootstrap-server x --topic t -o p | a statement needs --signing-key",
                "prove --bootstrap-server x --topic t -o p --signing-key auditor | there is no file auditor",
                "prove --bootstrap-server x --topic t -o p --signing-key a:b --since yesterday | no time such as",
                "verify                                 | name a proof",
                "verify pom.xml                         | without a key nothing is proven",
                "verify pom.xml --producer-key billing-1         | it is ID:KEY",
                "key create --id a -o a.pem            | create --id was removed: the name of the file",
                "key create -o a+b.pem                 | --output a+b.pem: NAME.pem",
                "key create -o pom.xml                 | --output pom.xml: NAME.pem",
                "run --listen localhost:65536          | 'localhost:65536' is not HOST:PORT",
                "audit --bootstrap-server x --topic t --from 5 --to 4 | a range begins before it ends",
                "dev inspect                               | a FILE"
            })
    void wrongUsageIsOneLineThatSaysWhatIsWrong(String commandLine, String message) {
        Shell.Result result = Shell.here(commandLine.isEmpty() ? new String[0] : commandLine.split(" "))
                .ends(ExitCode.USAGE);

        assertThat(result.out()).isEmpty();
        assertThat(result.err().lines()).as(result.toString()).hasSize(1);
        assertThat(result.err()).startsWith("stormproof: ").contains(message);
    }

    @Test
    void anUnwritableAlertsFileIsNoticedFirst(@TempDir Path dir) {
        Shell.Result result =
                Shell.here("run", "--events", "1", "-o", dir.toString()).ends(ExitCode.USAGE);

        assertThat(result.err()).contains("--output").contains("cannot be written");
    }

    @Test
    void aStackTraceIsShownOnlyToThoseWhoAsk() throws Exception {
        assertThat(Shell.here("dev", "inspect", "no-such-file").err()).doesNotContain("\tat ");
        // Not here, because the log of this JVM would become loud.
        assertThat(Shell.process("dev", "inspect", "-v", "no-such-file").err()).contains("\tat ");
    }
}
