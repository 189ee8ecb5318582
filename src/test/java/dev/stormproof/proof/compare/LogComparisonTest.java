package dev.stormproof.proof.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.compare.Difference.Kind;
import dev.stormproof.proof.compare.testing.LetterLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two drawn logs, a letter for a record, and what one has and the other has not. */
class LogComparisonTest {
    private static String text(Differences differences) {
        return differences.named().stream().map(LogComparisonTest::text).collect(Collectors.joining("; "));
    }

    private static String text(Difference difference) {
        return difference.kind().name().toLowerCase(Locale.ROOT)
                + " " + range(difference.source(), difference.sourceEnd())
                + "/" + range(difference.target(), difference.targetEnd());
    }

    private static String range(long begin, long end) {
        return end - begin == 1 ? "" + begin : begin + ".." + end;
    }

    private static Differences compare(String source, String target, int most) {
        return new LogComparison(LetterLog.of(source), LetterLog.of(target), most, offset -> {}).run();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ',',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "abcdef,abcdef,",
                "abcdef, a bc d ef,",
                ",,",
                "abcdef,abdef,missing 2/2..2",
                "abcdef,abef,missing 2..4/2..2",
                "abcdef,bcdef,missing 0/0..0",
                "abcdef,abcde,missing 5/5..5",
                "abcdef,,missing 0..6/0..0",
                ",abcdef,extra 0..0/0..6",
                "abcdef,abxcdef,extra 2..2/2",
                "abcdef,abccdef,extra 3..3/3",
                "abcdef,abcdefabc,extra 6..6/6..9",
                "abcdef,abxdef,missing 2/2..2; extra 3..3/2",
                "abcdef,acbdef,reordered 2/1",
                "abcdef,bcdefa,reordered 0/5",
                "abcdef,axcef,missing 1/1..1; extra 2..2/1; missing 3/3..3",
                "abab,aba,missing 3/3..3",
                "aaaa,aaa,missing 3/3..3",
                "|abc,xyzabc,extra 0..0/0..3",
                "xyz|abc,xyzabc,expired_at_source 3..3/0..3",
                "xyzabc,xyz|abc,expired_at_target 0..3/3..3",
                "xy|abc,pqabd,expired_at_source 2..2/0..2; missing 4/4..4; extra 5..5/4",
            })
    void whatDiffersIsNamedWithTheOffsetsOfBoth(String source, String target, @Nullable String differences) {
        Differences found = compare(source == null ? "" : source, target == null ? "" : target, 100);

        assertThat(text(found)).isEqualTo(differences == null ? "" : differences);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8, 64})
    void aGapLongerThanAStretchIsOneDifference(int most) {
        String all = IntStream.range(0, 300)
                .mapToObj(i -> Character.toString(0x4e00 + i))
                .collect(Collectors.joining());
        String gap = all.substring(0, 40) + all.substring(240);

        assertThat(text(compare(all, gap, most))).isEqualTo("missing 40..240/40..40");
        assertThat(text(compare(gap, all, most))).isEqualTo("extra 40..40/40..240");
        assertThat(text(compare(all, all.substring(240), most))).isEqualTo("missing 0..240/0..0");
        assertThat(text(compare(all, all + all, most))).isEqualTo("extra 300..300/300..600");
    }

    @Test
    void twoLogsWithNothingInCommonHaveEverythingMissingAndExtra() {
        String source = "abcdefghijklmnop";
        Differences found = compare(source, source.toUpperCase(Locale.ROOT), 4);

        assertThat(text(found)).isEqualTo("missing 0..16/0..0; extra 16..16/0..16");
        assertThat(found.records(Kind.MISSING)).isEqualTo(16);
        assertThat(found.same()).isZero();
    }

    @Test
    void aThousandAreNamedAndAllAreCounted() {
        List<String> all = IntStream.range(0, 5_000).mapToObj(Integer::toString).toList();
        List<String> half =
                all.stream().filter(i -> Integer.parseInt(i) % 2 == 0).toList();

        Differences found = new LogComparison(new LetterLog(all, 0), new LetterLog(half, 0), 64, offset -> {}).run();

        assertThat(found.named()).hasSize(Differences.MOST_NAMED).allMatch(one -> one.kind() == Kind.MISSING);
        assertThat(found.records(Kind.MISSING)).isEqualTo(2_500);
        assertThat(found.same()).isEqualTo(2_500);
    }

    @Test
    void whoWaitsHearsOfEachEqualRecordAndOfEachStretch() {
        List<Long> progress = new ArrayList<>();
        Differences unused = new LogComparison(LetterLog.of("abcd"), LetterLog.of("abxy"), 100, progress::add).run();

        assertThat(progress).containsExactly(0L, 1L, 4L, 4L);
    }

    @Test
    void logsThatWereReadBeforeAreComparedFromTheirBeginOn() {
        LetterLog source = LetterLog.of("abc");
        LetterLog target = LetterLog.of("abc");
        source.seek(2);
        target.seek(1);

        assertThat(new LogComparison(source, target, offset -> {}).run().same()).isEqualTo(3);
    }

    /** However the logs are cut into stretches: what is counted makes the one of the other, and logs alike have no difference. */
    @Test
    void everyRecordOfBothIsCountedOnceWhateverTheStretch() {
        SplittableRandom random = new SplittableRandom(Long.getLong("seed", 77L));
        for (int round = 0; round < 3_000; round++) {
            long seed = random.nextLong();
            assertCounted(new SplittableRandom(seed), "seed " + seed);
        }
    }

    private static void assertCounted(SplittableRandom random, String name) {
        int letters = random.nextInt(1, 60);
        List<String> source = IntStream.range(0, random.nextInt(60))
                .mapToObj(i -> random.nextInt(4) == 0 ? "" : Integer.toString(random.nextInt(letters)))
                .toList();
        List<String> target = edited(source, random);
        int most = random.nextInt(2, 30);

        Differences found =
                new LogComparison(new LetterLog(source, 0), new LetterLog(target, 0), most, offset -> {}).run();

        Map<String, Integer> surplus = counts(source);
        counts(target).forEach((record, count) -> surplus.merge(record, -count, Integer::sum));
        long missing = found.records(Kind.MISSING);
        long extra = found.records(Kind.EXTRA);
        long both = found.same() + found.records(Kind.REORDERED);
        assertThat(both + missing).as(name).isEqualTo(size(source));
        assertThat(both + extra).as(name).isEqualTo(size(target));
        assertThat(missing)
                .as(name)
                .isGreaterThanOrEqualTo(
                        surplus.values().stream().mapToInt(i -> Math.max(0, i)).sum());
        assertThat(text(found).isEmpty()).as(name).isEqualTo(records(source).equals(records(target)));
    }

    private static List<String> edited(List<String> source, SplittableRandom random) {
        List<String> target = new ArrayList<>(source);
        for (int edits = random.nextInt(6); edits > 0 && !target.isEmpty(); edits--) {
            int at = random.nextInt(target.size());
            switch (random.nextInt(5)) {
                case 0 -> target.remove(at);
                case 1 -> target.add(at, target.get(random.nextInt(target.size())));
                case 2 -> target.set(at, "x" + random.nextInt(5));
                case 3 -> target.add(random.nextInt(target.size()), target.remove(at));
                default -> target.subList(at, random.nextInt(at, target.size())).clear();
            }
        }
        return target;
    }

    private static List<String> records(List<String> log) {
        return log.stream().filter(record -> !record.isBlank()).toList();
    }

    private static int size(List<String> log) {
        return records(log).size();
    }

    private static Map<String, Integer> counts(List<String> log) {
        Map<String, Integer> counts = new HashMap<>();
        records(log).forEach(record -> counts.merge(record, 1, Integer::sum));
        return counts;
    }
}
