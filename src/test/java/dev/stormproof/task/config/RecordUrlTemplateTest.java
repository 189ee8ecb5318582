package dev.stormproof.task.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code record.url.template}: which templates are taken, and what comes of them. */
class RecordUrlTemplateTest {
    private static final String KEY = AlertSettings.RECORD_URL_TEMPLATE;

    @ParameterizedTest
    @CsvSource(textBlock = """
            https://ui/clusters/x/topics/{topic}/messages?p={partition}&o={offset}, https://ui/clusters/x/topics/orders/messages?p=7&o=42
            http://[::1]:8080/#/{partition}::{offset}/{topic}/{offset}, http://[::1]:8080/#/7::42/orders/42
            HTTPS://console.example.org/topics/{topic}?p={partition}&s=1&o={offset}#messages, HTTPS://console.example.org/topics/orders?p=7&s=1&o=42#messages
            """)
    void aPlaceGetsItsAddress(String template, String address) {
        assertThat(RecordUrlTemplate.of(KEY, template).at("orders", 7, 42)).isEqualTo(address);
    }

    /** The templates of the three tools that docs/guides/monitoring.md names. */
    @Test
    void eachTemplateOfTheDocumentMakesAnAddress() throws Exception {
        String text = Files.readString(Path.of("docs/guides/monitoring.md"));
        List<String> addresses = Pattern.compile("\\| `(https://[^`]*)` \\|")
                .matcher(text)
                .results()
                .map(template -> RecordUrlTemplate.of(KEY, template.group(1)).at("orders", 7, 42))
                .toList();

        assertThat(addresses)
                .hasSize(3)
                .allSatisfy(address -> assertThat(address)
                        .matches("https://ui[.]example[.]org/.*topics?/orders.*")
                        .containsPattern("p(artitions?)?=7(&|$)")
                        .containsPattern("o(ffset)?=42(#|$)"));
    }

    @Test
    void whatStandsForAPlaceholderIsEncoded() {
        assertThat(RecordUrlTemplate.of(KEY, "https://ui/{topic}/{partition}/{offset}")
                        .at("a b/../{offset}?x=1&y=\"<$1\\ü", 0, Long.MAX_VALUE))
                .isEqualTo(
                        "https://ui/a%20b%2F..%2F%7Boffset%7D%3Fx%3D1%26y%3D%22%3C%241%5C%C3%BC/0/9223372036854775807");
    }

    @Test
    void anEmptyTemplateMakesNoAddress() {
        assertThat(RecordUrlTemplate.of(KEY, "").at("orders", 7, 42)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://ui/{topic}/{partition}",
                "https://ui/{topic}/{partition}/{offset}/{time}",
                "https://ui/{topic}/{partition}/{offset}/{}",
                "https://ui/{topic}/{partition}/{offset}/{",
                "https://ui/{topic}/{partition}/{offset} and more",
                "https://ui/ü/{topic}/{partition}/{offset}",
                "/topics/{topic}/{partition}/{offset}",
                // Only the web is linked.
                "javascript:alert('{topic}{partition}{offset}')",
                "data:text/html,{topic}{partition}{offset}",
                "file://host/{topic}/{partition}/{offset}",
                "https:{topic}/{partition}/{offset}",
                "https:///{topic}/{partition}/{offset}"
            })
    void whatIsNoTemplateIsRefused(String template) {
        assertThatThrownBy(() -> RecordUrlTemplate.of(KEY, template))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(KEY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://{topic}.example.org/{partition}/{offset}",
                "https://ui.example.org:{partition}/{topic}/{offset}",
                "https://ui{partition}/ui0/{topic}/{offset}"
            })
    void noTopicSaysWhereALinkLeads(String template) {
        assertThatThrownBy(() -> RecordUrlTemplate.of(KEY, template))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("after the host");
    }

    @Test
    void aPasswordIsRefusedAndNotRepeated() {
        assertThatThrownBy(() -> RecordUrlTemplate.of(KEY, "https://me:secret@ui/{topic}/{partition}/{offset}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("password")
                .hasMessageNotContaining("secret");
    }
}
