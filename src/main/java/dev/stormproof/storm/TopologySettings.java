package dev.stormproof.storm;

import dev.stormproof.config.StormproofConfig;
import java.io.Serializable;
import java.util.TreeMap;

/**
 * The configuration on its way to the workers: the properties of the file, so that references to secrets arrive as
 * references.
 */
record TopologySettings(TreeMap<String, String> properties) implements Serializable {
    static TopologySettings of(StormproofConfig config) {
        return new TopologySettings(new TreeMap<>(config.properties()));
    }

    StormproofConfig config() {
        return new StormproofConfig(properties);
    }
}
