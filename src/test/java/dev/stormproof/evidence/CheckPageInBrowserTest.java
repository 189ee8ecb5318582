package dev.stormproof.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.dashboard.testing.Browser;
import dev.stormproof.alert.dashboard.testing.Browser.Tab;
import dev.stormproof.evidence.Checked.OfReceipt;
import dev.stormproof.evidence.Checked.OfStatement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page that checks proofs, in a headless Chromium, which has to be installed: {@code ./mvnw -Pbrowser verify}. */
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CheckPageInBrowserTest {
    private Browser browser;
    private Tab tab;

    @BeforeAll
    void start(@TempDir Path dir) throws Exception {
        browser = Browser.start();
        tab = browser.open(
                Files.write(dir.resolve("check.html"), CheckPage.bytes()).toUri(), 1280, 900);
        tab.eval(
                "window.pick = proof => { const chosen = new DataTransfer(); chosen.items.add(new File([proof], 'a.proof'));"
                        + " document.getElementById('file').files = chosen.files; }");
        tab.eval("document.getElementById('keys').value = '"
                + Proofs.UPSTREAM_KEYS.texts().get(0) + "'");
        tab.eval("document.getElementById('verifiers').value = '"
                + Proofs.VERIFIER_KEYS.texts().get(0) + "'");
        tab.eval("document.getElementById('notaries').value = '"
                + Proofs.VERIFIER_KEYS.texts().get(0).replace("auditor-1:", "notary-1:") + "'");
    }

    @AfterAll
    void end() throws IOException {
        browser.close();
    }

    private void choose(byte[] proof) {
        tab.eval("pick(" + bytes(proof) + "); document.getElementById('file').dispatchEvent(new Event('change'))");
        tab.await("document.getElementById('result').className !== ''");
    }

    private static String bytes(byte[] proof) {
        return "Uint8Array.from(atob('" + Base64.getEncoder().encodeToString(proof) + "'), one => one.charCodeAt(0))";
    }

    private String state() {
        return tab.eval("document.getElementById('result').className").asText();
    }

    @Test
    void itSaysOfEachProofWhatCheckSays() throws Exception {
        for (Map.Entry<String, byte[]> proof : ProofCheckTest.golden().entrySet()) {
            choose(proof.getValue());
            Checked checked = Proofs.check().check(proof.getValue());
            assertThat(state()).as(proof.getKey()).isEqualTo(word(checked));
            assertThat(tab.text("#result")).as(proof.getKey()).startsWith(checked.sentence());
        }
        choose(ProofCheckTest.golden("receipt.proof"));
        assertThat(tab.text("#result"))
                .contains("PROVEN: key test-1 signed that the event is sequence 103")
                .contains("VERIFIED according to the verifier auditor-1");
        assertThat(tab.text("#lines")).contains("event-103", "4711", "Größe", "a.proof, SHA-256 ");
        assertThat(tab.errors()).isEmpty();
        assertThat(tab.requests()).allMatch(uri -> uri.startsWith("file:") || uri.startsWith("data:"));
    }

    private static String word(Checked checked) {
        if (checked instanceof OfStatement statement) {
            return statement.verdict().word();
        }
        return ((OfReceipt) checked)
                .judgement()
                .map(judged -> judged.judgement().verdict().word())
                .orElse("proven");
    }

    @Test
    void itRefusesMoreBytesAndMoreLinesThanAProofHas() {
        for (String proof : List.of("new Uint8Array((128 << 20) + 1)", "new Uint8Array(1000001).fill(10)")) {
            String reason = tab.eval("check(" + proof + ", new Map(), new Map()).then(() => '', e => e.message)")
                    .asText();
            assertThat(reason).contains("a proof has at most");
        }
    }

    /** More elements than JavaScript passes to a function. */
    @Test
    void itShowsEachOfManyLines() {
        String shown = tab.eval("(async () => { const real = check; try {"
                        + " check = async () => ({ verdict: 'verified', said: ['VERIFIED'],"
                        + " reported: Array.from({ length: 100000 }, (_, i) => ['not-judged', 'number ' + i]) });"
                        + " pick(new Uint8Array(1)); await show(); const lines = document.getElementById('lines');"
                        + " return document.getElementById('result').className + ' ' + lines.querySelectorAll('dt').length + ' '"
                        + " + lines.lastChild.textContent; } catch (e) { return 'failed: ' + e; }"
                        + " finally { check = real; document.getElementById('lines').replaceChildren(); } })()")
                .asText();
        assertThat(shown).isEqualTo("verified 100001 number 99999");
    }

    @Test
    void itShowsTheVerdictOnTheProofThatWasChosenLast() {
        byte[] damaged = ProofCheckTest.golden("statement.proof");
        damaged[200] ^= 1;
        choose(ProofCheckTest.golden("statement.proof"));
        String states = tab.eval("(async () => { const result = document.getElementById('result'); const states = [];"
                        + " const read = Blob.prototype.arrayBuffer; let release;"
                        + " const released = new Promise(resolve => { release = resolve; });"
                        + " try { Blob.prototype.arrayBuffer = async function () { await released; return read.call(this); };"
                        + " pick(" + bytes(ProofCheckTest.golden("statement.proof")) + "); const slow = show();"
                        + " states.push(result.className + '/' + document.getElementById('lines').textContent);"
                        + " Blob.prototype.arrayBuffer = read; pick(" + bytes(damaged) + "); await show();"
                        + " states.push(result.className); release(); await slow; states.push(result.className); }"
                        + " finally { Blob.prototype.arrayBuffer = read; } return states.join(' '); })()")
                .asText();
        assertThat(states).isEqualTo("/ refused refused");
    }

    @Test
    void itRefusesEachFlippedBitThoughTheLastLineFits() {
        tab.eval(
                "window.repair = async proof => { const text = Array.from(proof, one => String.fromCharCode(one)).join('');"
                        + " const end = text.lastIndexOf('\\nlines ') + 1; let digits = '';"
                        + " for (const line of text.slice(0, end - 1).split('\\n')) {"
                        + " digits += hex(await sha256(Uint8Array.from(line, one => one.charCodeAt(0)))).slice(0, 4); }"
                        + " return Uint8Array.from(text.slice(0, end) + 'lines ' + digits + '\\n', one => one.charCodeAt(0)); }");
        ProofCheckTest.golden().forEach((name, proof) -> {
            String accepted = tab.eval("(async () => { const proof = " + bytes(proof) + "; const accepted = [];"
                            + " const up = keysOf(document.getElementById('keys').value);"
                            + " const by = keysOf(document.getElementById('verifiers').value);"
                            + " const end = proof.lastIndexOf(10, proof.length - 2);"
                            + " for (let at = 0; at < proof.length; at++) { const flipped = proof.slice();"
                            + " flipped[at] ^= 1 << at % 8;"
                            + " for (const one of at < end ? [flipped, await repair(flipped)] : [flipped]) {"
                            + " try { await check(one, up, by); accepted.push(at); } catch (e) { continue; } } }"
                            + " return accepted.join(' '); })()")
                    .asText();
            assertThat(accepted).as(name).isEmpty();
        });
    }

    @Test
    void itRefusesWhatIsSignedAndProvesNothing() {
        ProofCheckTest.refused().forEach((name, proof) -> {
            choose(proof);
            assertThat(state()).as(name).isEqualTo("refused");
            assertThat(tab.text("#result"))
                    .as(name)
                    .contains(ProofCheckTest.weak().containsKey(name) ? "not protected against tampering" : "");
        });
    }

    @Test
    void itSaysWhichLineIsDamagedAndShowsNothingOfIt() {
        byte[] proof = ProofCheckTest.golden("receipt.proof");
        proof[30] ^= 1;
        choose(proof);
        assertThat(state()).isEqualTo("refused");
        assertThat(tab.text("#result")).startsWith("REFUSED: line 2:");
        assertThat(tab.text("#lines")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "verifiers, statement.proof",
        "verifiers, receipt.proof",
        "keys, receipt.proof",
        "notaries, proof.tlog-proof",
        "'keys,verifiers,notaries', damaged"
    })
    void withoutItsKeyItStatesNothingOfAProof(String fields, String name) throws Exception {
        tab.eval("window.kept = '" + fields + "'.split(',').map(id => document.getElementById(id))"
                + ".map(field => { const value = field.value; field.value = ''; return [field, value]; }); 0");
        choose(
                name.equals("damaged")
                        ? new byte[1]
                        : name.endsWith("tlog-proof") ? noted() : ProofCheckTest.golden(name));
        tab.eval("window.kept.forEach(([field, value]) => { field.value = value; })");
        assertThat(state()).isEqualTo("waiting");
        assertThat(tab.text("#result")).startsWith("No verdict yet: enter the public keys of ");
        assertThat(tab.text("#lines")).isEmpty();
    }

    private static byte[] noted() throws IOException {
        return Files.readAllBytes(Path.of("src/test/resources/notary/go/proof.tlog-proof"));
    }

    @Test
    void ofAProofFromNotesItSaysWhatTheNotaryStatesAndRefusesEachFlippedBit() throws Exception {
        choose(noted());
        assertThat(state()).isEqualTo("proven");
        assertThat(tab.text("#result"))
                .startsWith("The notary \"notary-1\" states that when it noted the 700 records of ");
        assertThat(tab.text("#lines")).contains("notary-1/cluster/orders/topic-id/0", "512 of 700", "record 512");
        String accepted = tab.eval("(async () => { const proof = " + bytes(noted()) + "; const accepted = [];"
                        + " const by = keysOf(document.getElementById('notaries').value);"
                        + " for (let at = 0; at < proof.length; at++) { const flipped = proof.slice();"
                        + " flipped[at] ^= 1 << at % 8;"
                        + " try { await check(flipped, new Map(), new Map(), by); accepted.push(at); }"
                        + " catch (e) { continue; } } return accepted.join(' '); })()")
                .asText();
        assertThat(accepted).isEmpty();
        assertThat(tab.errors()).isEmpty();
    }

    @Test
    void itIsPrintedWithoutItsForms() {
        choose(ProofCheckTest.golden("statement.proof"));
        tab.media("print");
        String shown = tab.eval(
                        "['form', '#result', '#lines'].map(one => document.querySelector(one).offsetHeight > 0).join()")
                .asText();
        tab.media("");
        assertThat(shown).isEqualTo("false,true,true");
    }
}
