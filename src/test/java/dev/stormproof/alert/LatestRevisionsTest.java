package dev.stormproof.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of each subject the latest revision. */
class LatestRevisionsTest {
    private final LatestRevisions<String> latest = new LatestRevisions<>(2);

    @ParameterizedTest
    @CsvSource({
        "1, 2, true,  second", // final after open
        "2, 2, false, first", //  once more
        "2, 1, false, first", //  late
    })
    void aLaterRevisionReplacesAnEarlierOne(int first, int second, boolean news, String kept) {
        assertThat(latest.put("a", first, "first")).isTrue();
        assertThat(latest.isNews("a", second)).isEqualTo(news);
        assertThat(latest.put("a", second, "second")).isEqualTo(news);
        assertThat(latest.get("a")).contains(kept);
        assertThat(latest.size()).isEqualTo(1);
    }

    @Test
    void subjectsAreIndependent() {
        latest.put("a", 3, "a");
        assertThat(latest.get("b")).isEmpty();
        assertThat(latest.put("b", 1, "b")).isTrue();
        assertThat(latest.get("a")).contains("a");
    }

    @Test
    void aSubjectThatIsRemovedIsNew() {
        latest.put("a", 2, "a");
        latest.put("b", 2, "b");
        assertThat(latest.values()).containsExactly("a", "b");
        latest.remove("a");
        assertThat(latest.values()).containsExactly("b");
        assertThat(latest.isNews("a", 1)).isTrue();
    }

    @Test
    void beyondTheBoundTheSubjectOfLongestAgoIsForgotten() {
        latest.put("a", 3, "a");
        latest.put("b", 3, "b");
        assertThat(latest.isNews("a", 3)).as("asked for again").isFalse();
        latest.put("c", 3, "c");
        assertThat(latest.size()).isEqualTo(2);
        assertThat(latest.get("b")).isEmpty();
        assertThat(latest.get("a")).contains("a");
        assertThat(latest.isNews("b", 1)).isTrue();
    }

    @Test
    void beyondTheBytesTheSubjectOfLongestAgoIsForgotten() {
        LatestRevisions<String> bounded = new LatestRevisions<>(100, 10, String::length);
        bounded.put("a", 1, "1234");
        bounded.put("b", 1, "1234");
        assertThatCode(() -> bounded.put("a", 2, "123456")).doesNotThrowAnyException();
        assertThat(bounded.values()).as("ten").containsExactly("1234", "123456");
        bounded.put("c", 1, "1");
        assertThat(bounded.values()).as("eleven").containsExactly("123456", "1");
        bounded.remove("a");
        bounded.put("d", 1, "123456789");
        assertThat(bounded.values()).as("ten again").containsExactly("1", "123456789");
        bounded.put("e", 1, "12345678901");
        assertThat(bounded.values()).as("more than fits").isEmpty();
        bounded.put("f", 1, "1234567890");
        assertThat(bounded.values()).containsExactly("1234567890");
    }
}
