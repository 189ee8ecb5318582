package dev.stormproof.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.evidence.ProofCheck;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that a stranger runs, on the golden proofs. */
class VerifyFileCommandTest {
    private static final String GOLDEN = "src/test/resources/evidence/";
    private static final String UPSTREAM = "test-1:MCowBQYDK2VwAyEA9Z76+CjPm4Jk8l7lQct2DSRmgNTRnNAVBlxnQwrJlek=";
    private static final String NOTARY = "notary-1:MCowBQYDK2VwAyEAebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ=";
    private static final String VERIFIER = "auditor-1:MCowBQYDK2VwAyEAebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ=";

    @TempDir
    private Path dir;

    private static Shell.Result check(String proof) {
        return Shell.here("verify", proof, "--producer-key", UPSTREAM, "--verifier-key", VERIFIER);
    }

    @Test
    void theGoldenProofsHold() {
        Shell.Result receipt = check(GOLDEN + "receipt.proof").ends(ExitCode.VERIFIED);
        assertThat(receipt.out())
                .startsWith("At 2023-11-14T22:13:20Z by its own clock, the producer with key \"test-1\" signed ")
                .contains("PROVEN: key 'test-1'", "VERIFIED according to the verifier 'auditor-1'", "Größe");
        Shell.Result nulls = check(GOLDEN + "receipt-of-nulls.proof");
        assertThat(nulls.out())
                .contains("key          null", "value        0 bytes: ", "Not covered: whether a log holds it, ");
        assertThat(check(GOLDEN + "statement.proof").out())
                .startsWith(
                        "The verifier \"auditor-1\" states that in topic \"orders\", partition 0, from 2025-10-01T00:00:00Z to "
                                + "2026-01-01T00:00:00Z, as read at 2026-01-31T08:00:00Z, 4,900 of 4,900 events are proven ")
                .contains("VERIFIED according to", "not-judged   what lies before")
                .doesNotContain("\nsentence ");
    }

    @Test
    void anEarlierNoteGoesWithAProofOfConsistencyAlone() {
        String receipt = GOLDEN + "receipt.proof";
        Shell.Result earlier = Shell.here(
                "verify", receipt, "--producer-key", UPSTREAM, "--verifier-key", VERIFIER, "--earlier", receipt);

        assertThat(earlier.exitCode()).as("%s", earlier).isEqualTo(ExitCode.USAGE);
        assertThat(earlier.err()).contains("--earlier goes with a proof of consistency");
    }

    /** As C2SP demands of whoever reads a note: others may have signed it, too. */
    @Test
    void whatOthersSignedOnANoteIsPassedOver() throws Exception {
        Path theirs = Path.of("src/test/resources/notary/go");
        String cosignature = "— w1.example " + Base64.getEncoder().encodeToString(new byte[4 + 8 + 64]) + "\n";
        String proof = write(
                "cosigned.tlog-proof",
                (Files.readString(theirs.resolve("proof.tlog-proof")) + cosignature).getBytes(UTF_8));
        String consistency = write(
                "cosigned.consistency",
                (Files.readString(theirs.resolve("consistency")) + cosignature).getBytes(UTF_8));
        String earlier = write("cosigned", (Files.readString(theirs.resolve("earlier")) + cosignature).getBytes(UTF_8));

        assertThat(noted(proof).exitCode()).isEqualTo(ExitCode.VERIFIED);
        Shell.Result continued = noted(consistency, "--earlier", earlier);
        assertThat(continued.exitCode()).as("%s", continued).isEqualTo(ExitCode.VERIFIED);
    }

    @Test
    void theRecordThatAProofFromNotesLeavesOutIsTakenFromAFile() throws Exception {
        Path theirs = Path.of("src/test/resources/notary/go");
        String proof = Files.readString(theirs.resolve("proof.tlog-proof"));
        String extra = proof.lines().skip(1).findFirst().orElseThrow();
        byte[] leaf = Base64.getDecoder().decode(extra.substring("extra ".length()));
        byte[] other = leaf.clone();
        other[leaf.length - 5] ^= 1;
        String without =
                write("without.tlog-proof", proof.replace(extra + "\n", "").getBytes(UTF_8));

        assertThat(noted(without).err()).contains("--extra FILE has to hold its bytes");
        Shell.Result held = noted(without, "--extra", write("leaf", leaf)).ends(ExitCode.VERIFIED);
        assertThat(held.out())
                .startsWith(
                        "The notary \"notary-1\" states that when it noted the 700 records of notary-1/cluster/orders/topic-id/0, "
                                + "number 512 was the record below: key, value, headers and time. ")
                .contains("value: record 512");
        Shell.Result refused = noted(without, "--extra", write("other", other)).ends(ExitCode.DAMAGED);
        assertThat(refused.err()).contains("its path does not lead from the record");
        for (String whole : List.of(
                theirs.resolve("proof.tlog-proof").toString(),
                theirs.resolve("consistency").toString(),
                GOLDEN + "receipt.proof")) {
            Shell.Result twice = noted(whole, "--extra", write("leaf", leaf)).ends(ExitCode.USAGE);
            assertThat(twice.err()).contains("--extra goes with a proof of a record that leaves it out");
        }
    }

    @Test
    void aVkeyIsNamedWhereTheKeyOfANotaryBelongs() {
        for (String[] vkey : new String[][] {
            {"AUb+2y8cJLqrTr5Tn2o4OSk5GaA3PW4L5q1L9u0GkUvv", "; this is the vkey of one tree"},
            {"BEb+2y8cJLqrTr5Tn2o4OSk5GaA3PW4L5q1L9u0GkUvv", "; this is a vkey of signature type 4, and a notary signs"
            },
            {"no base64", ", as 'key create' prints it\n"}
        }) {
            Shell.Result refused = Shell.here(
                    "verify",
                    "src/test/resources/notary/go/proof.tlog-proof",
                    "--notary-key",
                    "notary-1/orders/3+1a2b3c4d+" + vkey[0]);
            assertThat(refused.ends(ExitCode.USAGE).err()).contains(vkey[1]);
        }
    }

    private String write(String name, byte[] bytes) throws Exception {
        return Files.write(dir.resolve(name), bytes).toString();
    }

    private static Shell.Result noted(String proof, String... more) {
        return Shell.line("verify " + proof + " --notary-key " + NOTARY, more);
    }

    @Test
    void asJsonAProofIsOneObject() throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        JsonNode receipt = mapper.readTree(json("receipt.proof"));
        assertThat(receipt.path("proof").asText()).isEqualTo("receipt");
        assertThat(receipt.path("checkpoint").path("signer").asText()).isEqualTo("test-1");
        assertThat(receipt.path("judgement").path("verdict").asText()).isEqualTo("verified");
        assertThat(receipt.path("judgement").path("verifier").asText()).isEqualTo("auditor-1");
        JsonNode nulls = mapper.readTree(json("receipt-of-nulls.proof"));
        assertThat(nulls.path("keyBase64").isNull()).isTrue();
        assertThat(nulls.path("valueBase64").asText()).isEmpty();
        assertThat(nulls.has("judgement")).isFalse();
        JsonNode statement = mapper.readTree(json("statement.proof"));
        assertThat(statement.path("proof").asText()).isEqualTo("statement");
        assertThat(statement.path("sentence").asText()).startsWith("The verifier ");
        assertThat(statement.path("verdict").asText()).isEqualTo("verified");
        assertThat(statement.path("lines")).isNotEmpty();
    }

    private static String json(String proof) {
        Shell.Result result = Shell.here(
                        "verify", GOLDEN + proof, "--producer-key", UPSTREAM, "--verifier-key", VERIFIER, "--json")
                .ends(ExitCode.VERIFIED);
        assertThat(result.out().lines()).hasSize(1);
        return result.out();
    }

    @Test
    void aFileThatIsTooLargeIsNotRead() throws Exception {
        Path huge = dir.resolve("huge.proof");
        try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.setLength(ProofCheck.MAX_SIZE_BYTES + 1L);
        }
        Shell.Result refused = check(huge.toString()).ends(ExitCode.DAMAGED);
        assertThat(refused.err())
                .contains("huge.proof is refused: it has more than " + ProofCheck.MAX_SIZE_BYTES + " bytes");
    }

    @Test
    void thePageIsWrittenOut() throws Exception {
        Path page = dir.resolve("check.html");
        Shell.here("verify", "--html", page.toString()).ends(0);
        assertThat(Files.readString(page))
                .contains("default-src 'none'")
                .doesNotContain("http:", "https:", "innerHTML", "fetch(");
    }
}
