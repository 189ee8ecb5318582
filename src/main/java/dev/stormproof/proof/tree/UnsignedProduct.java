package dev.stormproof.proof.tree;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The unsigned product of two words, by {@code Math.unsignedMultiplyHigh} where the Java that runs has it: one instruction since 18, in
 * place of nine. A handle that is a constant costs what a call costs.
 */
final class UnsignedProduct {
    private static final @Nullable MethodHandle SINCE_18 = find("unsignedMultiplyHigh");

    private UnsignedProduct() {}

    /** The upper 64 of the product's 128 bits. */
    static long high(long a, long b) {
        if (SINCE_18 == null) {
            return ofSigned(a, b);
        }
        try {
            return (long) SINCE_18.invokeExact(a, b);
        } catch (Throwable e) { // What invokeExact declares; the method throws nothing.
            throw new AssertionError(e);
        }
    }

    /** The same by the signed product, for Java 17. */
    static long ofSigned(long a, long b) {
        return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    }

    /** A method of {@link Math}; null if this Java has none of that name. */
    static @Nullable MethodHandle find(String name) {
        MethodType type = MethodType.methodType(long.class, long.class, long.class);
        try {
            return MethodHandles.lookup().findStatic(Math.class, name, type);
        } catch (NoSuchMethodException older) {
            return null;
        } catch (IllegalAccessException e) {
            throw new AssertionError("a public method", e);
        }
    }
}
