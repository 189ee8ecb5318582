package dev.stormproof.alert.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import java.net.URI;
import java.net.URLDecoder;
import java.util.List;
import java.util.Optional;
import java.util.StringTokenizer;

/** A request without its body. */
public record Request(URI target, Headers headers) {
    /** The path, decoded. */
    public String path() {
        String path = target.getPath();
        return path == null ? "" : path;
    }

    /** The values of all headers of a name. */
    public List<String> headers(String name) {
        List<String> values = headers.get(name);
        return values == null ? List.of() : values;
    }

    /** A parameter of the query, decoded; empty if it has none of that name. */
    public Optional<String> parameter(String name) {
        String query = target.getRawQuery();
        StringTokenizer parameters = new StringTokenizer(query == null ? "" : query, "&");
        while (parameters.hasMoreTokens()) {
            String parameter = parameters.nextToken();
            if (parameter.startsWith(name + "=")) {
                return Optional.of(URLDecoder.decode(parameter.substring(name.length() + 1), UTF_8));
            }
        }
        return Optional.empty();
    }
}
