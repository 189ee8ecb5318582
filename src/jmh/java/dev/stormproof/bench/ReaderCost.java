package dev.stormproof.bench;

import dev.stormproof.bench.AuditCost.Protection;
import dev.stormproof.bench.ConsumerReader.Signed;
import org.apache.kafka.common.TopicPartition;

/**
 * The cost of an audit that reads with KafkaConsumer, against one that reads record batches in place: what docs/decisions/11 was decided
 * by. In each round, one after the other, over the same log.
 */
public final class ReaderCost {
    private static final int DEFAULT_POLL = 500;
    private static final int LARGE_POLL = 4_000;

    private ReaderCost() {}

    /** Takes the number of events, and of rounds. */
    public static void main(String[] arguments) throws Exception {
        CostRounds.onABroker(arguments, servers -> {
            AuditCost audits = new AuditCost(servers);
            return (events, rounds) -> audits.ofEachLog(
                    "readers-", events, rounds, (log, protection, costs) -> add(audits, log, protection, costs));
        });
    }

    private static void add(AuditCost audits, TopicPartition log, Protection protection, CostRounds costs) {
        costs.add("in place", () -> AuditCost.audit(log, audits.inPlace(protection), audits.inPlace(protection)));
        consumer(costs, audits, log, protection, DEFAULT_POLL, Signed.BEHIND_THE_POLL);
        consumer(costs, audits, log, protection, LARGE_POLL, Signed.BEHIND_THE_POLL);
        consumer(costs, audits, log, protection, DEFAULT_POLL, Signed.IN_THE_DESERIALIZER);
        consumer(costs, audits, log, protection, LARGE_POLL, Signed.IN_THE_DESERIALIZER);
    }

    private static void consumer(
            CostRounds costs,
            AuditCost audits,
            TopicPartition log,
            Protection protection,
            int pollRecords,
            Signed signed) {
        costs.add(
                "consumer, " + pollRecords + ", " + signed.label(),
                () -> AuditCost.audit(
                        log,
                        audits.consumer(protection, pollRecords, signed),
                        audits.consumer(protection, pollRecords, signed)));
    }
}
