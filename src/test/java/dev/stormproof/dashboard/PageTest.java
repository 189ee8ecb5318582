package dev.stormproof.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.dashboard.testing.Scenes;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page as text; what a browser makes of it is shown by DashboardInBrowserTest. */
class PageTest {
    private static Page of(Picture picture) {
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
        Page page = of(new Picture(false));

        for (String text : List.of(block(page, "<script>", "</script>"), block(page, "<style>", "</style>"))) {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            assertThat(page.policy()).contains("'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
        }
        assertThat(page.policy()).startsWith("default-src 'none'; ").doesNotContain("unsafe", "http:", "https:", "*");
        assertThat(page.html()).contains("content=\"" + page.policy() + "\"");
        assertThat(of(new Picture(false)).policy()).contains("connect-src 'none'");
        assertThat(Page.live().policy()).contains("connect-src 'self'");
    }

    @Test
    void nothingIsFetchedFromOutside() {
        String html = of(new Picture(false)).html().replace("http://www.w3.org/2000/svg", "");

        assertThat(html).doesNotContain("http://", "https://", "@import", "url(", " src=");
        assertThat(Pattern.compile("href=\"([^\"]*)\"").matcher(html).results().map(link -> link.group(1)))
                .containsExactly("data:,");
    }

    @Test
    void nothingOfTheLogIsMarkup() throws Exception {
        Picture picture = new Picture(false);
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
                        "innerHTML",
                        "outerHTML",
                        "insertAdjacentHTML",
                        "document.write",
                        "eval(",
                        "new Function",
                        "srcdoc",
                        "DOMParser",
                        "createContextualFragment",
                        "javascript:");
    }

    @Test
    void aPictureBringsWhatIsToldOfItsAlarms() throws Exception {
        Picture picture = new Picture(false);
        picture.add(Scenes.verified("orders", 0, 1, 1));
        picture.add(Scenes.violated("orders", 0, 2, false, 1));

        JsonNode data = new ObjectMapper()
                .readTree(block(of(picture), "<script type=\"application/json\" id=\"data\">", "</script>"));

        assertThat(data.required("live").asBoolean()).isFalse();
        assertThat(data.required("findings")).hasSize(1);
        assertThat(data.required("findings").elements().next().at("/data/anomalies"))
                .hasSize(4);
    }
}
