package dev.stormproof.small;

/**
 * A record of a small log, as it is drawn.
 *
 * <pre>
 *   e3      event 3; be3 of the second stream
 *   ~e3     with another value than was signed
 *   ^e3     with another value, and a signature that fits it
 *   #2      checkpoint 2
 *   F2/5    a forged checkpoint 2, of a variant
 *   E2      an end of the stream in the place of checkpoint 2, which states nothing for certain
 *   ?       a record that is too large to be read
 *   e3'     a copy
 * </pre>
 *
 * @param number the sequence of an event, the number of a checkpoint
 * @param variant of a forged checkpoint, the sum of what is wrong in it
 * @param copy true if the emitter did not write it here
 */
record Token(char kind, int stream, int number, int variant, boolean copy) {
    static final char EVENT = 'e';
    static final char ALTERED = '~';
    static final char REPLACED = '^';
    static final char CHECKPOINT = '#';
    static final char FORGED = 'F';
    static final char END = 'E';
    static final char UNREAD = '?';

    static Token of(char kind, int stream, int number) {
        return new Token(kind, stream, number, 0, false);
    }

    Token copied() {
        return new Token(kind, stream, number, variant, true);
    }

    Token as(char other) {
        return new Token(other, stream, number, variant, copy);
    }

    boolean isEvent() {
        return kind == EVENT || kind == ALTERED || kind == REPLACED;
    }

    boolean isCheckpoint() {
        return kind == CHECKPOINT || kind == FORGED || kind == END;
    }

    /** True if both are the same record, wherever they lie. */
    boolean isSame(Token other) {
        return kind == other.kind && stream == other.stream && number == other.number && variant == other.variant;
    }

    @Override
    public String toString() {
        String letter = stream == 0 ? "" : "b";
        String drawn = switch (kind) {
            case ALTERED, REPLACED -> kind + letter + "e" + number;
            case FORGED -> letter + "F" + number + "/" + variant;
            case UNREAD -> "?";
            default -> letter + kind + number;
        };
        return drawn + (copy ? "'" : "");
    }
}
