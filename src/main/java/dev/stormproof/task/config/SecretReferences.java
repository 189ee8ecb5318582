package dev.stormproof.task.config;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;

/**
 * The rule that secrets appear in a configuration only as {@code ${provider:path:key}} references.
 *
 * <p>KafkaSpout copies every Kafka property that is a string into its component configuration, which Storm stores and shows to every user
 * who may view the topology. So no secret may be there: the Kafka clients on the workers resolve references, with the configured
 * {@code config.providers}.
 *
 * <p>No message of this class repeats a value. Properties that never reach Storm may hold literal secrets.
 */
record SecretReferences(Set<String> providers, boolean literalsAllowed) {
    private static final String PROVIDERS = AbstractConfig.CONFIG_PROVIDERS_CONFIG;

    /** A reference as Kafka's ConfigTransformer reads it; group 1 is the provider. */
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}:]*):(?:([^}]*?):)?([^}]*?)}");

    /** {@code name=value} in a JAAS entry; group 2 or 3 is the value. */
    private static final Pattern JAAS_OPTION = Pattern.compile("([\\w.]+)\\s*=\\s*(?:\"([^\"]*)\"|'?([^\\s;']*)'?)");

    /** JAAS options that hold no secret; every other option's value must be a reference. */
    private static final Set<String> OPEN_JAAS_OPTIONS = Set.of(
            "username",
            "principal",
            "serviceName",
            "keyTab",
            "useKeyTab",
            "storeKey",
            "useTicketCache",
            "renewTGT",
            "doNotPrompt",
            "refreshKrb5Config",
            "isInitiator",
            "debug",
            "tokenauth",
            "clientId",
            "scope");

    private static final Pattern SECRET_WORD =
            Pattern.compile("password|passwd|secret|token|credential|private", Pattern.CASE_INSENSITIVE);

    /** Reads {@code config.providers}; it is a mistake if a provider has no class or a literal secret. */
    static SecretReferences of(Map<String, String> properties, boolean literalsAllowed, ConfigErrors mistakes) {
        Set<String> providers = Arrays.stream(
                        properties.getOrDefault(PROVIDERS, "").split(","))
                .map(String::trim)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
        for (String provider : providers) {
            if (!properties.containsKey(PROVIDERS + "." + provider + ".class")) {
                mistakes.take(new ConfigException(PROVIDERS + " names '" + provider + "', but " + PROVIDERS + "."
                        + provider + ".class is missing"));
            }
        }
        for (String key : new TreeSet<>(properties.keySet())) {
            if (key.startsWith(PROVIDERS + ".") && SECRET_WORD.matcher(key).find()) {
                mistakes.take(new ConfigException(key
                        + " looks like a secret of the provider itself, and Storm would show it to all users: let the "
                        + "provider find it on the workers, in a file or in the environment"));
            }
        }
        return new SecretReferences(providers, literalsAllowed);
    }

    /** True if {@code value} holds a reference, whose meaning only the workers know. */
    static boolean isReferenceIn(String value) {
        return REFERENCE.matcher(value).find();
    }

    /** The references that {@code value} holds, as they are written. */
    static List<String> in(String value) {
        return REFERENCE.matcher(value).results().map(MatchResult::group).toList();
    }

    /** Throws {@link ConfigException} if the value is a literal secret or refers to a provider that is not configured. */
    void check(String key, String kafkaKey, ConfigDef.Type type, String value) {
        Matcher reference = REFERENCE.matcher(value);
        while (reference.find()) {
            if (!providers.contains(reference.group(1))) {
                throw new ConfigException(key + " refers to the provider '" + reference.group(1) + "', which "
                        + PROVIDERS + " does not name");
            }
        }
        if (literalsAllowed
                || type != ConfigDef.Type.PASSWORD
                || REFERENCE.matcher(value).matches()) {
            return;
        }
        if (!kafkaKey.equals(SaslConfigs.SASL_JAAS_CONFIG)) {
            throw literal(key);
        }
        Matcher option = JAAS_OPTION.matcher(value);
        while (option.find()) {
            String secret = option.group(2) != null ? option.group(2) : option.group(3);
            if (!OPEN_JAAS_OPTIONS.contains(option.group(1))
                    && !REFERENCE.matcher(secret).matches()) {
                throw literal(key + " (option " + option.group(1) + ")");
            }
        }
    }

    private static ConfigException literal(String key) {
        return new ConfigException(
                key + " is a literal secret, and Storm shows a topology's configuration to all its users:"
                        + " put it where the workers can read it and write a reference, such as ${file:/path/on/workers:key}"
                        + " with config.providers=file and"
                        + " config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider");
    }
}
