package dev.stormproof.task.storm.tuple;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.StreamRecords;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.RecordContent;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class DeliveryTest {
    private static final Hash SIGNATURE = new Sha256Signer().sign(null, "read".getBytes(UTF_8));

    private static final RecordContent MADE =
            new RecordContent(null, "new".getBytes(UTF_8), read().content().headers(), 1_000, true);

    private final LogRecordParser parser = StreamRecords.parser();

    @Test
    void aTransformedDeliveryIsParsedWithTheSignatureOfTheValueThatWasRead() {
        LogRecord parsed = read().parsed(parser);
        Delivery transformed = read().transformed(MADE, parsed);

        assertThat(transformed.parsed(parser)).isSameAs(parsed);
        assertThat(transformed.observed()).isEqualTo(SIGNATURE);
    }

    /** The other worker gets the signature, and parses the header again. */
    @Test
    void aTransformedDeliveryFromAnotherWorkerIsParsedAsBefore() {
        Delivery here = read().transformed(MADE, read().parsed(parser));
        Delivery there = new Delivery(here.partition(), here.link(), here.topicId(), here.content(), here.observed());

        assertThat(there.parsed(parser)).isEqualTo(read().parsed(parser));
    }

    private static Delivery read() {
        EventHeader header = new EventHeader(7, 5, TreeHash.XXH3, EventSigners.SHA256_KEY_VALUE, SIGNATURE);
        RecordHeaders headers = new RecordHeaders();
        headers.add(EventHeader.NAME, header.encode());
        DeliveryLink link = new DeliveryLink(5, 3, 4);
        return new Delivery(
                new TopicPartition("orders", 1),
                link,
                99,
                new RecordContent(
                        null,
                        "read".getBytes(UTF_8),
                        HeaderBytes.of(headers, Header::key, Header::value),
                        1_000,
                        false),
                null);
    }
}
