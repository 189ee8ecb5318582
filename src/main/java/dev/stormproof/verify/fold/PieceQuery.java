package dev.stormproof.verify.fold;

import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.PieceAsker;

/**
 * A query for the records after the last one that was handed over.
 *
 * @param asker takes the answer, in its owner's thread: a verifier's feed, or a verified topic's reader of the same log
 */
public record PieceQuery(PieceAsker asker, LogPiece piece) implements LogQuery {
    @Override
    public long beginOffset() {
        return piece.beginOffset();
    }
}
