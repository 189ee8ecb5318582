package dev.stormproof.merkle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Views of bytes as words of 8 or 4 bytes, at any index; for exact types only, so that they cost what a field costs. */
final class LongViews {
    /** The order in which hashes and numbers are written. */
    static final VarHandle BIG_ENDIAN = view(long[].class, ByteOrder.BIG_ENDIAN);

    /** The same, of 4 bytes. */
    static final VarHandle BIG_ENDIAN_INT = view(int[].class, ByteOrder.BIG_ENDIAN);

    static final VarHandle LITTLE_ENDIAN = view(long[].class, ByteOrder.LITTLE_ENDIAN);

    private LongViews() {}

    private static VarHandle view(Class<?> words, ByteOrder order) {
        return MethodHandles.byteArrayViewVarHandle(words, order).withInvokeExactBehavior();
    }
}
