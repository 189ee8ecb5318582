package dev.stormproof.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A page that draws {@linkplain ChainLog logs}, in blocks that begin with <code>```drawn</code> and may have a number.
 */
public record DrawnPage(String text) {
    private static final Pattern DRAWN =
            Pattern.compile("^```drawn ?(\\d*)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    public static DrawnPage of(String path) throws IOException {
        return new DrawnPage(Files.readString(Path.of(path)));
    }

    /** The logs as {@link ChainLog#played} gives them back, without the spaces by which the page aligns them. */
    public List<String> logs() {
        return DRAWN.matcher(text)
                .results()
                .map(block -> block.group(2).replaceAll(" +", " "))
                .toList();
    }

    /** Their numbers; an empty one of a log that has none. */
    public List<String> numbers() {
        return DRAWN.matcher(text).results().map(block -> block.group(1)).toList();
    }
}
