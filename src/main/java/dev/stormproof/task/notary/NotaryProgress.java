package dev.stormproof.task.notary;

import dev.stormproof.evidence.notary.NoteState.Place;
import dev.stormproof.evidence.notary.Origin;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * The committed offset of a notarized partition, {@code next}, with its metadata: {@code n1 origin partition offset writer}, where partition and
 * offset are those of its last note. {@code next} is also after ends of transactions that were read.
 */
record NotaryProgress(long next, String tree, Place note, String writer) {
    private static final String VERSION = "n1";
    private static final int FIELDS = 5;

    static Optional<NotaryProgress> parse(OffsetAndMetadata committed) {
        String[] fields = committed.metadata().split(" ", -1);
        try {
            return fields.length == FIELDS && fields[0].equals(VERSION)
                    ? Optional.of(new NotaryProgress(
                            committed.offset(),
                            fields[1],
                            new Place(Integer.parseInt(fields[2]), Long.parseLong(fields[3])),
                            fields[4]))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** True if it is of this tree: of the topic that has the name now, and of the same notary. */
    boolean isOf(Origin origin) {
        return origin.text().equals(tree);
    }

    OffsetAndMetadata at(int leaderEpoch) {
        return new OffsetAndMetadata(
                next,
                leaderEpoch < 0 ? Optional.empty() : Optional.of(leaderEpoch),
                String.join(
                        " ", VERSION, tree, Integer.toString(note.partition()), Long.toString(note.offset()), writer));
    }
}
