package dev.stormproof.evidence.notary;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.Leaders;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The state beside a note: where its records are, and from what the tree continues.
 *
 * <pre>
 *   at  size  field
 *    0     4  "SPN1"
 *    4     8  number of the note, from 0
 *   12     8  size of the tree
 *   20     8  begin: offset of the first record that the tree can hold
 *   28     8  from: offset from which the records since the note before were read
 *   36     8  next: offset after the last of them
 *   44     4  m: the number of leaders after the peaks, at most 16
 *   48     8  time in milliseconds since 1970, by the notary's clock
 *   56     4  partition of the tiles topic; −1 if there is no unfinished tile
 *   60     8  offset there of the unfinished tile's record
 *   68   32·n the peaks, that of most leaves first; n: one bits of the size
 *        12·m the leaders that wrote the records before next: their first offset, 8 bytes, and epoch, 4; ascending
 *         64  Ed25519 by the notary's key, over "stormproof-note-state" LF ‖ the note ‖ all bytes before
 * </pre>
 *
 * <p>{@code from} is the end of the last note; it is less if the log was cut, and more if records expired unread.
 */
public record NoteState(
        long number,
        long size,
        long begin,
        long from,
        long next,
        Leaders leaders,
        long timeMillis,
        Place tile,
        Hash peaks) {
    /** The name of the header that holds it. */
    public static final String HEADER = "stormproof-note";

    private static final int MAGIC = 0x53504e31;
    private static final int SIZE_AT = 12;
    private static final int LEADERS_AT = 44;
    private static final int PEAKS_AT = 68;
    private static final int LEADER_BYTES = Long.BYTES + Integer.BYTES;
    private static final int SIGNATURE_BYTES = 64;
    private static final byte[] PURPOSE = "stormproof-note-state\n".getBytes(UTF_8);

    public record Place(int partition, long offset) {
        /** Nowhere. */
        public static final Place NONE = new Place(-1, -1);
    }

    /** The bytes, signed together with the note. */
    byte[] encode(byte[] note, CheckpointKey key) {
        Map<Long, Integer> epochs = leaders.epochByBegin();
        ByteBuffer said = ByteBuffer.allocate(PEAKS_AT + peaks.sizeBytes() + epochs.size() * LEADER_BYTES)
                .putInt(MAGIC)
                .putLong(number)
                .putLong(size)
                .putLong(begin)
                .putLong(from)
                .putLong(next)
                .putInt(epochs.size())
                .putLong(timeMillis)
                .putInt(tile.partition())
                .putLong(tile.offset())
                .put(peaks.toByteArray());
        epochs.forEach((from, epoch) -> said.putLong(from).putInt(epoch));
        byte[] signed = signed(note, said.array());
        return ByteBuffer.allocate(said.capacity() + SIGNATURE_BYTES)
                .put(said.array())
                .put(key.sign(signed, signed.length))
                .array();
    }

    private static byte[] signed(byte[] note, byte[] said) {
        return ByteBuffer.allocate(PURPOSE.length + note.length + said.length)
                .put(PURPOSE)
                .put(note)
                .put(said)
                .array();
    }

    /** Reads the state of a note, and checks the signature over both. */
    static NoteState decode(byte[] bytes, byte[] note, NoteKey key) throws MalformedNoteException {
        int saidBytes = bytes.length - SIGNATURE_BYTES;
        if (saidBytes < PEAKS_AT || ByteBuffer.wrap(bytes).getInt() != MAGIC) {
            throw new MalformedNoteException("a state of " + bytes.length + " bytes, or of another version");
        }
        byte[] said = Arrays.copyOf(bytes, saidBytes);
        if (!key.key().verify(signed(note, said), Arrays.copyOfRange(bytes, saidBytes, bytes.length))) {
            throw new MalformedNoteException("a state that '" + key.name() + "' did not sign beside this note");
        }
        ByteBuffer in = ByteBuffer.wrap(said);
        long size = in.getLong(SIZE_AT);
        int leaders = in.getInt(LEADERS_AT);
        int peaks = size < 0 ? 0 : NotedTree.peaksBytes(size);
        boolean fits =
                leaders >= 0 && leaders <= Leaders.MOST && saidBytes == PEAKS_AT + peaks + leaders * LEADER_BYTES;
        if (size < 0 || !fits) {
            throw new MalformedNoteException(
                    "a state of " + bytes.length + " bytes with " + leaders + " leaders, of " + size + " leaves");
        }
        in.getInt();
        return new NoteState(
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                leaders(in.duplicate(), PEAKS_AT + peaks, in.getInt()),
                in.getLong(),
                new Place(in.getInt(), in.getLong()),
                Hash.copyOf(said, PEAKS_AT, peaks));
    }

    private static Leaders leaders(ByteBuffer in, int at, int count) {
        in.position(at);
        NavigableMap<Long, Integer> epochs = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            epochs.put(in.getLong(), in.getInt());
        }
        return new Leaders(epochs);
    }

    NotedTree tree() {
        return NotedTree.of(size, peaks.toByteArray());
    }
}
