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
 * A list of pairs with colons.
 *
 * @param form the form of each, for a message
 * @param twice describes two pairs with the same first part, which are refused; empty if they are allowed
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

    /** Empty: the documentation of the setting describes it. */
    @Override
    public String toString() {
        return "";
    }
}
