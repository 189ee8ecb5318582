package dev.stormproof.guards;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The code that follows a {@link Marker}: a statement or the head of a block, or in the middle of one a link of a chain or an operand. */
final class GuardedCode {
    /** A literal or comment as a whole, an operator that ends an operand, or any other character. */
    private static final Pattern TOKEN =
            Pattern.compile("\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'|//[^\\n]*|\\|\\||&&|.", Pattern.DOTALL);

    /** What lies between a marker and what it guards: white space, other markers, the ends of blocks. */
    private static final Pattern BEFORE = Pattern.compile("(?:\\s|// guard: [^\\n]*|\\}|else\\b)*");

    /** What a value stands behind. */
    private static final Pattern VALUE = Pattern.compile("\\breturn\\b|(?<![=!<>])=(?=\\s)|->");

    private final String source;
    private final int begin;

    /**
     * @param source the text of a file
     * @param behind where the marker ends in it
     */
    GuardedCode(String source, int behind) {
        this.source = source;
        Matcher before = BEFORE.matcher(source).region(behind, source.length());
        this.begin = before.lookingAt() ? before.end() : behind;
        if (at("//")) {
            throw new IllegalStateException("a marker stands right before what it guards, and not before a comment");
        }
    }

    /** The source without this code. */
    String gone() {
        if (isBranch()) {
            return withValue("false");
        }
        if (at("||") || at("&&")) {
            return replaced(begin, operandEnd(), "");
        }
        if (at(".")) {
            return replaced(begin, linkEnd(), "");
        }
        int end = end(begin);
        if (source.charAt(end) != ';') {
            throw new IllegalStateException("nothing that could be left out: " + source.substring(begin, end));
        }
        return replaced(begin, end, "");
    }

    /** The source with another condition, or another value that is assigned or returned. */
    String withValue(String value) {
        if (isBranch()) {
            int open = source.indexOf('(', begin);
            return replaced(open + 1, end(open + 1), value);
        }
        int end = end(begin);
        Matcher matcher = VALUE.matcher(source).region(begin, end);
        if (!matcher.find()) {
            throw new IllegalStateException("no value in: " + source.substring(begin, end));
        }
        return replaced(matcher.end(), end, " " + value);
    }

    /** The source with another text instead of one that stands here once, whatever white space it has. */
    String with(String old, String other) {
        StringBuilder pattern = new StringBuilder();
        for (String word : List.of(old.strip().split("\\s+", -1))) {
            pattern.append(pattern.isEmpty() ? "" : "\\s+").append(Pattern.quote(word));
        }
        int end = end(begin);
        List<MatchResult> places = Pattern.compile(
                        (Character.isJavaIdentifierPart(old.charAt(0)) ? "\\b" : "") + pattern + "(?!\\w)")
                .matcher(source)
                .region(begin, end)
                .results()
                .toList();
        if (places.size() != 1) {
            throw new IllegalStateException("'" + old + "' stands " + places.size() + " times, and must once, in: "
                    + source.substring(begin, end));
        }
        return replaced(places.get(0).start(), places.get(0).end(), other);
    }

    private boolean isBranch() {
        return at("if (") || at("while (");
    }

    private boolean at(String text) {
        return source.startsWith(text, begin);
    }

    private String replaced(int from, int to, String text) {
        return source.substring(0, from) + text + source.substring(to);
    }

    /** Where a statement, a block's head or what stands in brackets ends: at the semicolon, brace or bracket behind it. */
    private int end(int from) {
        return end(from, ";{");
    }

    private int operandEnd() {
        return end(begin + 2, at("&&") ? ";{?&&||" : ";{?||");
    }

    private int linkEnd() {
        return end(source.indexOf('(', begin) + 1) + 1;
    }

    private int end(int from, String ends) {
        Matcher token = TOKEN.matcher(source).region(from, source.length());
        int depth = 0;
        while (token.find()) {
            String text = token.group();
            if (depth == 0 && ends.contains(text)) {
                return token.start();
            }
            depth += "([{".contains(text) ? 1 : 0;
            depth -= ")]}".contains(text) ? 1 : 0;
            if (depth < 0) {
                return token.start();
            }
        }
        throw new IllegalStateException("no end of: " + source.substring(from));
    }
}
