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
              demo        two minutes of faults, and what is said of them
            Verify:
              watch       verifies topics while they are written, without Storm, until Ctrl-C
              audit       verifies a topic, or a range of it, again and from the log alone
              compare     compares a topic with its copy, record by record
            Evidence:
              prove       writes a receipt of an event, or a statement over a range
              verify      decides on such a file without Kafka, from public keys alone
              key         makes keys
              notary      says what notes on topics prove that nobody signs, and hands out proofs and tiles
            Operate:
              alerts      prints alerts and what to do; 'alerts find' names lost events, 'alerts accept' closes
              dashboard   serves a page that draws what is found
              config      names each mistake of a configuration
              output      lets an output go on that stands
              canary      plants faults, and says whether the verifier is blind
            More:
              dev         for trying and developing: run, local, broker, emit, inspect, conformance
              completion  has bash or zsh complete commands and options
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
