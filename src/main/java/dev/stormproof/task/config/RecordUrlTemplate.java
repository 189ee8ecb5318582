package dev.stormproof.task.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/**
 * Makes the address of a web page that shows a record.
 *
 * <pre>
 *   https://ui.example.org/topics/{topic}?p={partition}&amp;o={offset}
 * </pre>
 *
 * <p>The address is http or https, and all placeholders follow its host, so that no topic name decides where a link leads. Values of
 * placeholders are percent-encoded. An empty template makes no address.
 */
public final class RecordUrlTemplate {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");
    private static final Set<String> PLACEHOLDERS = new TreeSet<>(Set.of("topic", "partition", "offset"));

    private final String template;

    private RecordUrlTemplate(String template) {
        this.template = template;
    }

    /** Reads a template; throws {@link ConfigException} if it is wrong. */
    public static RecordUrlTemplate of(String key, String template) {
        if (!template.isEmpty()) {
            check(key, template);
        }
        return new RecordUrlTemplate(template);
    }

    private static void check(String key, String template) {
        Set<String> found = new TreeSet<>();
        for (Matcher each = PLACEHOLDER.matcher(template); each.find(); ) {
            found.add(each.group(1));
        }
        if (!found.equals(PLACEHOLDERS)) {
            throw new ConfigException(key, template, "it has to have {topic}, {partition} and {offset}, and no other");
        }
        URI example;
        try {
            example = new URI(PLACEHOLDER.matcher(template).replaceAll("0"));
        } catch (URISyntaxException e) {
            throw new ConfigException(key, template, "it is no address: " + e.getReason());
        }
        String scheme = String.valueOf(example.getScheme()).toLowerCase(Locale.ROOT);
        if (!Set.of("http", "https").contains(scheme) || example.getHost() == null) {
            throw new ConfigException(key, template, "it has to begin with http:// or https:// and a host");
        }
        if (example.getRawUserInfo() != null) {
            throw new ConfigException(key, "[hidden]", "a password in it would be in each alert");
        }
        if (!example.toASCIIString().equals(example.toString())) {
            throw new ConfigException(key, template, "write what is not ASCII in it percent-encoded");
        }
        int host = template.indexOf(example.getRawAuthority());
        boolean followHost = host >= 0
                && template.indexOf('{') >= host + example.getRawAuthority().length();
        if (!followHost) {
            throw new ConfigException(key, template, "placeholders must come after the host");
        }
    }

    /** The address of a record's page; empty if the template is. */
    public String at(String topic, int partition, long offset) {
        Map<String, String> values =
                Map.of("topic", topic, "partition", Integer.toString(partition), "offset", Long.toString(offset));
        Function<String, String> encoded =
                name -> URLEncoder.encode(values.getOrDefault(name, ""), UTF_8).replace("+", "%20");
        return PLACEHOLDER
                .matcher(template)
                .replaceAll(place -> Matcher.quoteReplacement(encoded.apply(place.group(1))));
    }
}
