package dev.stormproof.task.transform;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time and the level at the beginning of a log line, in the shapes that are common:
 *
 * <pre>
 *   081109 203615 148 INFO dfs.DataNode: …                 a year of this century
 *   2015-07-29 17:41:44,747 - INFO  [thread] - …
 *   [Sun Dec 04 04:47:44 2005] [error] …
 *   Dec 10 06:55:46 host process[1]: …                     no year, no level
 * </pre>
 *
 * <p>A missing or impossible part is left out and never guessed.
 *
 * @param time ISO 8601 without a zone, or without year and zone; empty if there is none
 * @param hasYear true if the time has a year
 * @param level upper case; empty if there is none
 */
record LogLine(String time, boolean hasYear, String level) {
    private static final LogLine PLAIN = new LogLine("", false, "");
    private static final DateTimeFormatter WITHOUT_YEAR = DateTimeFormatter.ofPattern("MM-dd'T'HH:mm:ss", Locale.ROOT);

    private static final String LEVEL = "(?<level>TRACE|DEBUG|INFO|NOTICE|WARNING|WARN|ERROR|CRITICAL|FATAL|SEVERE)\\b";
    private static final String CLOCK = "\\d{2}:\\d{2}:\\d{2}";

    private static final List<Shape> SHAPES = List.of(
            new Shape(
                    "(?<time>\\d{4}-\\d{2}-\\d{2}[ T]" + CLOCK + "(?:[.,]\\d{1,9})?)(?:\\s+(?:- )?(?:" + LEVEL + ")?)?",
                    new DateTimeFormatterBuilder()
                            .appendPattern("uuuu-MM-dd HH:mm:ss")
                            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)),
            new Shape(
                    "(?<time>\\d{6} \\d{6})(?: \\d+)? " + LEVEL,
                    new DateTimeFormatterBuilder().appendPattern("uuMMdd HHmmss")),
            new Shape(
                    "\\[[A-Z][a-z]{2} (?<time>[A-Z][a-z]{2} [ \\d]\\d " + CLOCK + " \\d{4})] \\[(?<level>\\w+)]",
                    new DateTimeFormatterBuilder().appendPattern("MMM d HH:mm:ss uuuu")),
            new Shape(
                    "(?<time>[A-Z][a-z]{2} [ \\d]\\d " + CLOCK + ") (?<level>)",
                    new DateTimeFormatterBuilder().appendPattern("MMM d HH:mm:ss")));

    private record Shape(Pattern pattern, DateTimeFormatter format) {
        Shape(String regex, DateTimeFormatterBuilder format) {
            this(Pattern.compile(regex), format.toFormatter(Locale.ENGLISH).withResolverStyle(ResolverStyle.STRICT));
        }
    }

    static LogLine of(String line) {
        for (Shape shape : SHAPES) {
            Matcher matcher = shape.pattern().matcher(line);
            if (matcher.lookingAt()) {
                String level = matcher.group("level");
                return read(matcher.group("time"), shape.format(), level == null ? "" : level.toUpperCase(Locale.ROOT));
            }
        }
        return PLAIN;
    }

    private static LogLine read(String time, DateTimeFormatter format, String level) {
        // Days are padded with a space or a zero, fractions follow a comma or a point.
        String even = time.replace('T', ' ').replace(',', '.').replaceAll(" [ 0](\\d )", " $1");
        try {
            TemporalAccessor parsed = format.parse(even);
            if (parsed.isSupported(ChronoField.YEAR)) {
                return new LogLine(
                        DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(LocalDateTime.from(parsed)), true, level);
            }
            MonthDay day = MonthDay.from(parsed);
            // Any leap year holds every day that a line without a year can name.
            LocalDateTime moment = LocalDateTime.of(day.atYear(2000), LocalTime.from(parsed));
            return new LogLine(WITHOUT_YEAR.format(moment), false, level);
        } catch (DateTimeException e) {
            return new LogLine("", false, level);
        }
    }
}
