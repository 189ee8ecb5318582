package dev.stormproof.judge;

/** What the verifier has to say: a verdict on an interval, or a word on records that belong to no interval. */
public sealed interface Finding permits Verdict, Stray, Missed {
    /** The revision of what is said of an interval that no checkpoint seals. */
    int UNSEALED_REVISION = 1;

    /** The revision of what is said of an interval before its neighbour was read. */
    int PROVISIONAL_REVISION = 2;

    /** The revision of what is said for good. */
    int FINAL_REVISION = 3;

    /**
     * Which telling of the matter this is: 1 unsealed, 2 provisional, 3 for good. A higher one replaces a lower one, and
     * no revision is told twice.
     */
    default int revision() {
        return FINAL_REVISION;
    }

    /** The offset that the finding hangs on: a reader that begins behind it does not find it again. */
    long anchorOffset();
}
