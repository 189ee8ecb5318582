package dev.stormproof.task.transform;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.verify.feed.HeaderBytes;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogLineToJsonTest {

    private final LogLineToJson transform = new LogLineToJson();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    081109 203615 148 INFO dfs.DataNode: written          | 2008-11-09T20:36:15     | INFO
                    081109 203615 INFO dfs.DataNode: written              | 2008-11-09T20:36:15     | INFO
                    2015-07-29 17:41:44,747 - INFO  [main] - started      | 2015-07-29T17:41:44.747 | INFO
                    2015-07-29 17:41:00 WARN started                      | 2015-07-29T17:41:00     | WARN
                    2015-07-29T17:41:44.747123 ERROR [x] - started        | 2015-07-29T17:41:44.747123 | ERROR
                    [Sun Dec 04 04:47:44 2005] [error] no such file       | 2005-12-04T04:47:44     | ERROR
                    [Thu Dec  1 04:47:44 2005] [notice] all is well       | 2005-12-01T04:47:44     | NOTICE
                    """)
    void findsTimeAndLevel(String line, String time, String level) throws IOException {
        JsonNode json = json(line);

        assertThat(json.get("time").asText()).isEqualTo(time);
        assertThat(json.get("level").asText()).isEqualTo(level);
        assertThat(json.has("timeWithoutYear")).isFalse();
        assertThat(json.get("line").asText()).isEqualTo(line);
    }

    @ParameterizedTest
    @CsvSource({
        "Dec 10 06:55:46 host sshd[1]: closed, 12-10T06:55:46",
        "Dec  1 06:55:46 host sshd[1]: closed, 12-01T06:55:46",
        "Feb 29 06:55:46 host sshd[1]: closed, 02-29T06:55:46"
    })
    void doesNotInventTheYearOfALineWithoutOne(String line, String time) throws IOException {
        JsonNode json = json(line);

        assertThat(json.get("timeWithoutYear").asText()).isEqualTo(time);
        assertThat(json.has("time")).isFalse();
        assertThat(json.has("level")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "2015-02-30 17:41:44 INFO no such day",
        "2015-07-29 25:41:44 INFO no such hour",
        "081399 203615 148 INFO no such month",
        "Feb 30 06:55:46 host: no such day",
        "INFO no time",
        "12345",
        "''"
    })
    void leavesOutATimeThatCannotBe(String line) throws IOException {
        JsonNode json = json(line);

        assertThat(json.has("time")).isFalse();
        assertThat(json.has("timeWithoutYear")).isFalse();
        assertThat(json.get("line").asText()).isEqualTo(line);
    }

    @Test
    void aTimeWithoutALevelIsStillATime() throws IOException {
        JsonNode json = json("2015-07-29 17:41:44 started");

        assertThat(json.get("time").asText()).isEqualTo("2015-07-29T17:41:44");
        assertThat(json.has("level")).isFalse();
    }

    @Test
    void saysWhereTheLineLies() throws IOException {
        JsonNode json = json("x");

        assertThat(json.get("topic").asText()).isEqualTo("log");
        assertThat(json.get("partition").asInt()).isEqualTo(2);
        assertThat(json.get("offset").asLong()).isEqualTo(17);
    }

    @Test
    void quotesAndLineBreaksSurvive() throws IOException {
        String line = "a \"quoted\" \\ line\n\twith ünïcode \u0000 ✓";

        assertThat(json(line).get("line").asText()).isEqualTo(line);
    }

    @Test
    void bytesThatAreNoTextAreKeptAsBytes() throws IOException {
        byte[] value = {(byte) 0xff, 0, 1};

        JsonNode json = parse(made(value));

        assertThat(json.has("line")).isFalse();
        assertThat(json.get("bytes").binaryValue()).isEqualTo(value);
        assertThat(json("after").get("line").asText()).isEqualTo("after");
    }

    @Test
    void aTombstoneStaysATombstone() throws IOException {
        assertThat(made(null)).isNull();
    }

    private byte @Nullable [] made(byte @Nullable [] value) throws IOException {
        return transform
                .apply(new InputEvent("log", 2, 17, 5, null, value, HeaderBytes.NONE))
                .value();
    }

    private JsonNode json(String line) throws IOException {
        return parse(made(line.getBytes(UTF_8)));
    }

    private static JsonNode parse(byte @Nullable [] json) throws IOException {
        return new ObjectMapper().readTree(Objects.requireNonNull(json));
    }
}
