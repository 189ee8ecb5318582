package dev.stormproof.checkpoint;

import dev.stormproof.merkle.TreeHash;

/** The fields that event headers and checkpoints of format 2 have in common. */
final class Signatures {
    private Signatures() {}

    /** Throws if an algorithm that the format knows has signatures of another size. */
    static void check(int algorithm, int sizeBytes) {
        if (!EventSigners.isKnown(algorithm) || !sizeFits(algorithm, sizeBytes)) {
            throw new IllegalArgumentException(
                    "signature algorithm " + algorithm + " with signatures of " + sizeBytes + " bytes");
        }
    }

    static void checkRead(int position, int algorithm, int sizeBytes) throws MalformedCheckpointException {
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
        int id = in.uint8("tree hash");
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
                    position, "signature algorithm", Integer.toString(algorithm), "1, 2 or 128 to 255");
        }
        return algorithm;
    }

    private static boolean sizeFits(int algorithm, int sizeBytes) {
        int demanded = EventSigners.sizeOf(algorithm);
        return demanded == 0 ? sizeBytes >= 1 && sizeBytes <= EventSigners.MAX_SIZE_BYTES : sizeBytes == demanded;
    }
}
