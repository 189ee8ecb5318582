package dev.stormproof.proof.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.sign.ByteSlice;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A record that lies in the middle of an array is read as one that has arrays of its own. */
class RecordInArrayTest {
    private static final int RECORDS = 20_000;

    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final LogRecordParser parser = new LogRecordParser(
            new Origins(Map.of("copy", "orders"), Map.of()),
            Format1Expected.everywhere(),
            List.of(new Sum()),
            new CheckpointVerifier(TrustedKeys.none()));

    /** A signature that an application supplies, of a size that follows from the event. */
    private static final class Sum implements EventSigner {
        @Override
        public byte id() {
            return (byte) 200;
        }

        @Override
        public int sizeBytes() {
            return 2;
        }

        @Override
        public void sign(byte[] value, byte[] out, int outBegin) {
            out[outBegin] = (byte) Arrays.hashCode(value);
        }

        @Override
        public Hash sign(byte @Nullable [] key, byte @Nullable [] value) {
            return Hash.copyOf(new byte[] {(byte) Arrays.hashCode(key), (byte) Arrays.hashCode(value)});
        }
    }

    private byte[] bytes(int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte @Nullable [] bytesOrNull() {
        return random.nextInt(4) == 0 ? null : bytes(70);
    }

    /** The header of an event that is mostly as stated, with a byte changed now and then. */
    private byte[] header(byte @Nullable [] key, byte @Nullable [] value) {
        int algorithm = List.of(3, 4, 200, 201).get(random.nextInt(4));
        Hash signature = EventSigners.ofId(algorithm)
                .orElse(algorithm == 200 ? new Sum() : new Sha256Signer())
                .sign(key, value);
        EventHeader stated = new EventHeader(7, random.nextInt(300), TreeHash.XXH3, algorithm, signature);
        byte[] header = stated.encode();
        if (random.nextInt(3) == 0) {
            header[random.nextInt(header.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return random.nextInt(20) == 0 ? Arrays.copyOf(header, random.nextInt(header.length + 3)) : header;
    }

    private Map<String, byte[]> headers(byte @Nullable [] key, byte @Nullable [] value) {
        Map<String, byte[]> headers = new HashMap<>();
        if (random.nextInt(10) > 0) {
            headers.put(EventHeader.NAME, header(key, value));
        }
        if (random.nextInt(10) == 0) {
            headers.put(Format1Expected.HEADER, bytes(50));
        }
        if (random.nextInt(5) == 0) {
            int algorithm = random.nextBoolean() ? EventSigners.SHA256_KEY_VALUE : EventSigners.XXH3_KEY_VALUE;
            Hash made = EventSigners.ofId(algorithm).orElseThrow().sign(key, random.nextInt(2) == 0 ? value : bytes(5));
            headers.put(
                    TransformedHeader.NAME, new TransformedHeader(1, algorithm, made, Hash.copyOf(bytes(40))).encode());
        }
        if (random.nextInt(30) == 0) {
            headers.put(Format2Checkpoint.HEADER, bytes(100));
        }
        return headers;
    }

    private void place(ByteSlice slice, byte @Nullable [] bytes) {
        if (bytes == null) {
            slice.setNull();
            return;
        }
        int begin = random.nextInt(9);
        byte[] array = new byte[begin + bytes.length + random.nextInt(9)];
        random.nextBytes(array);
        System.arraycopy(bytes, 0, array, begin, bytes.length);
        slice.set(array, begin, bytes.length);
    }

    private LogRecordParser.Headers placed(Map<String, byte[]> headers) {
        return new LogRecordParser.Headers() {
            @Override
            public byte @Nullable [] last(String name) {
                return headers.get(name);
            }

            @Override
            public boolean find(HeaderName name, ByteSlice value) {
                place(value, headers.get(name.toString()));
                return !value.isNull();
            }
        };
    }

    @Test
    void itIsReadAsOneWithArraysOfItsOwn() {
        ByteSlice key = new ByteSlice();
        ByteSlice value = new ByteSlice();
        int intact = 0;
        for (int i = 0; i < RECORDS; i++) {
            byte[] keyBytes = bytesOrNull();
            byte[] valueBytes = bytesOrNull();
            String topic = random.nextInt(3) == 0 ? "copy" : "orders";
            Map<String, byte[]> headers = headers(keyBytes, valueBytes);
            LogRecord whole = parser.parse(topic, 0, i, 7, keyBytes, valueBytes, headers::get, null);
            place(key, keyBytes);
            place(value, valueBytes);
            LogRecord inPlace = parser.parseInPlace(topic, 0, i, 7, key, value, placed(headers), null);
            assertThat(inPlace).as("seed %d, record %d", seed, i).isEqualTo(whole);
            if (inPlace instanceof Event event && event.intact()) {
                intact++;
                assertThat(event.stated()).isEqualTo(event.observed());
            }
        }
        assertThat(intact).isGreaterThan(RECORDS / 5);
    }

    @Test
    void anIntactEventHoldsOneSignatureOnly() {
        byte[] value = bytes(9);
        Hash signature = new Sha256Signer().sign(null, value);
        byte[] header = new EventHeader(7, 1, TreeHash.XXH3, EventSigners.SHA256_KEY_VALUE, signature).encode();
        Event event = (Event) parser.parse("orders", 0, 0, 7, null, value, Map.of(EventHeader.NAME, header)::get, null);
        assertThat(event.observed()).isSameAs(event.stated());
    }
}
