package dev.stormproof.cli.text;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** A time as it is typed: of RFC 3339, a date, which means its beginning in UTC, or how long ago. */
public final class TimeText {
    private static final Pattern AGO = Pattern.compile("([1-9][0-9]{0,8})([smhd])");

    private TimeText() {}

    /** Reads a time, for picocli. */
    public static Instant of(String text) {
        Matcher ago = AGO.matcher(text);
        if (ago.matches()) {
            long count = Long.parseLong(ago.group(1));
            return Instant.now()
                    .minusSeconds(count
                            * switch (ago.group(2)) {
                                case "s" -> 1;
                                case "m" -> 60;
                                case "h" -> 3_600;
                                default -> 86_400;
                            });
        }
        try {
            return text.length() == 10
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw new TypeConversionException("'" + text
                    + "' is no time such as 2026-01-31T08:00:00Z, no date such as 2026-01-31, and no time ago such as 1h"
                    + " (s, m, h, d)");
        }
    }
}
