package dev.stormproof.cli;

/** The help of the first level: each command on one line. */
final class FirstHelp {
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

    private FirstHelp() {}
}
