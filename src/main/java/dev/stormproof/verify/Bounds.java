package dev.stormproof.verify;

/**
 * How much the verification of one partition keeps in mind. Beyond that nothing is dropped: it is read again later.
 *
 * @param streams how many streams are followed at once; the least recently seen is given up for a new one
 * @param audits how many intervals wait for their audit at once; further ones become a hole
 * @param holes how many separate holes are remembered; neighbours become one
 * @param holeOffsets how many offsets of a hole are read at once, at most half of {@code audits}
 */
public record Bounds(int streams, int audits, int holes, int holeOffsets) {
    /** A few megabytes at most. */
    public static final Bounds DEFAULT = new Bounds(10_000, 20_000, 1_000, 10_000);

    public Bounds {
        if (streams < 1 || holes < 2 || holeOffsets < 1 || audits < 2 * holeOffsets) {
            throw new IllegalArgumentException(
                    "streams " + streams + ", audits " + audits + ", holes " + holes + ", offsets " + holeOffsets);
        }
    }
}
