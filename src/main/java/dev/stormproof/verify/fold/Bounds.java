package dev.stormproof.verify.fold;

/**
 * The bounds on the memory of one partition's verification. Records beyond them are not dropped, but read later.
 *
 * @param streams how many streams are followed at once; the least recently seen one makes room for a new one
 * @param audits how many intervals wait for their first audit at once; reading waits for room
 * @param pieceRecords how many records are read from the log at once
 * @param pieceBytes about how much memory these may take
 */
public record Bounds(int streams, int audits, int pieceRecords, long pieceBytes) {
    /** Some 20 MB for as many streams, more while many intervals wait, and up to 16 MiB while the log is read. */
    public static final Bounds DEFAULT = new Bounds(10_000, 20_000, 65_536, 16 << 20);

    public Bounds {
        if (streams < 1 || audits < 1 || pieceRecords < 1 || pieceBytes < 1) {
            throw new IllegalArgumentException("streams " + streams + ", audits " + audits + ", records of a piece "
                    + pieceRecords + ", bytes of a piece " + pieceBytes);
        }
    }
}
