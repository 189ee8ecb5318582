package dev.stormproof.output;

import dev.stormproof.checkpoint.Event;
import dev.stormproof.judge.SealedInterval;
import dev.stormproof.judge.Verdict;
import dev.stormproof.merkle.Hash;
import org.jspecify.annotations.Nullable;

/**
 * The judgement on an interval, or on some that follow on; of a verified one there is no finding.
 *
 * @param begin where the checkpoint lies that the first of their own continues; {@link #NOWHERE} if not behind what is held
 * @param continued the number of that checkpoint
 * @param number that of the last of their own
 * @param hash the hash by which its successor names that one; empty in format 1, and if it is unknown since a cut
 * @param ends where each of them ends, the last one at its key, and the sequences that they state
 * @param passed what the output has passed of their events
 */
record Judged(
        @Nullable Verdict against,
        long begin,
        long continued,
        long number,
        Hash hash,
        IntervalEnds ends,
        Passed passed) {
    /** Instead of the number of a recovered end, which stands beside the chain: none continues it. */
    static final long BESIDE = Long.MIN_VALUE;

    /** Before every offset. */
    static final long NOWHERE = -1;

    /** What a checkpoint says of its place in the chain: the hash of the one that it continues, and its own. */
    record Chained(Hash previous, Hash own) {}

    /** What the output has passed of the events of a judgement: verified ones lie there once each, and in order. */
    static final class Passed {
        /** The sequence of the last one; -1 before the first. */
        long last = -1;
    }

    boolean isContinuedBy(SealedInterval interval, @Nullable Chained chained) {
        return against == null
                && chained != null
                && chained.previous().equals(hash)
                && interval.number() == number + 1
                && interval.firstSequence() == ends.nextSequence()
                // guard: intervals-that-follow-on-are-bounded: ends.count() < IntervalEnds.MOST => true
                && ends.count() < IntervalEnds.MOST;
    }

    /** True if the event has one of their sequences, and lies where it may. */
    boolean states(Event event) {
        boolean numbered = ends.state(event.sequence(), event.offset());
        // A copy may have expired in the log, and is not seen by who verifies what is left of that.
        // guard: copy-that-expired-before-its-interval-was-verified-is-held: true
        boolean first = passed.last < event.sequence();
        // guard: copy-before-an-unjudged-checkpoint-is-held: numbered
        return numbered && begin < event.offset() && first;
    }

    /** The same without what ends before an offset. */
    Judged from(long offset) {
        return new Judged(against, begin, continued, number, hash, ends.from(offset), passed);
    }

    /**
     * What is left of the same where another leader wrote again from an offset on: of events that may be passed once more. Its last
     * checkpoint is one that is left, or the one before what was cut in two.
     *
     * @param plainGone how many events of format 1 lay behind that place: so many fewer are stated before it
     */
    Judged without(long plainGone, long offset) {
        // guard: cut-interval-of-format-1-states-what-is-left-of-it: 0
        long gone = Math.min(plainGone, count());
        long last = number == BESIDE ? BESIDE : number - ends.countFrom(offset);
        return new Judged(against, begin, continued, last, Hash.empty(), ends.upTo(offset, gone), new Passed());
    }

    /** True if the last of their own bears a hash. */
    boolean isEndedBy(Hash other) {
        // guard: nothing-begins-at-a-recovered-end: hash.equals(other)
        return number != BESIDE && hash.equals(other);
    }

    /** True if a checkpoint is one of their own, but not the last one whose hash is known. */
    boolean hasWithin(long other) {
        boolean unknownHash = hash.sizeBytes() == 0;
        return against == null && continued < other && (other < number || (unknownHash && other == number));
    }

    long count() {
        return ends.nextSequence() - ends.firstSequence();
    }

    /** True if another one continues a checkpoint of these, or one that lies behind them and may be judged later. */
    boolean isBefore(Judged other) {
        // guard: event-far-before-its-interval-is-held: && continued => && other.continued <= number && continued
        return number != BESIDE && continued < other.continued;
    }
}
