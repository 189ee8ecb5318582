package dev.stormproof.verify.feed;

/** A reader of one partition that asks for pieces of its log. */
public interface PieceAsker {
    /** Takes the answer to a piece, which may not be awaited any more. */
    void answer(LogPiece piece, LogPiece.Found found);
}
