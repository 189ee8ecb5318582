package dev.stormproof.detection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.stormproof.detection.Trials.Outcome;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Seed;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.proof.tree.TreeHasher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("full")
class DetectionTest {
    private static final int MAX_COUNT = 40;

    private final Seed seed = Seed.next();
    private final SplittableRandom random = seed.random();

    @ParameterizedTest
    @EnumSource(TreeHash.class)
    void aPlantedTreeIsThatOfItsLeaves(TreeHash treeHash) {
        TrialTree tree = new TrialTree(treeHash, Signatures.RANDOM, MAX_COUNT);
        for (int count = 1; count <= MAX_COUNT; count++) {
            tree.plant(count, random);
            assertThat(tree.intactRoot()).as(seed + ", %d leaves", count).isEqualTo(rootOfMessages(treeHash, tree));
            assertThat(tree.struckRoot()).isEqualTo(tree.intactRoot());
        }
    }

    private static Hash rootOfMessages(TreeHash treeHash, TrialTree tree) {
        Interval interval = new Interval(treeHash, 0, false);
        for (Hash message : tree.plantedMessages()) {
            byte[] bytes = message.toByteArray();
            if (treeHash == TreeHash.ADLER32) {
                interval.add(0, message);
            } else {
                interval.add(ByteBuffer.wrap(bytes).getLong(), bytes, Long.BYTES, bytes.length - Long.BYTES);
            }
        }
        return interval.root();
    }

    @ParameterizedTest
    @EnumSource(TreeHash.class)
    void aStruckTreeIsThatOfItsLeavesAndMendsAgain(TreeHash treeHash) {
        TrialTree tree = new TrialTree(treeHash, Signatures.RANDOM, MAX_COUNT);
        for (int count = 2; count <= MAX_COUNT; count++) {
            tree.plant(count, random);
            List<Hash> planted = tree.struckLeaves();
            for (Damage damage : Damage.values()) {
                for (int i = 0; i < 20 && count >= damage.leastEvents(); i++) {
                    damage.strike(tree, random);
                    assertThat(tree.struckRoot())
                            .as(seed + ", %s of %d leaves", damage.label(), count)
                            .isEqualTo(rootOfLeaves(treeHash, tree.struckLeaves()));
                    assertThat(tree.isUnnoticed()).isEqualTo(tree.struckRoot().equals(tree.intactRoot()));
                    tree.mend();
                    assertThat(tree.struckLeaves()).isEqualTo(planted);
                    assertThat(tree.struckRoot()).isEqualTo(tree.intactRoot());
                }
            }
        }
    }

    /** By the definition of RFC 6962: the left subtree has the largest power of two of leaves below their count. */
    private static Hash rootOfLeaves(TreeHash treeHash, List<Hash> leaves) {
        if (leaves.size() == 1) {
            return leaves.get(0);
        }
        int middle = Integer.highestOneBit(leaves.size() - 1);
        byte[] left = rootOfLeaves(treeHash, leaves.subList(0, middle)).toByteArray();
        byte[] right =
                rootOfLeaves(treeHash, leaves.subList(middle, leaves.size())).toByteArray();
        TreeHasher hasher = treeHash.newHasher();
        byte[] node = new byte[treeHash.sizeBytes()];
        byte[] children = ByteBuffer.allocate(left.length + right.length)
                .put(left)
                .put(right)
                .array();
        hasher.node(children, 0, left.length, left.length, right.length, node, 0);
        return Hash.copyOf(node);
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void aDamageIsWhatItsNameSays(Damage damage) {
        TrialTree tree = new TrialTree(TreeHash.SHA256, Signatures.COUNTED, MAX_COUNT);
        for (int trial = 0; trial < 1_000; trial++) {
            tree.plant(damage.leastEvents() + random.nextInt(MAX_COUNT - damage.leastEvents() + 1), random);
            List<Hash> planted = tree.struckLeaves();
            damage.strike(tree, random);
            List<Hash> struck = tree.struckLeaves();
            assertThat(struck).as("%s", seed).isNotEqualTo(planted);
            List<Hash> gone = without(planted, struck);
            List<Hash> added = without(struck, planted);
            List<Integer> moved = placesThatDiffer(planted, struck);
            switch (damage) {
                case ADJACENT_SWAP -> assertThat(moved).hasSize(2).element(1).isEqualTo(moved.get(0) + 1);
                case TRANSPOSITION -> assertThat(moved).hasSize(2);
                case BLOCK_MOVE -> assertThat(struck).containsExactlyInAnyOrderElementsOf(planted);
                case LOSS ->
                    assertThat(added.size() + struck.size() + gone.size()).isEqualTo(planted.size());
                case DUPLICATION -> {
                    assertThat(struck).hasSize(planted.size() + 1);
                    assertThat(new HashSet<>(struck)).isEqualTo(new HashSet<>(planted));
                }
                case REPLACEMENT ->
                    assertThat(List.of(gone.size(), added.size(), moved.size())).containsOnly(1);
            }
            if (damage != Damage.REPLACEMENT) {
                assertThat(added).isEmpty();
            }
            tree.mend();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TreeHash.class,
            names = {"XXH3", "SHA256"})
    void noDamageGoesUnnoticed(TreeHash treeHash) {
        long trials = treeHash == TreeHash.XXH3 ? 4_000 : 400;
        for (Signatures signatures : Signatures.values()) {
            for (Damage damage : Damage.values()) {
                Outcome outcome = strike(treeHash, signatures, damage, trials);
                assertThat(outcome.undetected().hits())
                        .as("%s, %s", damage, seed)
                        .isZero();
                assertThat(outcome.excessOfWords()).as("%s, %s", damage, seed).isBetween(-6.0, 8.0);
            }
        }
    }

    @Test
    void adler32MissesOneSwapOfNeighboursInAThousand() {
        Outcome outcome = strike(TreeHash.ADLER32, Signatures.RANDOM, Damage.ADJACENT_SWAP, 20_000);
        // In an interval of two events every swap is one of siblings, and 1 in 500 is missed.
        assertThat(outcome.undetected().share()).as("%s", seed).isBetween(8e-4, 2e-3);
    }

    @Test
    void theTablesAreOfTheSizesThatAreTried() throws IOException {
        String document = Files.readString(Path.of("src/test/resources/roots.md"));
        String tables = document.substring(document.indexOf("## By size of the interval"));
        List<String> sizes = Pattern.compile("^\\| ([0-9,]+) \\|", Pattern.MULTILINE)
                .matcher(tables)
                .results()
                .map(row -> row.group(1).replace(",", ""))
                .toList();

        List<String> tried =
                DetectionProgram.EVENTS.stream().map(String::valueOf).toList();
        assertThat(sizes).isNotEmpty();
        for (int from = 0; from < sizes.size(); from += tried.size()) {
            assertThat(sizes.subList(from, Math.min(sizes.size(), from + tried.size())))
                    .isEqualTo(tried);
        }
    }

    /** Trials over all sizes up to 512, so that they take little time. */
    private Outcome strike(TreeHash treeHash, Signatures signatures, Damage damage, long trials) {
        return DetectionProgram.sizesFor(damage).stream()
                .filter(events -> events <= 512)
                .map(events -> new Trials(treeHash, signatures, damage, events).run(trials, random.nextLong()))
                .reduce(Outcome::plus)
                .orElseThrow();
    }

    @Test
    void aSeedReplaysTrials() {
        Trials trials = new Trials(TreeHash.ADLER32, Signatures.RANDOM, Damage.TRANSPOSITION, 8);
        assertThat(trials.run(5_000, 3)).isEqualTo(trials.run(5_000, 3)).isNotEqualTo(trials.run(5_000, 4));
    }

    /** The ends were found by summing the binomial distribution with 60 decimal digits. */
    @ParameterizedTest
    @CsvSource({
        "0, 100, 0, 0.03621669",
        "10, 100, 0.04900469, 0.1762226",
        "1, 10, 0.002528579, 0.4450161",
        "10, 10, 0.6915029, 1",
        "0, 10000000, 0, 3.688879e-7",
        "977, 1000000, 0.0009167171826, 0.001040202626"
    })
    void boundsAreThoseOfClopperAndPearson(long hits, long trials, double lower, double upper) {
        Proportion proportion = new Proportion(hits, trials);
        assertThat(proportion.lower95()).isCloseTo(lower, within(lower * 1e-6));
        assertThat(proportion.upper95()).isCloseTo(upper, within(upper * 1e-6));
    }

    private static List<Hash> without(List<Hash> all, List<Hash> some) {
        List<Hash> rest = new ArrayList<>(all);
        rest.removeAll(new HashSet<>(some));
        return rest;
    }

    private static List<Integer> placesThatDiffer(List<Hash> one, List<Hash> other) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            if (!one.get(i).equals(other.get(i))) {
                places.add(i);
            }
        }
        return places;
    }
}
