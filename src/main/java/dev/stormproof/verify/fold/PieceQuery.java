package dev.stormproof.verify.fold;

import dev.stormproof.verify.feed.LogFeed;
import dev.stormproof.verify.feed.LogPiece;

/**
 * A query for the records after the last one that was handed over.
 *
 * @param asker the feed that takes the answer, in its owner's thread: a verifier's, or another one on the same log
 */
public record PieceQuery(LogFeed asker, LogPiece piece) implements LogQuery {
    @Override
    public long beginOffset() {
        return piece.beginOffset();
    }
}
