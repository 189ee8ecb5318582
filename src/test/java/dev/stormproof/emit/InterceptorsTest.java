package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The application's interceptors act on events before they are signed, and on nothing else. */
class InterceptorsTest {
    private static final List<String> SEEN = new ArrayList<>();

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    /** Changes values and remembers what it saw. */
    public static class Shouting implements ProducerInterceptor<String, String> {
        @Override
        public ProducerRecord<String, String> onSend(ProducerRecord<String, String> record) {
            return new ProducerRecord<>(record.topic(), record.partition(), record.key(), record.value() + "!");
        }

        @Override
        public void onAcknowledgement(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
            SEEN.add(exception == null ? "arrived" : exception.getMessage());
        }

        @Override
        public void configure(Map<String, ?> configs) {
            SEEN.add("client.id " + configs.get("client.id"));
        }

        @Override
        public void close() {
            SEEN.add("closed");
        }
    }

    /** Fails at everything. */
    public static final class Failing extends Shouting {
        @Override
        public ProducerRecord<String, String> onSend(ProducerRecord<String, String> record) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void onAcknowledgement(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
            throw new IllegalStateException("on purpose");
        }
    }

    private static EmitterRig rig(Object interceptors) {
        return new EmitterRig(true, "interceptor.classes", interceptors, "client.id", "c");
    }

    @Test
    void whatAnInterceptorMakesOfARecordIsWhatIsSigned() throws Exception {
        EmitterRig rig = rig(Shouting.class.getName());
        rig.sendAll(0, "a", "b");
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a!", "b!");
        assertThat(SEEN).containsExactly("client.id c", "arrived", "arrived", "closed");
    }

    @Test
    void aFailingInterceptorStopsNothing() throws Exception {
        EmitterRig rig = rig(List.of(Failing.class.getName(), Shouting.class.getName()));
        List<String> reported = new ArrayList<>();
        Future<RecordMetadata> sent = rig.send(0, "a", (metadata, exception) -> reported.add("called back"));
        assertThat(sent.isDone()).isTrue();
        rig.producer.close();
        assertThat(rig.log(0).assertProven().texts()).containsExactly("a!");
        assertThat(reported).containsExactly("called back");
        assertThat(SEEN).contains("arrived");
    }

    @Test
    void anInterceptorHearsOfWhatIsRefused() {
        EmitterRig rig = rig(Shouting.class.getName());
        rig.inner.refusal = new TimeoutException("refused");
        Future<RecordMetadata> refused = rig.send(0, "a");
        assertThat(refused.isDone()).isTrue();
        rig.inner.refusal = null;
        rig.inner.sendException = new KafkaException("thrown");
        assertThatThrownBy(() -> rig.send(0, "b")).hasMessage("thrown");
        rig.inner.sendException = null;
        rig.producer.close();
        assertThat(SEEN).containsExactly("client.id c", "refused", "thrown", "closed");
    }
}
