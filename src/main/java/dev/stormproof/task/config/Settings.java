package dev.stormproof.task.config;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.jspecify.annotations.Nullable;

/** Defines settings, each with key, default, validator and meaning. */
record Settings(ConfigDef definition) {
    Setting text(String key, Object byDefault, @Nullable Validator valid) {
        return new Setting(definition, key, ConfigDef.Type.STRING, byDefault, valid);
    }

    Setting list(String key, List<String> byDefault, @Nullable Validator valid) {
        return new Setting(definition, key, ConfigDef.Type.LIST, byDefault, valid);
    }

    Setting count(String key, int byDefault, Validator valid) {
        return new Setting(definition, key, ConfigDef.Type.INT, byDefault, valid);
    }

    Setting amount(String key, long byDefault, Validator valid) {
        return new Setting(definition, key, ConfigDef.Type.LONG, byDefault, valid);
    }

    /** A setting that {@link #means} defines. */
    record Setting(
            ConfigDef definition,
            String key,
            ConfigDef.Type type,
            Object byDefault,
            @Nullable Validator valid) {
        void means(String documentation) {
            definition.define(key, type, byDefault, valid, Importance.MEDIUM, documentation);
        }
    }

    /** The text of a setting; empty if it has none. */
    static Optional<String> text(AbstractConfig values, String key) {
        return Optional.of(values.getString(key)).filter(text -> !text.isEmpty());
    }

    /** The entries of a list, each once, in their order. */
    static Set<String> names(AbstractConfig values, String key) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(values.getList(key)));
    }
}
