package dev.stormproof.task.live.run;

import dev.stormproof.proof.checkpoint.AllowedEmitters;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.task.config.CheckingSettings;
import dev.stormproof.task.config.ConfigErrors;
import dev.stormproof.task.config.NamedClasses;
import dev.stormproof.task.config.StormproofConfig;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;

/** Makes the parsers of records from settings. */
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

    public static Origins originsOf(StormproofConfig config) {
        return new Origins(config.input.origins(), config.input.mirrors());
    }

    public static LogRecordParser newParser(StormproofConfig config, Origins origins) {
        return new LogRecordParser(
                origins,
                new Format1Expected(config.checking.signatureHeader(), Optional.of(config.checking.format1Topics())),
                newSigners(config),
                config.checking.againstTampering()
                        ? CheckpointVerifier.againstTampering(trustedKeys(config))
                        : new CheckpointVerifier(trustedKeys(config)),
                new AllowedEmitters(config.checking.allowedEmitters()));
    }

    /** The application's signers; throws {@link ConfigException} if one cannot be used. */
    public static List<EventSigner> newSigners(StormproofConfig config) {
        return config.checking.signers().stream().map(RecordParsers::newSigner).toList();
    }

    /** Hands each unusable class and key to {@code mistakes}. */
    public static void review(StormproofConfig config, ConfigErrors mistakes) {
        config.checking.signers().forEach(name -> mistakes.check(() -> newSigner(name)));
        mistakes.check(() -> trustedKeys(config));
    }

    private static EventSigner newSigner(String className) {
        return NamedClasses.newInstance(CheckingSettings.EVENT_SIGNERS, className, EventSigner.class);
    }

    /** The public keys of trusted checkpoints; throws {@link ConfigException} if one cannot be used. */
    public static TrustedKeys trustedKeys(StormproofConfig config) {
        try {
            return TrustedKeys.ofTexts(config.checking.keys());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(CheckingSettings.CHECKPOINT_KEYS + ": " + e.getMessage());
        }
    }
}
