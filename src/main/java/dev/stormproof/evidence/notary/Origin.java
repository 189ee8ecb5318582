package dev.stormproof.evidence.notary;

import java.util.regex.Pattern;

/**
 * The identity of a tree of notes, which is the first line of each: {@code notary/cluster id/topic/topic id/partition}.
 *
 * <p>A topic that is deleted and created again has another id, and so another tree.
 *
 * @param notary the id of the notary's key
 * @param clusterId Kafka's id of the cluster
 * @param topicId Kafka's id of the topic, as its tools print it
 */
public record Origin(String notary, String clusterId, String topic, String topicId, int partition) {
    /** A part between two slashes, of which a witness may make a part of a URL. */
    private static final Pattern PART = Pattern.compile("[A-Za-z0-9._-]{1,255}");

    private static final int PARTS = 5;

    /** @throws IllegalArgumentException if no line of a note can have it */
    public Origin {
        for (String part : new String[] {notary, clusterId, topic, topicId}) {
            if (!PART.matcher(part).matches()) {
                throw new IllegalArgumentException("'" + part + "' in an origin: letters, digits, '.', '_' and '-'");
            }
        }
        if (partition < 0) {
            throw new IllegalArgumentException("partition " + partition);
        }
    }

    /** Reads the line of a note. */
    public static Origin parse(String text) throws MalformedNoteException {
        String[] parts = text.split("/", -1);
        try {
            if (parts.length == PARTS) {
                Origin origin = new Origin(parts[0], parts[1], parts[2], parts[3], Integer.parseInt(parts[4]));
                if (origin.text().equals(text)) {
                    return origin;
                }
            }
        } catch (IllegalArgumentException e) {
            throw new MalformedNoteException("origin '" + text + "': " + e.getMessage());
        }
        throw new MalformedNoteException("origin '" + text + "' is none of notary/cluster/topic/topic id/partition");
    }

    /** The line of a note. */
    public String text() {
        return notary + "/" + clusterId + "/" + topic + "/" + topicId + "/" + partition;
    }

    @Override
    public String toString() {
        return text();
    }
}
