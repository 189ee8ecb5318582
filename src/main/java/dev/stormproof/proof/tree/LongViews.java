package dev.stormproof.proof.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Views of bytes as words at any index, with exact types only, so that they are as fast as fields. */
final class LongViews {
    static final VarHandle BIG_ENDIAN = view(ByteOrder.BIG_ENDIAN);

    static final VarHandle LITTLE_ENDIAN = view(ByteOrder.LITTLE_ENDIAN);

    private LongViews() {}

    private static VarHandle view(ByteOrder order) {
        return MethodHandles.byteArrayViewVarHandle(long[].class, order).withInvokeExactBehavior();
    }
}
