package dev.stormproof.evidence;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The page that checks proofs in a browser: one file that asks nobody for anything. */
public final class CheckPage {
    private CheckPage() {}

    /** Its bytes. */
    public static byte[] bytes() {
        try (InputStream page = CheckPage.class.getResourceAsStream("/evidence/check.html")) {
            return Objects.requireNonNull(page, "check.html").readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
