package dev.stormproof.trial;

import java.util.List;

/** What a person typed behind the name of a program. With {@code --help} it prints the usage; what is wrong ends it with that and 64. */
public final class Arguments {
    /** The exit code on wrong usage. */
    public static final int WRONG = 64;

    private final String usage;
    private final String[] given;

    private Arguments(String usage, String[] given) {
        this.usage = usage;
        this.given = given;
    }

    /**
     * Takes at most so many, each at its place.
     *
     * @param usage the text of {@code --help}
     */
    public static Arguments of(String usage, int most, String... given) {
        helpIfAsked(usage, given);
        Arguments arguments = new Arguments(usage, given);
        if (given.length > most) {
            arguments.refuse();
        }
        return arguments;
    }

    /** Ends the program with its usage if the first argument asks for it. */
    public static void helpIfAsked(String usage, String... given) {
        if (given.length > 0 && List.of("-h", "--help").contains(given[0])) {
            System.out.print(usage);
            System.exit(0);
        }
    }

    public long number(int place, long byDefault) {
        if (place >= given.length) {
            return byDefault;
        }
        if (!given[place].matches("[0-9]{1,18}")) {
            refuse();
        }
        return Long.parseLong(given[place]);
    }

    private void refuse() {
        System.err.print(usage);
        System.exit(WRONG);
    }
}
