package dev.stormproof.alert.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.Runbook;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The page: one text, made of the parts in {@code /dashboard}, that fetches nothing.
 *
 * <p>Its policy allows the browser only these scripts and styles, by their hashes. Data are in blocks that are not run, in which {@code <} is
 * escaped, so they cannot end early.
 *
 * @param html the text
 * @param policy the value for a header {@code Content-Security-Policy}; the page has it as well
 */
public record Page(String html, String policy) {
    private static final List<String> SCRIPTS =
            List.of("store.js", "timeline.js", "order.js", "grid.js", "detail.js", "page.js");

    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    /** The page of a server, which requests all data. */
    static Page live() {
        return of(JsonNodeFactory.instance.objectNode().put("live", true), "connect-src 'self'");
    }

    /** A page with the picture as it is now. */
    public static Page of(DashboardModel picture, long nowMillis) {
        return of(picture.whole(nowMillis), "connect-src 'none'");
    }

    private static Page of(ObjectNode data, String connections) {
        String style = part("page.css");
        String script = "\"use strict\";\n" + SCRIPTS.stream().map(Page::part).collect(Collectors.joining("\n"));
        String policy = "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style)
                + "; img-src data:; " + connections + "; base-uri 'none'; form-action 'none'";
        Map<String, String> parts = Map.of(
                "policy", policy,
                "style", style,
                "script", script,
                "words", escaped(Runbook.json()),
                "data", escaped(data.toString()));
        String html = PLACE.matcher(part("page.html"))
                .replaceAll(place -> Matcher.quoteReplacement(Objects.requireNonNull(parts.get(place.group(1)))));
        return new Page(html, policy);
    }

    private static String escaped(String json) {
        return json.replace("<", "\\u003c");
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String part(String name) {
        try (InputStream part = Page.class.getResourceAsStream("/dashboard/" + name)) {
            return new String(Objects.requireNonNull(part, name).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
