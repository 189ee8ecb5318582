package dev.stormproof.proof.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The name of a record header, as text and in UTF-8. */
public final class HeaderName {
    private final String text;
    private final byte[] utf8;

    public HeaderName(String text) {
        this.text = text;
        this.utf8 = text.getBytes(UTF_8);
    }

    /** True if {@code array[begin, begin + sizeBytes)} is this name. */
    public boolean isAt(byte[] array, int begin, int sizeBytes) {
        return sizeBytes == utf8.length && Arrays.equals(array, begin, begin + sizeBytes, utf8, 0, sizeBytes);
    }

    @Override
    public String toString() {
        return text;
    }
}
