package dev.stormproof.proof.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Views of bytes as words of 8 or 4 bytes, at any index; for exact types only, so that they cost what a field costs. */
final class LongViews {
    /** The order in which hashes and numbers are written. */
    static final VarHandle BIG_ENDIAN = view(ByteOrder.BIG_ENDIAN);

    static final VarHandle LITTLE_ENDIAN = view(ByteOrder.LITTLE_ENDIAN);

    private LongViews() {}

    private static VarHandle view(ByteOrder order) {
        return MethodHandles.byteArrayViewVarHandle(long[].class, order).withInvokeExactBehavior();
    }
}
