package dev.stormproof.verify.judge;

import java.util.Locale;

/** The names of enum constants in JSON and in texts: lower case, with hyphens. */
public final class EnumNames {
    private EnumNames() {}

    /** The name of a constant: {@code checkpoint-lost} of {@code CHECKPOINT_LOST}. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A constant in words: {@code key or value} of {@code KEY_OR_VALUE}. */
    public static String words(Enum<?> constant) {
        return of(constant).replace('-', ' ');
    }

    /** The constant of a name; throws {@link IllegalArgumentException} if there is none. */
    public static <E extends Enum<E>> E constant(Class<E> type, String name) {
        return Enum.valueOf(type, name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
