package dev.stormproof.evidence.notary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.tree.Hash;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record, read from the bytes of its {@linkplain RecordLeaf leaf}. */
public record NotedRecord(
        long timestampMillis, @Nullable Hash key, @Nullable Hash value, List<Header> headers) {
    public NotedRecord {
        headers = List.copyOf(headers);
    }

    /** A header: its name, and its value or null. */
    public record Header(String name, @Nullable Hash value) {}

    /** Reads the bytes of a leaf. */
    public static NotedRecord parse(byte[] leaf) throws MalformedNoteException {
        ByteBuffer in = ByteBuffer.wrap(leaf);
        try {
            if (in.get() != RecordLeaf.READ) {
                throw new MalformedNoteException("a leaf of another form than " + RecordLeaf.READ);
            }
            long timestampMillis = in.getLong();
            Hash key = bytes(in);
            Hash value = bytes(in);
            List<Header> headers = new ArrayList<>();
            for (int left = in.getInt(); left > 0; left--) {
                Hash name = bytes(in);
                if (name == null) {
                    throw new MalformedNoteException("a header without a name in a leaf");
                }
                headers.add(new Header(new String(name.toByteArray(), UTF_8), bytes(in)));
            }
            if (in.hasRemaining()) {
                throw new MalformedNoteException("a leaf with " + in.remaining() + " bytes after its last header");
            }
            return new NotedRecord(timestampMillis, key, value, headers);
        } catch (BufferUnderflowException e) {
            throw new MalformedNoteException("a leaf that ends too early");
        }
    }

    private static @Nullable Hash bytes(ByteBuffer in) throws MalformedNoteException {
        int size = in.getInt();
        if (size == -1) {
            return null;
        }
        if (size < 0 || size > in.remaining()) {
            throw new MalformedNoteException("a leaf with a part of " + size + " bytes");
        }
        byte[] bytes = new byte[size];
        in.get(bytes);
        return Hash.copyOf(bytes);
    }
}
