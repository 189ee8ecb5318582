package dev.stormproof.witness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stormproof.notary.NoteKey;
import dev.stormproof.notary.SignedNote;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a witness's responses mean. */
class AnswerTest {
    /** The example of c2sp.org/tlog-cosignature, whose key the specification does not give. */
    private static final String NOTE = """
            example.com/behind-the-sofa
            20852163
            CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

            — example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
            """;

    private static final String KEY = "w1.example+";

    private static NoteKey witness() {
        byte[] key = HexFormat.of().parseHex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
        return new NoteKey("w1.example", NoteKey.COSIGNATURE, dev.stormproof.sign.PublicKey.ofBytes(key));
    }

    private static Answer answer(int status, String type, String body) throws Exception {
        return Answer.of(status, type, body.getBytes(UTF_8), SignedNote.parse(NOTE.getBytes(UTF_8)), witness());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "7", "07\n", "-7\n", "7\n\n", "7 \n", "99999999999999999999\n", "9223372036854775808\n"})
    void aConflictWithoutASizeSaysNothing(String body) throws Exception {
        assertThat(answer(409, "text/x.tlog.size", body)).isInstanceOf(Answer.Away.class);
    }

    @Test
    void aConflictNamesTheSizeThatWasSeen() throws Exception {
        assertThat(answer(409, "text/x.tlog.size", "20852014\n")).isEqualTo(new Answer.Conflict(20_852_014));
        assertThat(answer(409, "text/plain", "20852014\n")).isInstanceOf(Answer.Away.class);
    }

    @ParameterizedTest
    @CsvSource({"400, Refused", "403, Refused", "404, Refused", "422, Refused", "429, Away", "500, Away", "302, Away"})
    void otherCodesRefuseTheTreeOrSayNothingOfIt(int status, String kind) throws Exception {
        assertThat(answer(status, "", "why\u001b[1m\nnot").getClass().getSimpleName())
                .isEqualTo(kind);
        assertThat(answer(status, "", "why\u001b[1m\nnot").toString()).contains("it says: why [1m not");
    }

    @Test
    void signaturesOfOthersAreNoCosignature() throws Exception {
        assertThat(answer(200, "", "— w9.example CMp+6LWB\n")).isInstanceOf(Answer.Refused.class);
        assertThat(answer(200, "", "")).isInstanceOf(Answer.Refused.class);
        assertThat(answer(200, "", "<html>")).isInstanceOf(Answer.Refused.class);
    }

    @Test
    void anAnswerThatWouldMoveTheTextIsRefused() throws Exception {
        assertThat(answer(200, "", "\n— w1.example CMp+6LWB\n").toString()).contains("empty line");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "https://w1.example", "VKEY", "VKEY ftp://w1.example", "VKEY https://w1.example?a=b"})
    void aWitnessIsAKeyAndAnAddress(String text) {
        assertThatThrownBy(() -> Witness.parse(text.replace("VKEY", witness().text())))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theAddressIsThePrefixAndTheCall() {
        assertThat(Witness.parse(witness().text() + " https://w1.example/a/").addCheckpoint())
                .hasToString("https://w1.example/a/add-checkpoint");
        assertThat(Witness.parse(witness().text() + " https://w1.example").addCheckpoint())
                .hasToString("https://w1.example/add-checkpoint");
        assertThat(witness().text()).startsWith(KEY);
    }

    @Test
    void aKeyThatSignsNotesIsNoWitness() throws Exception {
        assertThatThrownBy(() ->
                        Witness.key(NoteKey.of("w1.example", witness().key()).text()))
                .hasMessageContaining("is no witness's");
    }
}
