package dev.stormproof.cli;

/** The sequences [begin, end) as people read them; may be empty. */
record Span(long begin, long end) {
    @Override
    public String toString() {
        if (begin >= end) {
            return "none";
        }
        return begin + 1 == end ? Long.toString(begin) : begin + " to " + (end - 1);
    }
}
