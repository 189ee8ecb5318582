package dev.stormproof.emit;

import dev.stormproof.emit.testing.FailingProducer;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import java.util.List;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;

/** The fixture of tests of {@link Transactions}: rigs with a transactional id. */
abstract class TransactionFixture {
    static EmitterRig rig(Object... settings) {
        return rig(new FailingProducer(EmitterRig.TOPIC, true), settings);
    }

    private static EmitterRig rig(FailingProducer inner, Object... settings) {
        Object[] all = new Object[settings.length + 4];
        System.arraycopy(settings, 0, all, 0, settings.length);
        all[settings.length] = "transactional.id";
        all[settings.length + 1] = "tx";
        all[settings.length + 2] = EmitterConfig.DEADLINE_MS;
        all[settings.length + 3] = 10_000L;
        return new EmitterRig(inner, all);
    }

    static EmitterRig begun(Object... settings) {
        return begun(new FailingProducer(EmitterRig.TOPIC, true), settings);
    }

    static EmitterRig begun(FailingProducer inner, Object... settings) {
        EmitterRig rig = rig(inner, settings);
        rig.producer.initTransactions();
        rig.producer.beginTransaction();
        return rig;
    }

    /** One whose first transaction, of these events, is committed. */
    static EmitterRig committed(int partition, String... values) {
        EmitterRig rig = begun();
        rig.sendAll(partition, values);
        rig.producer.commitTransaction();
        return rig;
    }

    static long[] eventCounts(EmitterRig rig) throws Exception {
        return rig.log(0).stream().checkpoints.stream()
                .mapToLong(Format2Checkpoint::eventCount)
                .toArray();
    }

    /** A producer one of whose partitions has no leader. */
    static final class WithoutLeader extends FailingProducer {
        private final int partition;

        WithoutLeader(int partition) {
            super(EmitterRig.TOPIC, true);
            this.partition = partition;
        }

        @Override
        public List<PartitionInfo> partitionsFor(String topic) {
            return super.partitionsFor(topic).stream()
                    .map(info -> info.partition() == partition
                            ? new PartitionInfo(topic, partition, null, info.replicas(), new Node[0])
                            : info)
                    .toList();
        }
    }
}
