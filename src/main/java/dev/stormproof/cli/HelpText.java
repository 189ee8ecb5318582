package dev.stormproof.cli;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Help;

/** What of the help is not left to picocli. */
final class HelpText {
    private static final int WIDTH = 100;

    /** The first level: each command on one line. */
    static final String COMMANDS = """
            Start:
              demo        breaks an order every ten seconds, and shows how that is reported
            Verify:
              watch       verifies topics as they are written, without Storm, until Ctrl-C
              audit       verifies a topic, or a range of it, again from the log alone
              compare     compares a topic with its copy, record by record
            Evidence:
              prove       writes a receipt of an event, or a statement over a range
              verify      checks such a file without Kafka, from public keys alone
              key         makes keys
              notary      checks topics without signing producers, and writes proofs and tiles
            Operate:
              alerts      prints alerts and what to do; 'alerts find' names lost events, 'alerts accept' closes
              dashboard   serves a page that shows the findings
              config      lists each mistake in a configuration
              output      resumes a halted output
              canary      plants faults, and reports a verifier that does not see them
            More:
              dev         for trying and developing: run, local, broker, emit, inspect, conformance
              completion  prints a script that completes commands in bash or zsh
              help        prints the help of a command
            """;

    private HelpText() {}

    /** The examples, each as a shell takes it, and the exit codes. */
    static String footer(Help help) {
        return Stream.of(help.commandSpec().usageMessage().footer())
                .map(line -> broken(line) + System.lineSeparator())
                .collect(Collectors.joining());
    }

    /** A line in lines that fit: of an example before options, of others between words. */
    private static String broken(String line) {
        boolean example = line.startsWith("  ");
        String rest = line;
        StringBuilder lines = new StringBuilder();
        while (rest.length() > WIDTH) {
            int at = rest.lastIndexOf(example ? " -" : " ", WIDTH - 2);
            if (at <= 6) {
                break;
            }
            lines.append(rest, 0, at).append(example ? " \\" : "").append(System.lineSeparator());
            rest = (example ? "     " : "") + rest.substring(example ? at : at + 1);
        }
        return lines + rest;
    }
}
