package dev.stormproof.consume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.checkpoint.EventHeader;
import dev.stormproof.checkpoint.TransformedHeader;
import dev.stormproof.merkle.TreeHash;
import dev.stormproof.sign.EventSigners;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class FetchedHeadersTest {
    private static final byte[] VALUE = {1};

    private final FetchedHeaders fetched = new FetchedHeaders();

    @Test
    void whatHeadersSayIsFoundByTheSameHeadersInWhateverOrderRecordsCome() {
        Headers[] made = new Headers[1_000];
        for (int i = 0; i < made.length; i++) {
            made[i] = event(7, i);
            assertThat(fetched.deserialize("orders", made[i], VALUE)).isSameAs(VALUE);
        }

        for (int i : new int[] {500, 501, 0, 1, 999, 502}) {
            assertThat(fetched.find(made[i])).isTrue();
            assertThat(fetched.emitter()).isEqualTo(7);
            assertThat(fetched.sequence()).isEqualTo(i);
            assertThat(fetched.foundBytes()).isPositive();
        }
        assertThat(fetched.find(event(7, 3))).as("equal ones of another record").isFalse();
        fetched.clear();
        assertThat(fetched.find(made[0])).isFalse();
    }

    @Test
    void whatIsNoPlainEventIsToBeRead() {
        Headers marked = event(7, 0);
        marked.add(TransformedHeader.UNVERIFIED, VALUE);
        Headers malformed = new RecordHeaders();
        malformed.add(EventHeader.NAME, VALUE);
        for (Headers one : new Headers[] {marked, malformed, new RecordHeaders()}) {
            fetched.deserialize("orders", one, VALUE);
            assertThat(fetched.find(one)).isFalse();
        }

        fetched.read(marked);
        assertThat(fetched.isMarked()).isTrue();
        assertThat(fetched.entry()).isEqualTo(new Entry.OfEvent(7, 0));
        fetched.read(malformed);
        assertThat(fetched.isMarked()).isFalse();
        assertThat(fetched.entry()).isInstanceOf(Entry.OfStray.class);
    }

    private static Headers event(long emitter, long sequence) {
        Headers headers = new RecordHeaders();
        headers.add(
                EventHeader.NAME,
                EventHeader.encode(emitter, sequence, TreeHash.XXH3, EventSigners.XXH3_KEY_VALUE, new byte[16]));
        return headers;
    }
}
