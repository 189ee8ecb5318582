package dev.stormproof.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.testing.Intervals;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Undelivered;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Links from alerts to the records that they name; what is written here is held to the schema too. */
class RecordUrlsTest {
    private static final StreamId STREAM = new StreamId("orders", 3, 7);
    private static final Hash SIGNATURE = Hash.fromHex("0123456789abcdef");
    private static final PartitionId PARTITION = new PartitionId("orders", 3);
    private static final RecordUrls URLS =
            (topic, partition, offset) -> "https://ui/" + topic + "/" + partition + "/" + offset;
    private static final Links LINKS = new Links("", "audit", URLS);
    private static final Anomaly LOST = new Anomaly(Kind.LOST, STREAM, 741, 742, -1, 0, SIGNATURE, Hash.empty());
    private static final Anomaly ALTERED = new Anomaly(Kind.ALTERED, STREAM, 743, 744, 802, 1, SIGNATURE, SIGNATURE);

    private static Violated violated(long checkpointOffset) {
        return new Violated(Intervals.interval(STREAM, 7, checkpointOffset, 700, 100), true, 2, List.of(LOST, ALTERED));
    }

    private static JsonNode data(Finding finding, Links links) throws Exception {
        byte[] written = AlertJson.write(new Alert("/stormproof/test", 0, finding), Integer.MAX_VALUE, links);
        return new ObjectMapper().readTree(written).required("data");
    }

    @Test
    void eachPlaceThatExistsHasALink() throws Exception {
        JsonNode data = data(violated(812), LINKS);

        assertThat(data.required("checkpointUrl").asText()).isEqualTo("https://ui/orders/3/812");
        assertThat(data.at("/anomalies/0").has("url")).as("of a lost event").isFalse();
        assertThat(data.at("/anomalies/1/url").asText()).isEqualTo("https://ui/orders/3/802");
        assertThat(data(violated(-1), LINKS).has("checkpointUrl")).isFalse();
    }

    @Test
    void recordsHaveLinksAsWell() throws Exception {
        assertThat(data(
                                new StrayRecord(
                                        new PartitionId("orders", 3),
                                        9,
                                        UnattributedRecord.Kind.UNSIGNED,
                                        "no header",
                                        LogRecord.NO_TIME),
                                LINKS)
                        .required("url")
                        .asText())
                .isEqualTo("https://ui/orders/3/9");
        assertThat(data(new Undelivered(PARTITION, 11, Undelivered.Kind.HALTED, "why", -1), LINKS)
                        .required("url")
                        .asText())
                .isEqualTo("https://ui/orders/3/11");
        assertThat(data(new MissedRecords(PARTITION, 3, 9), LINKS).has("url"))
                .as("of what the log dropped")
                .isFalse();
    }

    @Test
    void withoutATemplateThereAreNone() throws Exception {
        assertThat(data(violated(812), Links.DEFAULT).toString()).doesNotContain("url", "Url");
    }

    @Test
    void textHasThemBehindTheLine() {
        assertThat(AlertText.linesWith(URLS).apply(ALTERED)).endsWith("  https://ui/orders/3/802");
        assertThat(AlertText.linesWith(URLS).apply(LOST)).isEqualTo(AlertText.line(LOST));
        assertThat(AlertText.summary(violated(812), URLS)).endsWith("  https://ui/orders/3/812");
        assertThat(AlertText.summary(violated(812), RecordUrls.NONE)).isEqualTo(AlertText.summary(violated(812)));
    }
}
