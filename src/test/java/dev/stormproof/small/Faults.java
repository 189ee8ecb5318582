package dev.stormproof.small;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Every single fault of a small log, at every place. */
final class Faults {
    private static final int[] FORGERIES = {
        0,
        SmallStream.OTHER_PREDECESSOR,
        SmallStream.OTHER_EVENTS,
        SmallStream.BEGINS_LATER,
        SmallStream.ENDS_LATER,
        SmallStream.OTHER_PREDECESSOR + SmallStream.OTHER_EVENTS
    };

    private Faults() {}

    /** A log with a fault; or without, if it has no name. */
    record Faulty(String fault, List<Token> tokens) {
        static Faulty none(List<Token> tokens) {
            return new Faulty("", tokens);
        }

        Faulty and(Faulty second) {
            return new Faulty(fault + ", " + second.fault, second.tokens);
        }
    }

    /**
     * Every single fault.
     *
     * @param last the number of the last checkpoint: those up to the next one are forged
     */
    static List<Faulty> single(List<Token> tokens, int last) {
        List<Faulty> all = new ArrayList<>();
        int size = tokens.size();
        for (int at = 0; at < size; at++) {
            Token token = tokens.get(at);
            if (token.kind() != Token.UNREAD) {
                single(tokens, at, all);
            }
        }
        for (int to = 0; to <= size; to++) {
            int place = to;
            add(all, tokens, "unread at " + to, log -> log.add(place, new Token(Token.UNREAD, 0, 0, 0, true)));
            for (int number = 0; number <= last + 1; number++) {
                for (int variant : FORGERIES) {
                    Token forged = new Token(Token.FORGED, 0, number, variant, true);
                    if (number > 0 || variant == 0) {
                        add(all, tokens, "forge " + forged + " at " + to, log -> log.add(place, forged));
                    }
                }
            }
        }
        copies(tokens, all);
        return all;
    }

    private static void single(List<Token> tokens, int at, List<Faulty> all) {
        Token token = tokens.get(at);
        String where = token + " at " + at;
        add(all, tokens, "lose " + where, log -> log.remove(at));
        add(all, tokens, "unread " + where, log -> log.set(at, new Token(Token.UNREAD, 0, 0, 0, false)));
        for (int to = 0; to <= tokens.size(); to++) {
            int place = to;
            if (to > at) {
                add(all, tokens, "duplicate " + where + " to " + to, log -> log.add(place, token.copied()));
            }
            if (to != at && to < tokens.size()) {
                add(all, tokens, "move " + where + " to " + to, log -> {
                    log.remove(at);
                    log.add(place, token);
                });
            }
        }
        if (token.kind() == Token.EVENT) {
            add(all, tokens, "alter " + where, log -> log.set(at, token.as(Token.ALTERED)));
            add(all, tokens, "replace " + where, log -> log.set(at, token.as(Token.REPLACED)));
        }
    }

    /** Stretches of two records and more, written once more further down. */
    private static void copies(List<Token> tokens, List<Faulty> all) {
        for (int from = 0; from < tokens.size(); from++) {
            for (int to = from + 2; to <= tokens.size(); to++) {
                List<Token> stretch =
                        tokens.subList(from, to).stream().map(Token::copied).toList();
                for (int at = to; at <= tokens.size(); at++) {
                    int place = at;
                    add(all, tokens, "copy " + from + ".." + to + " to " + at, log -> log.addAll(place, stretch));
                }
            }
        }
    }

    private static void add(List<Faulty> all, List<Token> tokens, String fault, Consumer<List<Token>> change) {
        List<Token> changed = new ArrayList<>(tokens);
        change.accept(changed);
        all.add(new Faulty(fault, changed));
    }
}
