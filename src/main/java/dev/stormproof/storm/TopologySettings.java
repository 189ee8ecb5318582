package dev.stormproof.storm;

import dev.stormproof.checkpoint.CheckpointVerifier;
import dev.stormproof.checkpoint.EventSigner;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.checkpoint.TrustedKeys;
import dev.stormproof.config.StormproofConfig;
import java.io.Serializable;
import java.util.List;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigException;

/**
 * The configuration on its way to the workers: what was written in the file, so that references to secrets arrive as
 * references.
 */
record TopologySettings(TreeMap<String, String> properties) implements Serializable {
    static TopologySettings of(StormproofConfig config) {
        return new TopologySettings(new TreeMap<>(config.properties()));
    }

    StormproofConfig config() {
        return new StormproofConfig(properties);
    }

    /** A parser for one task; throws {@link ConfigException} if a named class or key cannot be used. */
    static LogRecordParser newParser(StormproofConfig config) {
        List<EventSigner> signers = config.eventSigners().stream()
                .map(name -> NamedClasses.newInstance(StormproofConfig.EVENT_SIGNERS, name, EventSigner.class))
                .toList();
        try {
            TrustedKeys keys = TrustedKeys.ofTexts(config.checkpointKeys());
            return new LogRecordParser(
                    config.signatureHeader(),
                    signers,
                    new CheckpointVerifier(keys, config.checkpointSignaturesRequired()));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(StormproofConfig.CHECKPOINT_KEYS + ": " + e.getMessage());
        }
    }
}
