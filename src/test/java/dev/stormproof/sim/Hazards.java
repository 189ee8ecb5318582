package dev.stormproof.sim;

import java.util.SplittableRandom;

/**
 * What goes on around one seed's emitters and verifier, each in a share of the runs.
 *
 * @param copies how often, out of 1,000 steps, somebody writes a part of the log once more
 * @param others how often, out of 1,000 steps, a producer without checkpoints begins or ends a transaction, and writes
 * @param gap how many offsets at most such a transaction takes that no reader sees
 * @param neighbours how often, out of 1,000 steps, records of another partition of the same emitter come into this one
 * @param drops how often, out of 1,000 steps, something on the way begins or ends to drop records without a value
 * @param floods how often, out of 1,000 steps, somebody writes many forged records at once
 * @param oversized how often, out of 1,000 steps, somebody writes a record that is too large to be read
 * @param givingUp how many of 100 emitters that leave give up what is on its way, of which some arrives all the same
 * @param returns how many of 100 unclean elections bring back a replica that was away since an earlier one
 * @param refuses true if brokers refuse events, which the ends of their streams say
 * @param promises true if emitters promise anything from nothing to for ever, and some do not keep it
 * @param clocks true if the clocks of emitters are wrong, and step
 * @param createTime true if the log has the times of its producers
 * @param deleted true if the topic is deleted in the end
 */
record Hazards(
        int copies,
        int others,
        int gap,
        int neighbours,
        int drops,
        int floods,
        int oversized,
        int givingUp,
        int returns,
        boolean refuses,
        boolean promises,
        boolean clocks,
        boolean createTime,
        boolean deleted) {

    static Hazards of(SplittableRandom random) {
        int copies = random.nextInt(4) == 0 ? random.nextInt(1, 30) : 0;
        SplittableRandom rest = random.split();
        return new Hazards(
                copies,
                rest.nextInt(5) == 0 ? rest.nextInt(10, 100) : 0,
                rest.nextInt(3) == 0 ? 30_000 : 300,
                rest.nextInt(8) == 0 ? rest.nextInt(5, 30) : 0,
                rest.nextInt(10) == 0 ? rest.nextInt(5, 40) : 0,
                rest.nextInt(12) == 0 ? rest.nextInt(2, 10) : 0,
                0,
                0,
                0,
                false,
                rest.nextInt(6) == 0,
                rest.nextInt(6) == 0,
                rest.nextInt(2) == 0,
                rest.nextInt(16) == 0);
    }

    /** These and, all at once, what puts far apart what belongs together: transactions, floods, copies, drops and wrong clocks. */
    Hazards farApart(SplittableRandom random) {
        return new Hazards(
                Math.max(copies, random.nextInt(5, 20)),
                Math.max(others, random.nextInt(40, 100)),
                30_000,
                neighbours,
                Math.max(drops, random.nextInt(20)),
                Math.max(floods, random.nextInt(8)),
                oversized,
                givingUp,
                returns,
                refuses,
                promises,
                clocks || random.nextBoolean(),
                createTime,
                false);
    }

    /** These and records that are too large to be read. */
    Hazards withOversized(int outOfThousand) {
        return with(outOfThousand, givingUp, returns, refuses);
    }

    /** These and emitters that give up what is on its way. */
    Hazards withGivingUp(int outOfHundred) {
        return with(oversized, outOfHundred, returns, refuses);
    }

    /** These and unclean elections that bring back what an earlier one cut off. */
    Hazards withReturns(int outOfHundred) {
        return with(oversized, givingUp, outOfHundred, refuses);
    }

    /** These and brokers that refuse events. */
    Hazards withRefusals() {
        return with(oversized, givingUp, returns, true);
    }

    private Hazards with(int tooLarge, int doubtful, int comingBack, boolean refusing) {
        return new Hazards(
                copies,
                others,
                gap,
                neighbours,
                drops,
                floods,
                tooLarge,
                doubtful,
                comingBack,
                refusing,
                promises,
                clocks,
                createTime,
                deleted);
    }
}
