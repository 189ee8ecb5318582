package dev.stormproof.evidence;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The page that checks proofs in a browser: one file, without requests. */
public final class CheckPage {
    private CheckPage() {}

    /** The page's bytes. */
    public static byte[] bytes() {
        try (InputStream page = CheckPage.class.getResourceAsStream("/evidence/check.html")) {
            return Objects.requireNonNull(page, "check.html").readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
