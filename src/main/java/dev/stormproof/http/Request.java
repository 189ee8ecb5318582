package dev.stormproof.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A request as its head states it. What it has behind the head is not read.
 *
 * @param path decoded
 * @param query as it was sent; empty if there is none
 * @param headers names in lower case and values, in their order
 */
public record Request(String method, String path, String query, List<Map.Entry<String, String>> headers) {
    private static final Pattern LINE = Pattern.compile("([A-Z]{1,16}) (/[!-~]*) HTTP/1\\.[0-9]");
    private static final Pattern HEADER =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([^\\x00-\\x08\\x0a-\\x1f]*?)[ \\t]*");
    private static final Pattern LINE_END = Pattern.compile("\r\n");
    private static final Pattern PARAMETER = Pattern.compile("&");

    public Request {
        headers = List.copyOf(headers);
    }

    /** A request that is not answered but refused. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        Refused(int status, String why) {
            super(why);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    /** Reads a head, without the empty line at its end. */
    static Request parse(byte[] head) throws Refused {
        List<String> lines =
                LINE_END.splitAsStream(new String(head, ISO_8859_1)).toList();
        Matcher line = LINE.matcher(lines.isEmpty() ? "" : lines.get(0));
        if (!line.matches()) {
            throw new Refused(HttpURLConnection.HTTP_BAD_REQUEST, "this is no request");
        }
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        for (String text : lines.subList(1, lines.size())) {
            Matcher header = HEADER.matcher(text);
            if (!header.matches()) {
                throw new Refused(HttpURLConnection.HTTP_BAD_REQUEST, "this is no header");
            }
            headers.add(Map.entry(header.group(1).toLowerCase(Locale.ROOT), header.group(2)));
        }
        try {
            URI target = new URI(line.group(2));
            String path = target.getPath();
            return new Request(
                    line.group(1),
                    path == null ? "" : path,
                    target.getRawQuery() == null ? "" : target.getRawQuery(),
                    headers);
        } catch (URISyntaxException e) {
            throw new Refused(HttpURLConnection.HTTP_BAD_REQUEST, "this is no address of a page");
        }
    }

    /** The values of all headers of a name, which is given in lower case. */
    public List<String> headers(String name) {
        return headers.stream()
                .filter(header -> header.getKey().equals(name))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** A parameter of the query, decoded; empty if it has none of that name. */
    public Optional<String> parameter(String name) {
        return Stream.of(query)
                .flatMap(PARAMETER::splitAsStream)
                .filter(parameter -> parameter.startsWith(name + "="))
                .map(parameter -> URLDecoder.decode(parameter.substring(name.length() + 1), UTF_8))
                .findFirst();
    }
}
