package dev.stormproof.alert.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.stream.Stream;

/**
 * Decides who may see the page.
 *
 * <p>Except on loopback, a request needs the token, at first in the address and later in a cookie.
 */
final class AccessToken {
    static final String TOKEN = "token";

    private static final int TOKEN_BYTES = 24;
    private final Optional<String> token;

    private AccessToken(Optional<String> token) {
        this.token = token;
    }

    /** @param address the server's */
    static AccessToken of(InetSocketAddress address) {
        if (address.getAddress().isLoopbackAddress()) {
            return new AccessToken(Optional.empty());
        }
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return new AccessToken(Optional.of(HexFormat.of().formatHex(random)));
    }

    /** Empty if no token is needed. */
    Optional<String> token() {
        return token;
    }

    /** Compares in constant time. */
    boolean isToken(String brought) {
        return token.isPresent() && MessageDigest.isEqual(token.get().getBytes(UTF_8), brought.getBytes(UTF_8));
    }

    /** True if no token is needed, or one of the headers {@code Cookie} has it. */
    boolean areAdmitted(List<String> cookieHeaders) {
        return token.isEmpty()
                || cookieHeaders.stream()
                        .flatMap(AccessToken::cookies)
                        .filter(cookie -> cookie.startsWith(cookieName() + "="))
                        .anyMatch(
                                cookie -> isToken(cookie.substring(cookieName().length() + 1)));
    }

    private static Stream<String> cookies(String header) {
        return Collections.list(new StringTokenizer(header, "; ")).stream().map(String::valueOf);
    }

    /** The cookie with the token, for this server only. */
    String cookie() {
        return cookieName() + "=" + token.orElse("") + "; HttpOnly; SameSite=Strict; Path=/";
    }

    private static String cookieName() {
        return "stormproof";
    }
}
