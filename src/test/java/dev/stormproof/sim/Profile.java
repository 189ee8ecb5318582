package dev.stormproof.sim;

import java.util.SplittableRandom;

/**
 * What one seed's world is like: which disturbances there are, and how often.
 *
 * @param steps how many steps are disturbed
 * @param emitters how many emitters live at once at most
 * @param intervalEvents how many events an interval has at most
 * @param format1 true if a stream of format 1 is among them
 * @param transactions true if emitters use transactions
 * @param eventFaults how often, out of 1,000 steps, an event is tampered with
 * @param checkpointFaults true if checkpoints are tampered with, too
 * @param reach how far records are moved, in records
 * @param crashes how often, out of 1,000 steps, spout or bolt crash or get a second owner
 * @param transport how often, out of 1,000 steps, tuples vanish, are late or are replayed
 * @param retention how often, out of 1,000 steps, the log forgets its head
 * @param cuts how often, out of 1,000 steps, an unclean election cuts the log
 * @param tight true if the verifier's bounds are tight
 */
record Profile(
        int steps,
        int emitters,
        int intervalEvents,
        boolean format1,
        boolean transactions,
        int eventFaults,
        boolean checkpointFaults,
        int reach,
        int crashes,
        int transport,
        int retention,
        int cuts,
        boolean tight) {
    static Profile of(SplittableRandom random) {
        boolean faulty = random.nextInt(10) < 7;
        return new Profile(
                random.nextInt(80, 320),
                random.nextInt(1, 5),
                random.nextInt(1, 12),
                random.nextInt(5) == 0,
                random.nextInt(3) == 0,
                faulty ? random.nextInt(5, 120) : 0,
                faulty && random.nextInt(3) == 0,
                random.nextInt(1, 9),
                random.nextInt(2) == 0 ? random.nextInt(5, 60) : 0,
                random.nextInt(2) == 0 ? random.nextInt(5, 100) : 0,
                random.nextInt(4) == 0 ? random.nextInt(5, 25) : 0,
                random.nextInt(8) == 0 ? 8 : 0,
                random.nextInt(4) == 0);
    }
}
