package dev.stormproof.task.config;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The settings that environment variables hold, named as Kafka's container images do it: {@value #PREFIX} before the key in
 * capitals, in which {@code _} stands for a dot, {@code __} for an underscore and {@code ___} for a dash.
 *
 * <p>{@code STORMPROOF_BOOTSTRAP_SERVERS} is {@code bootstrap.servers}.
 */
public final class EnvironmentSettings {
    public static final String PREFIX = "STORMPROOF_";

    /**
     * The launcher's and the log's own variables, and those that Kubernetes makes for a service of the name "stormproof".
     */
    private static final Pattern OTHERS = Pattern.compile(
            PREFIX + "(JAVA_OPTS|CLASSPATH|LOG_LEVEL|SERVICE_(HOST|PORT)(_.*)?|PORT(_\\d+_(TCP|UDP|SCTP)(_.*)?)?)");

    private EnvironmentSettings() {}

    /** The settings by their keys, in the order of the keys. */
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
