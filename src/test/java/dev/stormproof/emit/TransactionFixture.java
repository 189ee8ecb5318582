package dev.stormproof.emit;

import dev.stormproof.checkpoint.Format2Checkpoint;

/** The fixture of tests of {@link Transactions}: rigs with a transactional id. */
abstract class TransactionFixture {
    static EmitterRig rig(Object... settings) {
        Object[] all = new Object[settings.length + 4];
        System.arraycopy(settings, 0, all, 0, settings.length);
        all[settings.length] = "transactional.id";
        all[settings.length + 1] = "tx";
        all[settings.length + 2] = EmitterConfig.PROMISE_MS;
        all[settings.length + 3] = 10_000L;
        return new EmitterRig(true, all);
    }

    static EmitterRig begun(Object... settings) {
        EmitterRig rig = rig(settings);
        rig.producer.initTransactions();
        rig.producer.beginTransaction();
        return rig;
    }

    static long[] eventCounts(EmitterRig rig) throws Exception {
        return rig.log(0).stream().checkpoints.stream()
                .mapToLong(Format2Checkpoint::eventCount)
                .toArray();
    }
}
