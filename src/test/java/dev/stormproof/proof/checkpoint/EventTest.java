package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.CheckpointFields;
import dev.stormproof.testing.StreamRecords;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a record says of itself; {@code -} is the content of an algorithm that is unknown here. */
class EventTest {
    @ParameterizedTest
    @CsvSource({
        // content,      observed, intact, contradicts its header, as made
        "UNTRANSFORMED, a1,       true,   false,                  true",
        "UNTRANSFORMED, b2,       false,  true,                   true",
        "UNTRANSFORMED, -,        false,  false,                  true",
        "AS_MADE,       a1,       true,   false,                  true",
        "AS_MADE,       b2,       false,  true,                   true",
        "ALTERED,       a1,       false,  true,                   false",
        "ALTERED,       -,        false,  true,                   false",
        "DIVERTED,      b2,       false,  false,                  false",
    })
    void anEventIsComparedWithItsHeader(
            Event.Content content, String observed, boolean intact, boolean contradicts, boolean asMade) {
        Event event = event(content, observed.equals("-") ? Hash.empty() : Hash.fromHex(observed));
        assertThat(event.intact()).isEqualTo(intact);
        assertThat(event.contradictsItsHeader()).isEqualTo(contradicts);
        assertThat(event.isAsMade()).isEqualTo(asMade);
    }

    @ParameterizedTest
    @CsvSource({"XXH3, 4, true", "SHA256, 4, false", "XXH3, 3, false"})
    void anEventIsMadeAsACheckpointOfItsAlgorithms(TreeHash treeHash, int algorithm, boolean expected) {
        Format2Checkpoint checkpoint = CheckpointFields.checkpoint(new StreamId("orders", 0, 5), c -> {
            c.treeHash = treeHash;
            c.signatureAlgorithm = algorithm;
            c.signatureSizeBytes = EventSigners.sizeOf(algorithm);
            c.root = Hash.copyOf(new byte[treeHash.sizeBytes()]);
        });
        assertThat(event(Event.Content.UNTRANSFORMED, Hash.empty()).isMadeAs(checkpoint))
                .isEqualTo(expected);
    }

    private static Event event(Event.Content content, Hash observed) {
        return StreamRecords.event(0, 5, 0, EventSigners.XXH3_KEY_VALUE, Hash.fromHex("a1"), observed, content);
    }
}
