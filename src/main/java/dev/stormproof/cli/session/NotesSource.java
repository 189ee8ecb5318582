package dev.stormproof.cli.session;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.terminal.Terminal;
import dev.stormproof.evidence.notary.KeptLeaves;
import dev.stormproof.evidence.notary.MalformedNoteException;
import dev.stormproof.evidence.notary.Note;
import dev.stormproof.evidence.notary.NoteKey;
import dev.stormproof.evidence.notary.NoteRange;
import dev.stormproof.evidence.notary.NoteStretch;
import dev.stormproof.evidence.notary.Origin;
import dev.stormproof.log.kafka.KafkaLogReader;
import dev.stormproof.log.kafka.WrittenEnd;
import dev.stormproof.proof.sign.PublicKey;
import dev.stormproof.task.notary.NotesTopic;
import dev.stormproof.task.notary.StoredTiles;
import dev.stormproof.task.notary.TilesTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The notes of a notary in a topic, and the hashes that it kept. */
public final class NotesSource implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Connection connection;
    private final Request request;
    private final KafkaLogReader log;

    /**
     * The topics of the notes, and the notary.
     *
     * @param tiles the topic of single hashes; null if there is none
     * @param notary the id of the notary's key, with which each origin begins
     */
    public record Request(String topic, @Nullable String tiles, String notary, PublicKey key) {
        /**
         * The request with a key as it is typed.
         *
         * @param idAndKey the notary's public key as {@code id:base64}
         */
        public static Request of(String topic, @Nullable String tiles, String idAndKey) {
            int colon = idAndKey.indexOf(':');
            if (colon < 1) {
                String vkey = NoteKey.described(idAndKey);
                throw Failure.usage("--notary-key " + idAndKey + ": it is ID:BASE64, as 'key create' prints it"
                        + (vkey.isEmpty() ? "" : "; this is " + vkey));
            }
            try {
                return new Request(
                        topic, tiles, idAndKey.substring(0, colon), PublicKey.ofText(idAndKey.substring(colon + 1)));
            } catch (IllegalArgumentException e) {
                throw Failure.usage("--notary-key: " + e.getMessage(), e);
            }
        }
    }

    public NotesSource(Connection connection, Request request) {
        this.connection = connection;
        this.request = request;
        this.log = newLog(connection);
    }

    /** A reader of a cluster's committed records. */
    static KafkaLogReader newLog(Connection connection) {
        return KafkaLogReader.ofStored(new HashMap<>(connection.clientProperties()), PATIENCE);
    }

    public Request request() {
        return request;
    }

    /** The partitions of the notes topic that cannot be read to the end: an open transaction hides the records after its beginning. */
    public List<TopicPartition> heldBack() throws InterruptedException {
        List<TopicPartition> heldBack = new ArrayList<>();
        for (TopicPartition partition : connection.partitions(request.topic())) {
            long writtenEnd = WrittenEnd.of(connection.admin(), partition);
            if (!WrittenEnd.becomesReadable(log.of(partition), writtenEnd)) {
                heldBack.add(partition);
            }
        }
        return heldBack;
    }

    /**
     * The notes of the trees that are wanted, by origin, in order of their numbers.
     *
     * @param err gets records under these origins that are no notes of the key
     */
    public Map<Origin, List<Note>> read(Predicate<Origin> wanted, Terminal err) throws InterruptedException {
        Map<Origin, List<Note>> notes = byOrigin();
        topic().read(
                        connection.partitionsOf(request.topic()),
                        text -> isWanted(text, wanted),
                        taker(
                                err,
                                note -> notes.computeIfAbsent(note.origin(), origin -> new ArrayList<>())
                                        .add(note)));
        notes.values()
                .forEach(some ->
                        some.sort(Comparator.comparingLong(note -> note.state().number())));
        return notes;
    }

    /**
     * The notes of the trees that are wanted, as far as a range of each needs them.
     *
     * @param rangeOf the range of a tree
     */
    Map<Origin, NoteStretch> read(Predicate<Origin> wanted, Function<Origin, NoteRange> rangeOf, Terminal err)
            throws InterruptedException {
        Map<Origin, NoteStretch> stretches = byOrigin();
        topic().read(
                        connection.partitionsOf(request.topic()),
                        text -> isWanted(text, wanted),
                        taker(
                                err,
                                note -> stretches
                                        .computeIfAbsent(
                                                note.origin(), origin -> new NoteStretch(rangeOf.apply(origin)))
                                        .add(note)));
        return stretches;
    }

    private NotesTopic topic() {
        return new NotesTopic(log, request.topic(), request.key());
    }

    private static <T> Map<Origin, T> byOrigin() {
        return new TreeMap<>(Comparator.comparing(Origin::text));
    }

    /** Asked before a signature is verified: a topic may hold the notes on thousands of trees. */
    private boolean isWanted(String text, Predicate<Origin> wanted) {
        try {
            Origin origin = Origin.parse(text);
            return origin.notary().equals(request.notary()) && wanted.test(origin);
        } catch (MalformedNoteException e) {
            return false;
        }
    }

    private static BiConsumer<@Nullable Note, String> taker(Terminal err, Consumer<Note> notes) {
        return (note, refused) -> {
            if (note == null) {
                err.println("stormproof: not counted: " + refused);
            } else {
                notes.accept(note);
            }
        };
    }

    /**
     * The hashes that the notary kept of the tree of these notes.
     *
     * @param begin the first leaf that is wanted
     */
    public KeptLeaves kept(List<Note> notes, long begin) throws InterruptedException {
        String tiles = request.tiles();
        return tiles == null
                ? KeptLeaves.NONE
                : StoredTiles.of(
                        new TilesTopic(log, tiles),
                        connection.partitionsOf(tiles),
                        notes.get(0).origin(),
                        begin,
                        notes.stream()
                                .mapToLong(note -> note.head().size())
                                .max()
                                .orElse(0));
    }

    @Override
    public void close() {
        log.close();
    }
}
