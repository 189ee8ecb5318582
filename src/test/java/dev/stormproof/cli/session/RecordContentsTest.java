package dev.stormproof.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.alert.dashboard.ReadRecord;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.verify.judge.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Single records for the page, from a broker that goes away. */
@Tag(Stages.BROKER)
class RecordContentsTest {
    @Test
    void whereNoBrokerAnswersEachPlaceSaysSoInBoundedTime() throws Exception {
        EmbeddedKafka kafka = EmbeddedKafka.start();
        Connection connection;
        try {
            kafka.createTopic("t", 1, Map.of());
            connection = Connection.open(kafka.bootstrapServers(), null);
        } finally {
            kafka.close();
        }
        List<Long> places = LongStream.range(0, 20).boxed().toList();
        List<ReadRecord> read = new ArrayList<>();
        long beginNanos = System.nanoTime();
        try {
            new RecordContents(connection).read(new PartitionId("t", 0), places, read::add);
        } finally {
            connection.close();
        }

        assertThat(Duration.ofNanos(System.nanoTime() - beginNanos))
                .isLessThan(RecordContents.MOST_TIME.plusSeconds(20));
        assertThat(read).extracting(ReadRecord::offset).isEqualTo(places);
        assertThat(read).allSatisfy(record -> assertThat(record.fault()).startsWith("not read: "));
    }
}
