package dev.stormproof.task.config;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Settings in environment variables, named as in Kafka's container images: {@value #PREFIX} and the key in capitals, with {@code _} for a
 * dot, {@code __} for an underscore and {@code ___} for a dash.
 *
 * <p>{@code STORMPROOF_BOOTSTRAP_SERVERS} is {@code bootstrap.servers}.
 */
public final class EnvironmentSettings {
    public static final String PREFIX = "STORMPROOF_";

    /** Variables of the launcher and the log, and those that Kubernetes sets for a service "stormproof". */
    private static final Pattern OTHERS = Pattern.compile(
            PREFIX + "(JAVA_OPTS|CLASSPATH|LOG_LEVEL|SERVICE_(HOST|PORT)(_.*)?|PORT(_\\d+_(TCP|UDP|SCTP)(_.*)?)?)");

    private EnvironmentSettings() {}

    /** The settings, sorted by key. */
    public static Map<String, String> of(Map<String, String> environment) {
        Map<String, String> settings = new TreeMap<>();
        environment.forEach((name, value) -> {
            if (name.startsWith(PREFIX) && !OTHERS.matcher(name).matches()) {
                settings.put(key(name), value.trim());
            }
        });
        return settings;
    }

    /** The variable that holds a setting. */
    public static String variable(String key) {
        return PREFIX
                + key.replace("_", "__").replace("-", "___").replace('.', '_').toUpperCase(Locale.ROOT);
    }

    private static String key(String variable) {
        return variable.substring(PREFIX.length())
                .toLowerCase(Locale.ROOT)
                .replace("___", "-")
                .replace("__", "\0")
                .replace('_', '.')
                .replace('\0', '_');
    }
}
