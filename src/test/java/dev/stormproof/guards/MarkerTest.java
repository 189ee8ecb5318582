package dev.stormproof.guards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a marker does to the code that follows. */
class MarkerTest {
    private static String without(String change, String code) {
        String marker = "  // guard: some-id" + (change.isEmpty() ? "" : ": " + change) + "\n";
        String source = "before();\n" + marker + "  " + code + "\nafter();\n";
        String changed = Marker.parse(Path.of("x"), marker.stripTrailing()).takenOutOf(source);
        assertThat(changed).startsWith("before();\n" + marker).endsWith("\nafter();\n");
        return changed.substring(changed.indexOf(marker) + marker.length(), changed.length() - "\nafter();\n".length())
                .strip();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '►', textBlock = """
            note(a, "); {"); more();           ► ; more();
            a = b(c -> { d(); });              ► ;
            if (a && b(c)) { d(); }            ► if (false) { d(); }
            } else if (a) {                    ► } else if (false) {
            .filter(a -> b(a)).map(c);         ► .map(c);
            || a.b(c || d) && e || f) {        ► || f) {
            || a.b()) {                        ► ) {
            && a || b) {                       ► || b) {
            """)
    void withNothingBehindTheIdWhatFollowsIsGone(String code, String left) {
        assertThat(without("", code)).isEqualTo(left);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '►', textBlock = """
            return a ? b : c;                  ► return true;
            boolean a = b >= c && d == e;      ► boolean a = true;
            a = b -> c;                        ► a = true;
            default -> b();                    ► default -> true;
            } else if (a.b(c)) {               ► } else if (true) {
            """)
    void aValueStandsInThePlaceOfAnother(String code, String left) {
        assertThat(without("true", code)).isEqualTo(left);
    }

    @Test
    void aPartIsReplacedWhateverItsWhiteSpace() {
        assertThat(without("a b => c -> d", "f(a\n    b, ab);")).isEqualTo("f(c -> d, ab);");
        assertThat(without("without && a.b", "if (c && a.b && a.bc) {")).isEqualTo("if (c  && a.bc) {");
    }

    @Test
    void severalMarkersMayStandAboveOneLine() {
        assertThat(without("a => b", "// guard: other: c\n  return a;")).endsWith("return b;");
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> without("a => b", "f(a, a);")).hasMessageContaining("stands 2 times");
        assertThatThrownBy(() -> without("a => b", "f(c);\ng(a);")).hasMessageContaining("stands 0 times");
        assertThatThrownBy(() -> without("true", "f(c);")).hasMessageContaining("no value");
        assertThatThrownBy(() -> without("true", "return true;")).hasMessageContaining("changes nothing");
        assertThatThrownBy(() -> without("", "catch (E e) {")).hasMessageContaining("nothing that could be left out");
        assertThatThrownBy(() -> without("", "// A comment.\n  f();")).hasMessageContaining("not before a comment");
        assertThatThrownBy(() -> Marker.parse(Path.of("x"), "f(); // guard: a")).hasMessageContaining("no marker");
        assertThatThrownBy(() -> Marker.parse(Path.of("x"), "// guard: A_b")).hasMessageContaining("no marker");
    }
}
