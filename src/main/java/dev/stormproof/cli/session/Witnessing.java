package dev.stormproof.cli.session;

import dev.stormproof.notary.MalformedNoteException;
import dev.stormproof.notary.NoteKey;
import dev.stormproof.notary.SignedNote;
import dev.stormproof.submit.Failure;
import dev.stormproof.witness.Witness;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The witnesses whose cosignatures are believed, and how many of them have to be there.
 *
 * @param keys each of another witness
 */
public record Witnessing(List<NoteKey> keys, int quorum) {
    /** Nobody's. */
    public static final Witnessing NONE = new Witnessing(List.of(), 0);

    public Witnessing {
        keys = List.copyOf(keys);
    }

    /**
     * Those that are named as a person types them.
     *
     * @param count how many are demanded; null for all of them
     */
    public static Witnessing of(List<String> vkeys, @Nullable Integer count) {
        try {
            List<NoteKey> keys = vkeys.stream().map(Witness::key).toList();
            Set<ByteBuffer> single = new HashSet<>();
            keys.forEach(key -> demandNew(single, key));
            int quorum = count == null ? keys.size() : count;
            if (quorum < 0 || quorum > keys.size()) {
                throw Failure.usage("--witnesses " + quorum + ": there are " + keys.size()
                        + " keys of witnesses, by --witness-key");
            }
            return new Witnessing(keys, quorum);
        } catch (IllegalArgumentException e) {
            throw Failure.usage("--witness-key: " + e.getMessage(), e);
        }
    }

    private static void demandNew(Set<ByteBuffer> single, NoteKey key) {
        if (!single.add(ByteBuffer.wrap(key.key().bytes()))) {
            throw new IllegalArgumentException("the key of '" + key.name() + "' is given twice");
        }
    }

    /** Who of them cosigned a note, and when, by the witness's clock. */
    public Map<String, String> on(SignedNote note) throws MalformedNoteException {
        Map<String, String> times = new LinkedHashMap<>();
        for (NoteKey key : keys) {
            OptionalLong seconds = note.cosignedSeconds(key);
            if (seconds.isPresent()) {
                times.put(key.name() + " (" + Integer.toHexString(key.id()) + ")", time(seconds.getAsLong()));
            }
        }
        return times;
    }

    /** True if enough of them cosigned a note. */
    public boolean isMetBy(SignedNote note) {
        try {
            return on(note).size() >= quorum;
        } catch (MalformedNoteException e) {
            return false;
        }
    }

    /** Who of them cosigned a note, each with the time; throws if they are too few, or a signature is not what it says. */
    public Map<String, String> demand(SignedNote note) throws MalformedNoteException {
        Map<String, String> times = on(note);
        if (times.size() < quorum) {
            throw new MalformedNoteException("of " + keys.size() + " witnesses " + times.size()
                    + " cosigned its note, and " + quorum + " are demanded");
        }
        return times;
    }

    /** A time that a witness signed, in seconds since 1970, as text. */
    private static String time(long seconds) {
        try {
            return Instant.ofEpochSecond(seconds).toString();
        } catch (DateTimeException e) {
            return "second " + seconds;
        }
    }
}
