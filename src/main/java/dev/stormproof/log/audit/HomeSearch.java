package dev.stormproof.log.audit;

import dev.stormproof.log.audit.Beginnings.Beginning;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.Reach.OutOfReachException;
import dev.stormproof.proof.checkpoint.CheckpointRecord;
import dev.stormproof.proof.checkpoint.Event;
import dev.stormproof.verify.judge.Evidence.Homes;
import dev.stormproof.verify.judge.Succession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The search for the intervals that state the events of others, which lie in the log once more far behind them.
 *
 * <pre>
 *   offsets   ── p2 ── p1 ── HOME ── s ── … ── begin ── own range, with a copy ── target ──►
 *                └──────read───────┘           └ what was gathered
 * </pre>
 *
 * <p>The chain is followed back from what was gathered, one checkpoint at a time, to the home of each sequence that is wanted;
 * only there events are read, with the interval before and the one behind. Steps, records and bytes are bounded.
 */
final class HomeSearch {
    /** How many checkpoints of the chain are passed. */
    static final int MAX_STEPS = 1_024;

    private final SearchedLog reader;
    private final Beginnings beginnings;
    private final Reach reach;
    private final SortedSet<Long> wanted;
    /** The places of the chain, from where the gathered records begin backwards. */
    private final List<Beginning> chain = new ArrayList<>();

    private final List<CheckpointRecord> homes = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private long bytesLeft;

    /**
     * @param wanted the sequences whose homes are looked for
     * @param maxBytes about how much memory what is found may take
     */
    HomeSearch(SearchedLog reader, Beginnings beginnings, Reach reach, SortedSet<Long> wanted, long maxBytes) {
        this.reader = reader;
        this.beginnings = beginnings;
        this.reach = reach;
        this.wanted = wanted;
        this.bytesLeft = maxBytes;
    }

    Homes before(Beginning gathered) throws ExpiredRangeException {
        chain.add(gathered);
        try {
            follow();
            readHomes();
        } catch (OutOfReachException e) {
            // What was found so far counts.
        }
        return new Homes(homes, events);
    }

    /** Follows the chain two checkpoints beyond the home of the lowest sequence. */
    private void follow() throws ExpiredRangeException {
        int beyond = 0;
        try {
            while (beyond < 2 && chain.size() <= MAX_STEPS) {
                Beginning last = chain.get(chain.size() - 1);
                Beginning further = beginnings.before(last, reach);
                if (further.offset() >= last.offset()) {
                    return;
                }
                beyond += firstSequence(last) <= wanted.first() ? 1 : 0;
                chain.add(further);
            }
        } catch (OutOfReachException e) {
            // The homes that were passed can still be read.
        }
    }

    private static long firstSequence(Beginning place) {
        return place.checkpoint()
                .map(record -> record.checkpoint().firstSequence())
                .orElse(0L);
    }

    private void readHomes() throws ExpiredRangeException, OutOfReachException {
        long end = chain.get(0).offset();
        long readFrom = end;
        for (int i = -1; i + 1 < chain.size(); i++) {
            if (!isHome(i)) {
                continue;
            }
            long from = chain.get(Math.min(i + 2, chain.size() - 1)).offset();
            read(from, Math.min(readFrom, i < 1 ? end : chain.get(i - 1).offset()));
            readFrom = Math.min(readFrom, from);
            if (i >= 0) {
                keep(chain.get(i).checkpoint().orElseThrow());
            }
            if (bytesLeft < 0) {
                return;
            }
        }
    }

    /** True if a place's interval, or for -1 the one right behind the first place, states what is wanted. */
    private boolean isHome(int i) {
        if (i + 1 >= chain.size()) {
            return false;
        }
        if (i < 0) {
            long gatheredFrom =
                    chain.get(0).checkpoint().orElseThrow().checkpoint().nextSequence();
            return wanted.last() >= gatheredFrom;
        }
        Optional<CheckpointRecord> predecessor = chain.get(i + 1).checkpoint();
        return chain.get(i)
                .checkpoint()
                .filter(home -> Succession.number(home) == 0
                        || predecessor
                                .filter(before -> Succession.names(home, before))
                                .isPresent())
                .filter(home -> !wanted.subSet(
                                home.checkpoint().firstSequence(),
                                home.checkpoint().nextSequence())
                        .isEmpty())
                .isPresent();
    }

    private void keep(CheckpointRecord home) throws ExpiredRangeException {
        Optional<CheckpointRecord> whole = reader.wholeAt(home.offset());
        bytesLeft -= whole.map(RecordSizes::of).orElse(0L);
        whole.filter(found -> bytesLeft >= 0).ifPresent(homes::add);
    }

    private void read(long from, long to) throws ExpiredRangeException, OutOfReachException {
        long emitter =
                chain.get(0).checkpoint().orElseThrow().checkpoint().stream().emitter();
        reach.read(from, to, record -> {
            boolean found =
                    record instanceof Event event && event.emitter() == emitter && wanted.contains(event.sequence());
            bytesLeft -= found ? RecordSizes.of(record) : 0;
            if (found && bytesLeft >= 0) {
                events.add((Event) record);
            }
        });
    }
}
