package dev.stormproof.task.heads;

/** Thrown if bytes are no record of heads. The message has the byte position, the value there and the expected one. */
final class MalformedHeadsException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedHeadsException(int position, String field, String got, String want) {
        super("at byte " + position + ", " + field + ": got " + got + ", want " + want);
    }
}
