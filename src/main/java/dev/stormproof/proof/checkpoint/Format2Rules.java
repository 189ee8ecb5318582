package dev.stormproof.proof.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.tree.TreeHash;
import java.util.List;
import java.util.regex.Pattern;

final class Format2Rules {
    static final int MAX_TOPIC_BYTES = 249;

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._-]+");

    private Format2Rules() {}

    static boolean isTopic(String topic) {
        return topic.length() <= MAX_TOPIC_BYTES
                && WORD.matcher(topic).matches()
                && !topic.equals(".")
                && !topic.equals("..");
    }

    /** True if the name is valid UTF-8, not too long, and without control characters. */
    static boolean isName(String name) {
        return name.length() <= Format2Checkpoint.MAX_NAME_BYTES
                && name.chars().noneMatch(Character::isISOControl)
                && UTF_8.newEncoder().canEncode(name)
                && name.getBytes(UTF_8).length <= Format2Checkpoint.MAX_NAME_BYTES;
    }

    /** The fault in the ranges of an interval; empty if there is none. */
    static String faultOfUncertain(
            long firstSequence, long eventCount, List<SequenceRange> uncertain, boolean refused) {
        if (uncertain.size() > Format2Checkpoint.MAX_UNCERTAIN) {
            return uncertain.size() + " uncertain ranges";
        }
        if (refused && uncertain.isEmpty()) {
            return "the flag refused without an uncertain range";
        }
        long count = 0;
        long previousEnd = -1;
        for (SequenceRange range : uncertain) {
            if (range.begin() <= previousEnd) {
                return "uncertain range " + range + " not beyond " + previousEnd;
            }
            previousEnd = range.end();
            count += range.count();
        }
        // The ranges are disjoint, so that their count cannot overflow; the sum can.
        long nextSequence = firstSequence + eventCount + count;
        if (firstSequence + eventCount < 0 || nextSequence < 0) {
            return "sequences beyond " + Long.MAX_VALUE;
        }
        if (!uncertain.isEmpty() && (uncertain.get(0).begin() < firstSequence || previousEnd > nextSequence)) {
            return "uncertain ranges outside of [" + firstSequence + ", " + nextSequence + ")";
        }
        return "";
    }

    /** Throws if an algorithm that the format knows has signatures of another size. */
    static void checkSignature(int algorithm, int sizeBytes) {
        if (!EventSigners.isKnown(algorithm) || !sizeFits(algorithm, sizeBytes)) {
            throw new IllegalArgumentException(
                    "signature algorithm " + algorithm + " with signatures of " + sizeBytes + " bytes");
        }
    }

    static void checkSignatureRead(int position, int algorithm, int sizeBytes) throws MalformedCheckpointException {
        if (!sizeFits(algorithm, sizeBytes)) {
            int demanded = EventSigners.sizeOf(algorithm);
            throw MalformedCheckpointException.damaged(
                    position,
                    "size of signature",
                    sizeBytes + " bytes",
                    demanded == 0 ? "1 to " + EventSigners.MAX_SIZE_BYTES : Integer.toString(demanded));
        }
    }

    static long readEmitter(WireReader in) throws MalformedCheckpointException {
        int position = in.position();
        long emitter = in.int64("emitter id");
        if (emitter == StreamId.NO_EMITTER) {
            throw MalformedCheckpointException.damaged(position, "emitter id", "0", "any other");
        }
        return emitter;
    }

    static TreeHash readTreeHash(WireReader in) throws MalformedCheckpointException {
        int position = in.position();
        return treeHash(position, in.uint8("tree hash"));
    }

    static TreeHash treeHash(int position, int id) throws MalformedCheckpointException {
        TreeHash treeHash = TreeHash.ofId(id).orElse(TreeHash.ADLER32);
        if (treeHash == TreeHash.ADLER32) {
            throw MalformedCheckpointException.unsupported(position, "tree hash", Integer.toString(id), "1 or 2");
        }
        return treeHash;
    }

    static int readAlgorithm(WireReader in) throws MalformedCheckpointException {
        int position = in.position();
        int algorithm = in.uint8("signature algorithm");
        if (!EventSigners.isKnown(algorithm)) {
            throw MalformedCheckpointException.unsupported(
                    position, "signature algorithm", Integer.toString(algorithm), "3, 4 or 128 to 255");
        }
        return algorithm;
    }

    private static boolean sizeFits(int algorithm, int sizeBytes) {
        int demanded = EventSigners.sizeOf(algorithm);
        return demanded == 0 ? sizeBytes >= 1 && sizeBytes <= EventSigners.MAX_SIZE_BYTES : sizeBytes == demanded;
    }
}
