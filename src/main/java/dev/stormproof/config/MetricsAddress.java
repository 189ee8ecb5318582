package dev.stormproof.config;

import java.io.Serializable;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/**
 * An address at which workers serve their metrics.
 *
 * @param firstPort the first port that a worker tries; 0 for any free one
 * @param lastPort the last one
 * @param names what the host is called besides, by those who ask
 */
public record MetricsAddress(String host, int firstPort, int lastPort, Set<String> names) implements Serializable {
    static final String PORT_KEY = "metrics.http.port";
    static final String LOOPBACK = "127.0.0.1";

    private static final Pattern PORTS = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
    private static final int LAST_OF_ALL = 65_535;

    public MetricsAddress {
        names = Set.copyOf(names);
    }

    static Optional<MetricsAddress> of(String host, String ports, Set<String> names) {
        if (ports.isEmpty()) {
            return Optional.empty();
        }
        int[] range = portsOf(ports);
        return Optional.of(new MetricsAddress(host, range[0], range[1], names));
    }

    /** The first port and the last one; throws {@link ConfigException} on what is neither a port nor a range of them. */
    static int[] portsOf(String text) {
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
