package dev.stormproof.alert.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.alert.dashboard.testing.Scenes;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page as text; what a browser makes of it is shown by DashboardInBrowserTest. */
class PageTest {
    private static Page of(DashboardModel picture) {
        return Page.of(picture, 1_700_000_000_000L);
    }

    private static String block(Page page, String begin, String end) {
        List<MatchResult> blocks = Pattern.compile(Pattern.quote(begin) + "(.*?)" + Pattern.quote(end), Pattern.DOTALL)
                .matcher(page.html())
                .results()
                .toList();
        assertThat(blocks).hasSize(1);
        return blocks.get(0).group(1);
    }

    @Test
    void thePolicyLetsRunWhatIsInThePageAndNothingElse() throws Exception {
        Page page = of(new DashboardModel(false));

        for (String text : List.of(block(page, "<script>", "</script>"), block(page, "<style>", "</style>"))) {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            assertThat(page.policy()).contains("'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
        }
        assertThat(page.policy()).startsWith("default-src 'none'; ").doesNotContain("unsafe", "http:", "https:", "*");
        assertThat(page.html()).contains("content=\"" + page.policy() + "\"");
        assertThat(of(new DashboardModel(false)).policy()).contains("connect-src 'none'");
        assertThat(Page.live().policy()).contains("connect-src 'self'");
    }

    @Test
    void nothingIsFetchedFromOutside() {
        String html = of(new DashboardModel(false)).html().replace("http://www.w3.org/2000/svg", "");

        assertThat(html).doesNotContain("http://", "https://", "@import", "url(", " src=");
        assertThat(Pattern.compile("href=\"([^\"]*)\"").matcher(html).results().map(link -> link.group(1)))
                .containsExactly("data:,", "#");
    }

    @Test
    void nothingOfTheLogIsMarkup() throws Exception {
        DashboardModel picture = new DashboardModel(false);
        Scenes.addMarkup(picture, 1);
        Page page = of(picture);

        assertThat(page.html()).doesNotContain("<img", "boom()</script>");
        JsonNode data =
                new ObjectMapper().readTree(block(page, "<script type=\"application/json\" id=\"data\">", "</script>"));
        assertThat(data.required("scope").asText()).isEqualTo(Scenes.MARKUP);
        assertThat(data.at("/partitions/0/topic").asText()).isEqualTo(Scenes.MARKUP);
    }

    /** The ways in which text becomes markup or code; the page's scripts use none of them. */
    @Test
    void thePagesScriptsMakeNoMarkupOfText() {
        assertThat(block(Page.live(), "<script>", "</script>"))
                .doesNotContain(
                        "innerHTML", "outerHTML",
                        "insertAdjacentHTML", "document.write",
                        "eval(", "new Function",
                        "srcdoc", "DOMParser",
                        "createContextualFragment", "javascript:");
    }

    /** WCAG 2.2, AA: 4.5 for text, 3 for what else has a meaning. */
    @ParameterizedTest
    @ValueSource(strings = {":root {", "  :root {\n    --paper: #1"})
    void coloursStandOutFromWhatTheyLieOn(String scheme) {
        String style = block(Page.live(), "<style>", "</style>");
        String rules = style.substring(style.indexOf(scheme), style.indexOf("}", style.indexOf(scheme)));
        Map<String, String> colours = Pattern.compile("--([a-z-]+): #([0-9a-f]{6});")
                .matcher(rules)
                .results()
                .collect(Collectors.toMap(colour -> colour.group(1), colour -> colour.group(2)));
        for (String ground : List.of("paper", "sheet")) {
            for (String text : List.of("ink", "soft", "verified", "violated", "inconclusive")) {
                assertThat(contrast(colours, text, ground))
                        .as("%s on %s", text, ground)
                        .isGreaterThanOrEqualTo(4.5);
            }
            for (String mark : List.of("open", "focus", "line-firm")) {
                assertThat(contrast(colours, mark, ground))
                        .as("%s on %s", mark, ground)
                        .isGreaterThanOrEqualTo(3);
            }
        }
        for (String ground : List.of("verified", "violated", "inconclusive")) {
            assertThat(contrast(colours, "on-mark", ground)).as(ground).isGreaterThanOrEqualTo(4.5);
        }
    }

    private static double contrast(Map<String, String> colours, String name, String ground) {
        double one = luminance(Objects.requireNonNull(colours.get(name)));
        double other = luminance(Objects.requireNonNull(colours.get(ground)));
        double lighter = Math.max(one, other);
        double darker = Math.min(one, other);
        return (lighter + 0.05) / (darker + 0.05);
    }

    private static double luminance(String hex) {
        double[] weights = {0.2126, 0.7152, 0.0722};
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            double part = Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16) / 255.0;
            sum += weights[i] * (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
        }
        return sum;
    }

    @Test
    void aPictureBringsWhatIsToldOfItsAlarms() throws Exception {
        DashboardModel picture = new DashboardModel(false);
        Scenes.add(picture, Scenes.verified("orders", 0, 1, 1));
        Scenes.add(picture, Scenes.violated("orders", 0, 2, false, 1));

        JsonNode data = new ObjectMapper()
                .readTree(block(of(picture), "<script type=\"application/json\" id=\"data\">", "</script>"));

        assertThat(data.required("live").asBoolean()).isFalse();
        assertThat(data.required("findings")).hasSize(1);
        assertThat(data.required("findings").elements().next().at("/data/anomalies"))
                .hasSize(4);
    }
}
