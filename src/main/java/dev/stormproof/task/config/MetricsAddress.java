package dev.stormproof.task.config;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.LambdaValidator;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigException;

/**
 * An address at which workers serve their metrics.
 *
 * @param firstPort the first port that a worker tries; 0 for any free one
 * @param names other names of the host in requests
 */
public record MetricsAddress(String host, int firstPort, int lastPort, Set<String> names) implements Serializable {
    private static final String PORT_KEY = "metrics.http.port";
    private static final String HOST_KEY = "metrics.http.host";
    private static final String LOOPBACK = "127.0.0.1";

    private static final Pattern PORTS = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
    private static final int LAST_OF_ALL = 65_535;

    public MetricsAddress {
        names = Set.copyOf(names);
    }

    static void define(Settings to) {
        to.text(
                        PORT_KEY,
                        "",
                        LambdaValidator.with(
                                (key, value) -> portsOf((String) value), () -> "a port or a range of ports"))
                .means("The port of each worker's /metrics. The first free one of a range (9404-9413) is used; 0 "
                        + "is any free one.");
        to.text(HOST_KEY, LOOPBACK, new NonEmptyString())
                .means("The address of the metrics, without password or encryption.");
        to.list("metrics.http.names", List.of(), null)
                .means("Further host names that requests for metrics may name. Others get status 421, so that no "
                        + "foreign web page reads metrics through a browser.");
    }

    static Optional<MetricsAddress> of(AbstractConfig values) {
        return Settings.text(values, PORT_KEY).map(ports -> {
            int[] range = portsOf(ports);
            return new MetricsAddress(
                    values.getString(HOST_KEY), range[0], range[1], Settings.names(values, "metrics.http.names"));
        });
    }

    /** The first and the last port; throws {@link ConfigException} if the text is neither a port nor a range. */
    private static int[] portsOf(String text) {
        Matcher ports = PORTS.matcher(text);
        if (text.isEmpty()) {
            return new int[] {0, 0};
        }
        if (ports.matches()) {
            int first = Integer.parseInt(ports.group(1));
            int last = ports.group(2) == null ? first : Integer.parseInt(ports.group(2));
            if (first <= last && last <= LAST_OF_ALL && (first > 0 || last == 0)) {
                return new int[] {first, last};
            }
        }
        throw new ConfigException(PORT_KEY, text, "a port, a range of ports such as 9404-9413, or 0 for any");
    }
}
