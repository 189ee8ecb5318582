package dev.stormproof.task.config;

import dev.stormproof.proof.sign.CheckpointKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.Range;

/**
 * The notarized topics, and where and by which key their notes are written.
 *
 * @param tiles the topic of the hashes of single records; empty if they are not kept
 */
public record NotarySettings(
        Set<String> topics,
        String keyId,
        Path keyFile,
        long intervalMillis,
        String notesTopic,
        Optional<String> tiles) {
    public static final String NOTARY_TOPICS = "notary.topics";
    public static final String NOTARY_KEY = "notary.key";
    public static final String NOTARY_TILES = "notary.tiles";
    public static final String NOTES_TOPIC = "notes.topic";

    static void define(Settings to) {
        to.list(NOTARY_TOPICS, List.of(), null).means("The topics to notarize; their producers need not sign.");
        to.text(NOTARY_KEY, "", null)
                .means("The file from 'key create' that signs notes, or id:file. The id, by default the file's "
                        + "name without .pem, names the trees: a new id begins new ones.");
        to.amount("notary.interval.ms", 5_000, Range.between(100, 3_600_000))
                .means("How often a note is written on a partition with new records.");
        to.text(NOTES_TOPIC, "", null).means("The topic of the notes, with retention.ms=-1.");
        to.text(NOTARY_TILES, "", null)
                .means("The compacted topic of record hashes, 32 bytes each: audits then name each record, and "
                        + "proofs outlive retention.");
    }

    static NotarySettings of(AbstractConfig values) {
        String key = values.getString(NOTARY_KEY);
        String id = Pairs.first(key);
        return new NotarySettings(
                Settings.names(values, NOTARY_TOPICS),
                id.isEmpty() ? CheckpointKey.idOf(key) : id,
                Path.of(Pairs.second(key)),
                values.getLong("notary.interval.ms"),
                values.getString(NOTES_TOPIC),
                Settings.text(values, NOTARY_TILES));
    }

    public boolean isAny() {
        return !topics.isEmpty();
    }

    void check(ConfigErrors mistakes) {
        mistakes.takeIf(
                isAny() && notesTopic.isEmpty(), NOTARY_TOPICS + " needs " + NOTES_TOPIC + ", where the notes go");
        mistakes.takeIf(
                isAny() && keyId.isEmpty(),
                NOTARY_TOPICS + " needs " + NOTARY_KEY + ", the key that signs the notes: make it with"
                        + " 'stormproof key create -o notary.pem'");
    }
}
