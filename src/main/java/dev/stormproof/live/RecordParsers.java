package dev.stormproof.live;

import dev.stormproof.checkpoint.CheckpointVerifier;
import dev.stormproof.checkpoint.EventSigner;
import dev.stormproof.checkpoint.Format1Expected;
import dev.stormproof.checkpoint.LogRecordParser;
import dev.stormproof.checkpoint.Origins;
import dev.stormproof.checkpoint.TrustedKeys;
import dev.stormproof.config.NamedClasses;
import dev.stormproof.config.StormproofConfig;
import java.util.List;
import org.apache.kafka.common.config.ConfigException;

/** The factory of parsers, which distinguish events, checkpoints and other records, from settings. */
public final class RecordParsers {
    private RecordParsers() {}

    /**
     * Makes a parser for one thread.
     *
     * @throws ConfigException if a named class or key cannot be used
     */
    public static LogRecordParser newParser(StormproofConfig config) {
        return newParser(config, originsOf(config));
    }

    /** The origins of topics, from settings. */
    public static Origins originsOf(StormproofConfig config) {
        return new Origins(config.origins(), config.mirrors());
    }

    /** The same for topics with other origins. */
    static LogRecordParser newParser(StormproofConfig config, Origins origins) {
        List<EventSigner> signers = config.eventSigners().stream()
                .map(name -> NamedClasses.newInstance(StormproofConfig.EVENT_SIGNERS, name, EventSigner.class))
                .toList();
        try {
            TrustedKeys keys = TrustedKeys.ofTexts(config.checkpointKeys());
            return new LogRecordParser(
                    origins,
                    new Format1Expected(config.signatureHeader(), config.format1Topics()),
                    signers,
                    config.requiresProtectionAgainstTampering()
                            ? CheckpointVerifier.againstTampering(keys)
                            : new CheckpointVerifier(keys, config.checkpointSignaturesRequired()));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(StormproofConfig.CHECKPOINT_KEYS + ": " + e.getMessage());
        }
    }
}
