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
 * The rules of who may see the page.
 *
 * <p>Beyond loopback a request has to bring the token, once in the address and from then on in a cookie.
 */
final class AccessToken {
    static final String TOKEN = "token";

    private static final int TOKEN_BYTES = 24;
    private final Optional<String> token;

    private AccessToken(Optional<String> token) {
        this.token = token;
    }

    /** The rules for a server that listens at an address. */
    static AccessToken of(InetSocketAddress address) {
        if (address.getAddress().isLoopbackAddress()) {
            return new AccessToken(Optional.empty());
        }
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return new AccessToken(Optional.of(HexFormat.of().formatHex(random)));
    }

    /** The token to bring; empty if none is needed. */
    Optional<String> token() {
        return token;
    }

    /** True if what was brought is the token; takes the same time whatever it is. */
    boolean isToken(String brought) {
        return token.isPresent() && MessageDigest.isEqual(token.get().getBytes(UTF_8), brought.getBytes(UTF_8));
    }

    /** True if no token is needed, or one of the headers {@code Cookie} brings it. */
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

    /** The cookie that brings the token from now on, to this server alone. */
    String cookie() {
        return cookieName() + "=" + token.orElse("") + "; HttpOnly; SameSite=Strict; Path=/";
    }

    private static String cookieName() {
        return "stormproof";
    }
}
