package dev.stormproof.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import java.util.Arrays;

/** A transform that doubles the last byte of a value, and behaves badly on values of some sizes. */
public final class FussyTransform implements EventTransform {
    private static final int SIZES = 97;
    private static final int TOO_LARGE_BYTES = 3 << 20;

    @Override
    public Transformed apply(InputEvent event) {
        byte[] value = event.value();
        if (value == null || value.length == 0) {
            return Transformed.of(value);
        }
        switch (value.length % SIZES) {
            case 13 -> throw new IllegalArgumentException("\u001b[2J unlucky \u202e" + new String(value, 0, 4, UTF_8));
            case 14 -> throw new StackOverflowError("too deep");
            case 15 -> throw new AssertionError("never");
            case 16 -> throw new NoClassDefFoundError("a/class/of/mine");
            case 17 -> {
                Arrays.fill(value, (byte) 'X');
                throw new IllegalStateException("changed and then failed");
            }
            case 18 -> {
                return Transformed.of(new byte[TOO_LARGE_BYTES]);
            }
            case 19 -> {
                return Transformed.of(value).withHeader("n".repeat(TOO_LARGE_BYTES), new byte[0]);
            }
            default -> {
                byte[] made = Arrays.copyOf(value, value.length + 1);
                made[value.length] = value[value.length - 1];
                return Transformed.of(made);
            }
        }
    }

    /** True of a value that this does not transform, or makes too much of. */
    static boolean fails(byte[] value) {
        int size = value.length % SIZES;
        return value.length > 0 && size >= 13 && size <= 19;
    }
}
