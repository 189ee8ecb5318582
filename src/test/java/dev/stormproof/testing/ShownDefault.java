package dev.stormproof.testing;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** The default of a setting as the documents show it. */
public final class ShownDefault {
    private ShownDefault() {}

    /** The text of a default; {@code quote} stands around a value, and around neither {@code required} nor {@code none}. */
    public static String of(@Nullable Object value, String quote) {
        if (value == ConfigDef.NO_DEFAULT_VALUE) {
            return "required";
        }
        String text = value instanceof Password password
                ? password.value()
                : value instanceof List<?> list
                        ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                        : String.valueOf(value);
        return value == null || text.isEmpty() ? "none" : quote + text + quote;
    }
}
