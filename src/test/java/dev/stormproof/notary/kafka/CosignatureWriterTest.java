package dev.stormproof.notary.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.notary.Note;
import dev.stormproof.notary.NoteState;
import dev.stormproof.notary.NoteTaking;
import dev.stormproof.notary.Origin;
import dev.stormproof.notary.testing.NotaryScene;
import dev.stormproof.sign.CheckpointKey;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cosignature that Kafka has, and one that it does not take. */
@Timeout(60)
class CosignatureWriterTest {
    private static final CheckpointKey KEY = CheckpointKey.ofPkcs8(
            "notary-1",
            HexFormat.of()
                    .parseHex("302e020100300506032b657004220420"
                            + "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"));

    private final MockProducer<byte[], byte[]> kafka = new MockProducer<>(
            false, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
    private final Note note = NoteTaking.begin(new Origin("notary-1", "c", "orders", "t", 0), 0, true)
            .note(1_700_000_000_000L, NoteState.Place.NONE, KEY)
            .note();

    private CompletableFuture<Void> write() {
        return CompletableFuture.runAsync(() -> new CosignatureWriter(kafka, "notes").accept(note, note.signed()));
    }

    /** Whoever asked the witness asks again, since this throws. */
    @Test
    void aCosignatureThatIsNotWrittenIsNotTaken() {
        CompletableFuture<Void> written = write();
        NotaryScene.await(() -> kafka.errorNext(new RecordTooLargeException("of 1 byte")));

        assertThatThrownBy(written::get)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("is not written")
                .hasRootCauseInstanceOf(RecordTooLargeException.class);
    }

    @Test
    void oneThatIsWrittenIsTaken() throws Exception {
        CompletableFuture<Void> written = write();
        NotaryScene.await(kafka::completeNext);
        written.get();

        assertThat(kafka.history()).singleElement().satisfies(record -> {
            assertThat(record.topic()).isEqualTo("notes");
            assertThat(record.key()).isEqualTo(NotesTopic.cosignedKey(note.origin()));
            assertThat(record.value()).isEqualTo(note.signed().encode());
        });
    }
}
