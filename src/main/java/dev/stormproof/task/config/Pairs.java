package dev.stormproof.task.config;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigException;

/**
 * A list of pairs, each with a colon between.
 *
 * @param form what each looks like
 * @param twice what two pairs are that begin alike, of which there may be none; empty if there may
 */
record Pairs(String form, String twice) implements Validator {
    @Override
    public void ensureValid(String key, Object value) {
        Set<String> before = new HashSet<>();
        for (Object entry : (List<?>) value) {
            String pair = entry.toString();
            if (first(pair).isEmpty() || second(pair).isEmpty()) {
                throw new ConfigException(key + ": '" + pair + "' is not of the form " + form);
            }
            if (!before.add(first(pair)) && !twice.isEmpty()) {
                throw new ConfigException(key + ": there are " + twice + " " + first(pair));
            }
        }
    }

    /** The pairs of a setting, in their order. */
    static Map<String, String> of(AbstractConfig values, String key) {
        Map<String, String> pairs = new LinkedHashMap<>();
        values.getList(key).forEach(pair -> pairs.put(first(pair), second(pair)));
        return Collections.unmodifiableMap(pairs);
    }

    static String first(String pair) {
        return pair.substring(0, Math.max(0, pair.indexOf(':')));
    }

    static String second(String pair) {
        return pair.substring(pair.indexOf(':') + 1);
    }

    /** Nothing: what the setting means says it. */
    @Override
    public String toString() {
        return "";
    }
}
