package dev.stormproof.cli.session;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.log.audit.LogReader;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.live.run.RecordParsers;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * The clients with which one thread audits one partition after the other: to open them takes longer than to audit a small one.
 *
 * @param ahead goes through the range
 * @param back goes back and forth between intervals
 * @param admin asks where the log ends
 */
record AuditClients(LogReader ahead, LogReader back, Admin admin) implements AutoCloseable {
    /** Opens them; what cannot be configured is wrong usage. */
    static AuditClients open(StormproofConfig config) {
        LogRecordParser parser = Failure.configured("--config: ", () -> RecordParsers.newParser(config));
        Admin admin = Admin.create(config.kafkaAdmin());
        try {
            LogReader ahead = new KafkaLogReader(config.kafkaConsumer(), parser);
            try {
                return new AuditClients(ahead, new KafkaLogReader(config.kafkaConsumer(), parser), admin);
            } catch (KafkaException e) {
                ahead.close();
                throw e;
            }
        } catch (KafkaException e) {
            admin.close(Duration.ZERO);
            throw e;
        }
    }

    @Override
    public void close() {
        try (admin;
                ahead;
                back) {
            // Each, whatever another's closing throws.
        }
    }
}
