package dev.stormproof.cli;

/** A range holds the offsets [begin, end) of a log, or of a stream, its sequences; its text is the one for people. */
record OffsetRange(long begin, long end) {
    @Override
    public String toString() {
        if (begin >= end) {
            return "none";
        }
        return begin + 1 == end ? Long.toString(begin) : begin + " to " + (end - 1);
    }
}
