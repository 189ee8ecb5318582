package dev.stormproof.notary.kafka;

import dev.stormproof.notary.Note;
import dev.stormproof.notary.SignedNote;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/**
 * A writer of notes that a witness cosigned. It waits until Kafka has each, and throws if that fails: what is taken is not asked for
 * again.
 */
final class CosignatureWriter implements BiConsumer<Note, SignedNote> {
    private final Producer<byte[], byte[]> producer;
    private final String topic;

    CosignatureWriter(Producer<byte[], byte[]> producer, String topic) {
        this.producer = producer;
        this.topic = topic;
    }

    @Override
    public void accept(Note note, SignedNote cosigned) {
        Future<?> written =
                producer.send(new ProducerRecord<>(topic, NotesTopic.cosignedKey(note.origin()), cosigned.encode()));
        try {
            written.get();
        } catch (ExecutionException e) {
            throw new KafkaException("a cosignature on " + note.origin() + " is not written", e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
