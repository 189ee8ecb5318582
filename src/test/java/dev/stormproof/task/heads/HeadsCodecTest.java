package dev.stormproof.task.heads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.fold.Head;
import dev.stormproof.verify.fold.SavedStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** The records of heads, held to a golden one too. */
class HeadsCodecTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 3);
    private static final long EMITTER = 0x0123456789abcdefL;
    private static final byte[] KEY = HeadsCodec.key(ORDERS, EMITTER);

    /** A stream's beginning and its first checkpoint, as the golden record has them. */
    private static final SavedStream EXAMPLE = new SavedStream(
            EMITTER,
            List.of(
                    new Head(99, -1, 0, Hash.empty(), 0, false, "", -1, 100, true, true),
                    new Head(
                            100,
                            0,
                            0,
                            Hash.fromHex("196453d2dad7c110"),
                            10_000,
                            false,
                            "billing",
                            1_700_000_000_000L,
                            100,
                            true,
                            true)),
            true,
            false,
            false,
            true,
            List.of(new SavedStream.Dropped(103, Hash.fromHex("0001020304050607"))));

    private static final long TOPIC_ID = 0x8c1f00d2a7e3b549L;

    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());

    @Test
    void theGoldenRecordIsWrittenAndRead() throws Exception {
        assertThat(KEY).isEqualTo(example("key"));
        byte[] value = HeadsCodec.value(KEY, new HeadsCodec.Value(TOPIC_ID, EXAMPLE));
        assertThat(HexFormat.of().formatHex(value)).isEqualTo(HexFormat.of().formatHex(example("value")));
        assertThat(HeadsCodec.readKey(KEY)).isEqualTo(new HeadsCodec.Key(ORDERS, EMITTER));
        assertThat(HeadsCodec.readValue(KEY, value)).isEqualTo(new HeadsCodec.Value(TOPIC_ID, EXAMPLE));
    }

    @Test
    void everythingThatIsWrittenIsReadAgain() throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 2_000; i++) {
            SavedStream stream = DrawnStreams.stream(random.nextLong(), random);
            byte[] key = HeadsCodec.key(ORDERS, stream.emitter());
            assertThat(HeadsCodec.readKey(key)).isEqualTo(new HeadsCodec.Key(ORDERS, stream.emitter()));
            HeadsCodec.Value value = new HeadsCodec.Value(random.nextLong(), stream);
            assertThat(HeadsCodec.readValue(key, HeadsCodec.value(key, value)))
                    .as("-Dseed=%s", seed)
                    .isEqualTo(value);
        }
    }

    @Test
    void theLargestValueFitsAndNothingLargerIsRead() throws Exception {
        Head head = new Head(
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Hash.copyOf(new byte[32]),
                Long.MAX_VALUE,
                true,
                "n".repeat(255),
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                true,
                true);
        SavedStream largest = new SavedStream(
                -1,
                Collections.nCopies(SavedStream.MOST_HEADS, head),
                true,
                true,
                true,
                true,
                Collections.nCopies(
                        SavedStream.MOST_DROPPED, new SavedStream.Dropped(Long.MAX_VALUE, Hash.copyOf(new byte[32]))));
        byte[] key = HeadsCodec.key(new TopicPartition("t".repeat(249), Integer.MAX_VALUE), -1);
        byte[] value = HeadsCodec.value(key, new HeadsCodec.Value(-1, largest));

        assertThat(value).hasSize(HeadsCodec.MAX_BYTES);
        assertThat(HeadsCodec.readValue(key, value).stream()).isEqualTo(largest);
        assertThatThrownBy(() -> HeadsCodec.readValue(key, Arrays.copyOf(value, HeadsCodec.MAX_BYTES + 1)))
                .hasMessage("at byte 3376, end: got 3377 bytes, want at most 3376");
    }

    @Test
    void everyFieldOutOfItsBoundsIsRefusedWithItsName() {
        refused(0, 2, "at byte 0, version: got 2, want 1");
        refused(1, 16, "at byte 1, flags: got 16, want 0 to 15");
        refused(10, 0, "at byte 10, count of heads: got 0, want 1 to 8");
        refused(10, 9, "at byte 10, count of heads: got 9, want 1 to 8");
        refused(10, 1, "at byte 72, end: got 74 more bytes, want the end");
        refused(11, 17, "at byte 11, count of dropped checkpoints: got 17, want 0 to 16");
        refused(11, 2, "at byte 146, offset of a dropped checkpoint: got the end after 0 bytes, want 8 bytes");
        refused(12, 0x80, "at byte 12, offset: got -9223372036854775709, want at least -1");
        refused(20, 0xfe, "at byte 20, number: got -72057594037927937, want at least -1");
        refused(28, 0x80, "at byte 28, next sequence: got -9223372036854775808, want at least 0");
        refused(36, 0x80, "at byte 36, promise: got -9223372036854775808, want at least 0");
        refused(52, 0x80, "at byte 52, first offset: got -9223372036854775708, want at least -1");
        refused(60, 8, "at byte 60, flags of head: got 8, want 0 to 7");
        refused(61, 33, "at byte 61, size of hash: got 33, want 0 to 32");
        refused(113, 255, "at byte 122, emitter's name: got the end after 24 bytes, want 255 bytes");
        refused(122, 0xff, "at byte 122, emitter's name: got bytes that are no UTF-8, want UTF-8");
        refused(137, 33, "at byte 137, size of hash: got 33, want 0 to 32");
        assertThatThrownBy(() -> HeadsCodec.readValue(KEY, new byte[3]))
                .hasMessage("at byte 0, checksum: got another, want that of the key and all bytes before it");
    }

    @Test
    void aKeyThatIsNoneIsRefused() {
        refusedKey("", "at byte 0, version: got the end after 0 bytes, want 1 bytes");
        refusedKey("02", "at byte 0, version: got 2, want 1");
        refusedKey("0180000000", "at byte 1, partition: got -2147483648, want at least 0");
        refusedKey("010000000001", "at byte 5, emitter id: got the end after 1 bytes, want 8 bytes");
        refusedKey("01000000000000000000000000", "at byte 13, topic: got 0 bytes, want the name of a topic");
        refusedKey("010000000000000000000000002f", "at byte 13, topic: got 1 bytes, want the name of a topic");
    }

    @Test
    void everyBitCountsAndEveryCutIsSeen() {
        byte[] value = HeadsCodec.value(KEY, new HeadsCodec.Value(TOPIC_ID, EXAMPLE));
        for (int bit = 0; bit < 8 * value.length; bit++) {
            byte[] damaged = value.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> HeadsCodec.readValue(KEY, damaged)).isInstanceOf(MalformedHeadsException.class);
        }
        for (int size = 0; size < value.length; size++) {
            byte[] cut = Arrays.copyOf(value, size);
            assertThatThrownBy(() -> HeadsCodec.readValue(KEY, cut)).isInstanceOf(MalformedHeadsException.class);
        }
        byte[] other = HeadsCodec.key(ORDERS, EMITTER + 1);
        assertThatThrownBy(() -> HeadsCodec.readValue(other, value)).hasMessageContaining("checksum");
    }

    /** Bytes at random, and records that were changed at random, with a checksum that fits. */
    @Test
    void whateverIsReadIsWrittenAgainAsTheSameBytes() {
        SplittableRandom random = new SplittableRandom(seed);
        int read = 0;
        for (int i = 0; i < 40_000; i++) {
            byte[] value;
            if (random.nextInt(4) == 0) {
                value = new byte[random.nextInt(200)];
                random.nextBytes(value);
            } else {
                value = HeadsCodec.value(
                        KEY, new HeadsCodec.Value(random.nextLong(), DrawnStreams.stream(EMITTER, random)));
                for (int change = random.nextInt(4); change > 0; change--) {
                    value[random.nextInt(value.length)] = (byte) random.nextInt();
                }
                if (random.nextInt(4) == 0) {
                    value = Arrays.copyOf(value, random.nextInt(value.length + 20));
                }
            }
            fitted(value);
            try {
                HeadsCodec.Value is = HeadsCodec.readValue(KEY, value);
                assertThat(HeadsCodec.value(KEY, is)).as("-Dseed=%s", seed).isEqualTo(value);
                read++;
            } catch (MalformedHeadsException refused) {
                assertThat(refused).hasMessageMatching("at byte \\d+, [a-z' ]+: got .+, want .+");
            }
        }
        assertThat(read).isGreaterThan(4_000);
    }

    @Test
    void whatCouldNotBeReadIsNotWritten() {
        assertThatThrownBy(() -> written(head(-2, "", 0))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> written(head(0, "n".repeat(256), 0))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> written(head(0, "\ud800", 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("read as another");
        assertThatThrownBy(() -> written(head(0, "", 33))).isInstanceOf(IllegalArgumentException.class);
    }

    private static byte[] written(Head head) {
        return HeadsCodec.value(
                KEY,
                new HeadsCodec.Value(0, new SavedStream(EMITTER, List.of(head), true, false, false, false, List.of())));
    }

    private static Head head(long offset, String name, int hashBytes) {
        return new Head(offset, 0, 0, Hash.copyOf(new byte[hashBytes]), 0, false, name, 0, 0, true, true);
    }

    private static void refused(int at, int value, String message) {
        byte[] bytes = HeadsCodec.value(KEY, new HeadsCodec.Value(TOPIC_ID, EXAMPLE));
        bytes[at] = (byte) value;
        fitted(bytes);
        assertThatThrownBy(() -> HeadsCodec.readValue(KEY, bytes))
                .isInstanceOf(MalformedHeadsException.class)
                .hasMessage(message);
    }

    private static void refusedKey(String hex, String message) {
        assertThatThrownBy(() -> HeadsCodec.readKey(HexFormat.of().parseHex(hex)))
                .isInstanceOf(MalformedHeadsException.class)
                .hasMessage(message);
    }

    private static void fitted(byte[] value) {
        if (value.length >= HeadsCodec.CHECKSUM_BYTES) {
            CRC32C crc = new CRC32C();
            crc.update(KEY);
            crc.update(value, 0, value.length - HeadsCodec.CHECKSUM_BYTES);
            ByteBuffer.wrap(value).putInt(value.length - HeadsCodec.CHECKSUM_BYTES, (int) crc.getValue());
        }
    }

    private static byte[] example(String name) throws IOException {
        String document = Files.readString(Path.of("src/test/resources/heads.md"));
        String begin = "```hex " + name + "\n";
        int at = document.indexOf(begin) + begin.length();
        return HexFormat.of()
                .parseHex(document.substring(at, document.indexOf("```", at))
                        .replaceAll("#[^\\n]*", "")
                        .replaceAll("\\s+", ""));
    }
}
