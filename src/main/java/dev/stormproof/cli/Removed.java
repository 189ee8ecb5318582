package dev.stormproof.cli;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Commands and options that left or got another name, each with what to use in its place. */
final class Removed {
    private static final String STAMP =
            "let 'openssl ts' stamp the proof's file and verify the stamp, see docs/EVIDENCE.md, 5.1";

    private static final String WITNESS =
            "the tools of C2SP check what a witness signed on a note, see docs/guides/notary.md";

    private static final Map<String, String> INSTEAD = Map.ofEntries(
            Map.entry(
                    "forward",
                    "Prometheus and Alertmanager, a Kafka-to-HTTP connector on the alerts topic, or a loop over"
                            + " 'alerts --json' bring alerts to people, see docs/guides/monitoring.md"),
            Map.entry("man", "'COMMAND --help' prints the same text"),
            Map.entry(
                    "create --id", "the name of the file without .pem is the key's id: 'key create -o billing-1.pem'"),
            Map.entry(
                    "find --format",
                    "the file's name shows its form: .csv, .txt (a value a line), or any other for JSON lines"),
            Map.entry("audit --noted-since", "two hours is the limit; --to ends an audit at the last note"),
            Map.entry(
                    "dashboard --verdicts-topic",
                    "name it as verdicts.topic in --config; by default it has the alerts topic's name"),
            Map.entry("--tsa", STAMP),
            Map.entry("--tsa-certificate", STAMP),
            Map.entry("--witness-key", WITNESS),
            Map.entry("--witnesses", WITNESS));

    private static final Map<String, String> RENAMED = Map.ofEntries(
            Map.entry("verify --config", "watch --config"),
            Map.entry("find --alert", "alerts find ID"),
            Map.entry("accept --topic", "alerts accept --alerts-topic"),
            Map.entry("--notes-server", "--notes-bootstrap-server"),
            Map.entry("--notes-config", "--notes-command-config"),
            Map.entry("prove --key", "prove --signing-key"),
            Map.entry("verify --key", "verify --producer-key"),
            Map.entry("canary --metrics", "canary --listen"),
            Map.entry("tiles --dir", "notary tiles -o"),
            Map.entry("run --alerts", "run -o"),
            Map.entry("check", "verify"),
            Map.entry("tiles", "notary tiles"),
            Map.entry("find", "alerts find"),
            Map.entry("accept", "alerts accept"),
            Map.entry("release", "output resume"),
            Map.entry("local", "dev local"),
            Map.entry("broker", "dev broker"),
            Map.entry("emit", "dev emit"),
            Map.entry("inspect", "dev inspect"),
            Map.entry("conformance", "dev conformance"));

    private Removed() {}

    /** The sentence for a word after a command that was removed or renamed; empty if there never was one. */
    static Optional<String> of(String command, String typed) {
        String name = typed.replaceFirst("=.*", "");
        return Stream.of(name, command + " " + name)
                .flatMap(old -> Stream.concat(
                        Stream.ofNullable(INSTEAD.get(old)).map(instead -> old + " was removed: " + instead),
                        Stream.ofNullable(RENAMED.get(old)).map(now -> "'" + old + "' is now '" + now + "'")))
                .findFirst();
    }
}
