package dev.stormproof.alert.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the page is told of a record's bytes. */
class ReadRecordTest {
    private static JsonNode value(byte[] bytes) {
        return new ReadRecord(3, "", 5, null, List.of(), bytes).toJson().required("value");
    }

    @Test
    void ofALongValueTheFirstTwoKilobytesAreShownAndItsSizeIsSaid() {
        JsonNode long1 = value("x".repeat(1 << 20).getBytes(UTF_8));
        assertThat(long1.required("text").asText()).isEqualTo("x".repeat(ReadRecord.MOST_VALUE_BYTES));
        assertThat(long1.required("size").asInt()).isEqualTo(1 << 20);
        assertThat(value(new byte[5_000]).required("hex").asText()).hasSize(2 * ReadRecord.MOST_VALUE_BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"é", "€", "𝄞"})
    void aCharacterThatTheBoundCutsIsLeftOut(String character) {
        int bytes = character.getBytes(UTF_8).length;
        for (int before = ReadRecord.MOST_VALUE_BYTES - bytes; before <= ReadRecord.MOST_VALUE_BYTES; before++) {
            String whole = before == ReadRecord.MOST_VALUE_BYTES - bytes ? character : "";
            assertThat(value(("x".repeat(before) + character + "y").getBytes(UTF_8))
                            .required("text")
                            .asText())
                    .as("%d before", before)
                    .isEqualTo("x".repeat(before) + whole);
        }
    }

    @Test
    void whatIsNoPrintableTextIsShownAsDigits() {
        assertThat(value(new byte[] {(byte) 0xC3}).required("hex").asText()).isEqualTo("c3");
        assertThat(value("a\u001b[2J".getBytes(UTF_8)).has("hex")).isTrue();
        assertThat(value("a\u202eb".getBytes(UTF_8)).has("hex")).isTrue();
        assertThat(value("{\n\t\"a\": 1}".getBytes(UTF_8)).required("text").asText())
                .isEqualTo("{\n\t\"a\": 1}");
        assertThat(value(new byte[0]).required("text").asText()).isEmpty();
    }

    @Test
    void aKeyIsOneBoundedLineWithoutAnythingThatATerminalObeys() {
        assertThat(keyText("customer-7".getBytes(UTF_8))).isEqualTo("\"customer-7\"");
        assertThat(keyText("a\nVERIFIED".getBytes(UTF_8))).isEqualTo("\"a\\u000aVERIFIED\"");
        assertThat(keyText("a\u001b[2J".getBytes(UTF_8))).isEqualTo("0x611b5b324a");
        assertThat(keyText("x".repeat(1_000).getBytes(UTF_8)))
                .isEqualTo("\"" + "x".repeat(ReadRecord.MOST_KEY_BYTES) + "\"… (1000 bytes)");
        assertThat(keyText(null)).isEqualTo("none");
        assertThat(ReadRecord.unread(3, "the log does not hold it").keyText()).isEqualTo("the log does not hold it");
    }

    private static String keyText(byte @Nullable [] key) {
        return new ReadRecord(3, "", 5, key, List.of(), null).keyText();
    }

    @Test
    void keysAndHeadersAreBoundedToo() {
        ReadRecord.Header header = new ReadRecord.Header("n".repeat(1_000), new byte[1_000]);
        JsonNode told = new ReadRecord(3, "", 5, new byte[1_000], Collections.nCopies(100, header), null).toJson();

        assertThat(told.at("/key/hex").asText()).hasSize(2 * ReadRecord.MOST_KEY_BYTES);
        assertThat(told.required("headers")).hasSize(ReadRecord.MOST_HEADERS);
        assertThat(told.required("headerCount").asInt()).isEqualTo(100);
        assertThat(told.at("/headers/0/name/text").asText()).hasSize(ReadRecord.MOST_KEY_BYTES);
        assertThat(told.at("/headers/0/value/hex").asText()).hasSize(2 * ReadRecord.MOST_KEY_BYTES);
        assertThat(told.has("value")).isFalse();
    }
}
