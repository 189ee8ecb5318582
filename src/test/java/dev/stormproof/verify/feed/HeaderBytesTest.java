package dev.stormproof.verify.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.HeaderName;
import dev.stormproof.proof.sign.ByteSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The headers of a record in one array say what Kafka's own do. */
class HeaderBytesTest {
    private static final List<String> NAMES = List.of("", "a", "ab", "nämé", "sp-e");

    private final long seed = Long.getLong("seed", new SplittableRandom().nextLong());

    private static HeaderBytes of(Iterable<Header> headers) {
        return HeaderBytes.of(headers, Header::key, Header::value);
    }

    private static List<Map.Entry<String, String>> all(HeaderBytes headers) {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        headers.forEach((name, value) -> all.add(Map.entry(name, text(value))));
        return all;
    }

    private static String text(byte @Nullable [] value) {
        return value == null ? "null" : "'" + new String(value, UTF_8) + "'";
    }

    private static void assertSame(HeaderBytes ours, RecordHeaders theirs, String as) {
        ByteSlice slice = new ByteSlice();
        slice.set(new byte[] {1});
        for (String name : NAMES) {
            Header last = theirs.lastHeader(name);
            byte[] expected = last == null ? null : last.value();
            assertThat(ours.last(name)).as(as).isEqualTo(expected);
            assertThat(ours.find(new HeaderName(name), slice)).as(as).isEqualTo(expected != null);
            assertThat(slice.isNull() ? null : slice.toByteArray()).as(as).isEqualTo(expected);
            RecordHeaders others = new RecordHeaders(theirs);
            others.remove(name);
            assertThat(all(ours.without(new HeaderName(name)))).as(as).isEqualTo(all(of(others)));
        }
        List<Map.Entry<String, String>> each = new ArrayList<>();
        theirs.forEach(header -> each.add(Map.entry(header.key(), text(header.value()))));
        assertThat(all(ours)).as(as).isEqualTo(each);
    }

    @Test
    void ofManyHeadersTheLastOfEachNameIsFound() {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 2_000; i++) {
            RecordHeaders theirs = new RecordHeaders();
            for (int count = random.nextInt(6); count > 0; count--) {
                byte[] value = random.nextInt(4) == 0 ? null : new byte[random.nextInt(5)];
                theirs.add(new RecordHeader(NAMES.get(random.nextInt(NAMES.size())), value));
            }
            String as = "-Dseed=" + seed + ", " + i;
            assertSame(of(theirs), theirs, as);
            assertSame(HeaderBytes.ofEncoded(of(theirs).encoded()), theirs, as);
        }
    }

    @Test
    void withOthersBehindThemTheyAreThoseInTheirOrder() {
        RecordHeaders theirs = new RecordHeaders();
        theirs.add("a", new byte[] {1}).add("ab", null);
        HeaderBytes ours = of(theirs).plus("a", new byte[] {2}).plus(of(new RecordHeaders().add("nämé", new byte[0])));
        theirs.add("a", new byte[] {2}).add("nämé", new byte[0]);
        assertSame(ours, theirs, "joined");
        assertThat(ours.plus(HeaderBytes.NONE)).isSameAs(ours);
    }

    @Test
    void aValueMayHaveAnySize() {
        for (int size : new int[] {255, 256, 65_535, 65_536, 1 << 24}) {
            HeaderBytes ours = HeaderBytes.NONE.plus("a", new byte[size]).plus("b", new byte[] {7});
            assertThat(Objects.requireNonNull(ours.last("a"))).hasSize(size);
            assertThat(ours.last("b")).containsExactly(7);
        }
    }

    @Test
    void withoutHeadersThereIsNothing() {
        assertThat(of(new RecordHeaders())).isSameAs(HeaderBytes.NONE);
        assertThat(HeaderBytes.ofEncoded(new byte[0])).isSameAs(HeaderBytes.NONE);
        assertThat(HeaderBytes.NONE.last("a")).isNull();
    }
}
