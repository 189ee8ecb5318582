package dev.stormproof.small;

import dev.stormproof.proof.checkpoint.UnattributedRecord;
import dev.stormproof.small.Play.Told;
import dev.stormproof.small.SmallStream.Statement;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.MissedRecords;
import dev.stormproof.verify.judge.StrayRecord;
import dev.stormproof.verify.judge.Verdict;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Inconclusive.Reason;
import dev.stormproof.verify.judge.Verdict.Verified;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The oracle of small logs: it looks at drawn tokens alone, and knows nothing of how the verifier works.
 *
 * <p>A checkpoint's place is its own, or that of its predecessor if that lies after it. A checkpoint that lies in the log several
 * times has its place where it lies first, but for where it was told as a stray.
 */
final class Truth {
    private final SmallLog small;
    private final Play play;
    private final List<String> broken;
    /** The verdicts that are right in a log that the verifier may have read. */
    private final Set<Told> right = Collections.newSetFromMap(new IdentityHashMap<>());

    private Truth(SmallLog small, Play play) {
        this.small = small;
        this.play = play;
        this.broken = new ArrayList<>(play.broken());
    }

    /** What is broken: the promise first, then the particulars. */
    static List<String> broken(SmallLog small, Play play) {
        Truth truth = new Truth(small, play);
        for (int era = 0; era < play.logs().size(); era++) {
            truth.check(era);
        }
        for (SmallStream stream : small.streams()) {
            truth.checkAlarms(stream);
        }
        return truth.broken;
    }

    /** The findings that hold in an era, by the offset that they are about. */
    private Map<Integer, List<Told>> holding(int era) {
        Map<Integer, List<Told>> holding = new HashMap<>();
        for (Told told : play.told()) {
            int offset = offset(told.finding());
            int valid = Integer.MAX_VALUE;
            for (int cut = Math.min(era, told.era()); cut < Math.max(era, told.era()); cut++) {
                valid = Math.min(valid, play.cuts().get(cut));
            }
            if (offset >= 0 && offset < valid) {
                holding.computeIfAbsent(offset, first -> new ArrayList<>(2)).add(told);
            }
        }
        return holding;
    }

    private static int offset(Finding finding) {
        if (finding instanceof Verdict verdict) {
            return Math.toIntExact(verdict.interval().checkpointOffset());
        }
        return finding instanceof StrayRecord stray ? Math.toIntExact(stray.offset()) : -1;
    }

    private void check(int era) {
        List<Token> log = play.logs().get(era);
        Map<Integer, List<Told>> holding = holding(era);
        holding.forEach((offset, all) -> {
            for (Told told : all) {
                boolean read = told.era() <= era && era <= told.latest();
                if (read && told.finding() instanceof Verified && !right.contains(told)) {
                    checkVerified(told, era, holding);
                }
            }
            if (offset < log.size() && log.get(offset).isCheckpoint()) {
                checkContradictions(log.get(offset), offset, all);
            }
        });
        if (era == play.logs().size() - 1) {
            for (int offset = play.told().isEmpty() ? 0 : Math.max(play.begin(), last().knownFrom());
                    offset < log.size();
                    offset++) {
                if (log.get(offset).isCheckpoint() && !holding.containsKey(offset) && !mayBeTold(offset, era)) {
                    broken.add("nothing was told of a checkpoint: " + log.get(offset) + " at " + offset);
                }
            }
        }
    }

    /** True if something was told of an offset after the log was cut, which the verifier may not have noticed. */
    private boolean mayBeTold(int offset, int era) {
        return play.told().stream().anyMatch(told -> told.latest() == era && offset(told.finding()) == offset);
    }

    private Told last() {
        return play.told().get(play.told().size() - 1);
    }

    private static boolean isBeside(Finding finding) {
        return finding instanceof StrayRecord
                || (finding instanceof Verdict verdict
                        && verdict.interval().statement().sizeBytes() > 0);
    }

    // Promise 1

    private void checkVerified(Told told, int era, Map<Integer, List<Told>> holding) {
        BitSet strays = new BitSet();
        BitSet offChain = new BitSet();
        holding.forEach((offset, all) -> {
            // What is told of it by another verifier counts only if this one does not read it.
            List<Finding> beside = all.stream()
                    .filter(other -> other.knownFrom() == told.knownFrom()
                            && (other.life() == told.life() || offset < told.since()))
                    .map(Told::finding)
                    .toList();
            boolean stray = !beside.isEmpty() && beside.stream().allMatch(StrayRecord.class::isInstance);
            strays.set(offset, stray);
            offChain.set(offset, !beside.isEmpty() && !stray && beside.stream().allMatch(Truth::isBeside));
        });
        List<Token> log = play.logs().get(era);
        int offset = offset(told.finding());
        int knownFrom = told.knownFrom();
        String wrong = wrong(log, offset, 0, strays, offChain);
        if (!wrong.isEmpty() && knownFrom > 0 && knownFrom <= offset) {
            // Of what lies before nothing was known.
            wrong = wrong(log, offset, knownFrom, strays, offChain);
        }
        if (wrong.isEmpty()) {
            right.add(told);
        } else if (era == told.latest()) {
            broken.add(
                    "promise 1: verified, but " + wrong + ": " + told.finding().id() + " at " + offset);
        }
    }

    private String wrong(List<Token> log, int offset, int from, BitSet strays, BitSet offChain) {
        if (offset >= log.size() || !log.get(offset).isCheckpoint()) {
            return "it is no checkpoint";
        }
        Token token = log.get(offset);
        Statement states = small.statement(token);
        for (int i = from; i < offset; i++) {
            if (log.get(i).isSame(token) && !strays.get(i) && !offChain.get(i)) {
                return "it lies further up";
            }
        }
        if (states.number() == 0) {
            return difference(log, from, offset, token, states);
        }
        String wrong = "it continues nothing";
        for (int place : places(log, token, states, from, offset, strays, offChain)) {
            wrong = difference(log, place + 1, offset, token, states);
            if (wrong.isEmpty()) {
                return "";
            }
        }
        return wrong;
    }

    /** Where the predecessor of a checkpoint may have its place. */
    private List<Integer> places(
            List<Token> log, Token token, Statement states, int from, int end, BitSet strays, BitSet offChain) {
        List<Integer> places = new ArrayList<>(1);
        for (int i = from; i < end; i++) {
            Token other = log.get(i);
            if (!other.isCheckpoint() || other.stream() != token.stream() || strays.get(i)) {
                continue;
            }
            Statement before = small.statement(other);
            if (states.continues(other, before)) {
                int place = i;
                List<Integer> further =
                        before.number() == 0 ? List.of() : places(log, other, before, from, end, strays, offChain);
                further.forEach(predecessor -> places.add(Math.max(place, predecessor)));
                if (further.stream().allMatch(offChain::get)) {
                    places.add(i);
                }
                if (!offChain.get(i)) {
                    break;
                }
            }
        }
        return places;
    }

    private String difference(List<Token> log, int begin, int end, Token checkpoint, Statement states) {
        int next = states.first();
        for (int i = begin; i < end; i++) {
            Token token = log.get(i);
            if (token.kind() == Token.UNREAD && states.number() > 0) {
                return "a record was not read";
            }
            if (token.isEvent() && token.stream() == checkpoint.stream()) {
                boolean stated = token.kind() == (states.replaced() ? Token.REPLACED : Token.EVENT);
                if (token.number() != next || !stated) {
                    return "an event differs";
                }
                next++;
            }
        }
        // An end that doubts them all states again what another checkpoint of its number, whoever made it, has sealed
        // before it.
        boolean sealed = !states.doubtful();
        for (int i = begin; i < end && !sealed; i++) {
            Token token = log.get(i);
            if (token.isCheckpoint() && token.stream() == checkpoint.stream()) {
                Statement other = small.statement(token);
                sealed = other.number() == states.number()
                        && !other.doubtful()
                        && difference(log, begin, i, token, other).isEmpty();
            }
        }
        return next == states.next() && sealed ? "" : "an event is missing";
    }

    private void checkContradictions(Token token, int offset, List<Told> all) {
        boolean verified = false;
        boolean denied = false;
        int knownFrom = all.get(0).knownFrom();
        for (Told told : all) {
            verified |= told.finding() instanceof Verified;
            denied |= told.finding() instanceof Violated || told.finding() instanceof StrayRecord;
            knownFrom = Math.max(knownFrom, told.knownFrom());
        }
        // A checkpoint that is out of its place or forged counts if none continues the last one in time; and a restart
        // from an earlier
        // commit does not know the heads of what has expired since.
        boolean mayDiffer = play.silent() || play.expired();
        if (verified && denied && knownFrom == all.get(0).knownFrom() && !mayDiffer) {
            broken.add("told in two ways: " + token + " at " + offset);
        }
    }

    // Promise 2

    private enum Harm {
        NONE,
        /** What is missing may be there, or may never have been written. */
        UNSURE,
        OTHER
    }

    /** What was done to a stream, in any log that there ever was. */
    private Harm harm(SmallStream stream) {
        List<Token> faultless = stream.tokens();
        Harm harm = Harm.NONE;
        for (List<Token> log : play.logs()) {
            int place = 0;
            int unread = 0;
            for (Token token : log) {
                if (token.kind() == Token.UNREAD) {
                    unread++;
                    harm = Harm.UNSURE;
                } else if (token.stream() == stream.index()) {
                    while (place < faultless.size()
                            && unread > 0
                            && !faultless.get(place).isSame(token)) {
                        place++;
                        unread--;
                    }
                    while (place < faultless.size()
                            && !faultless.get(place).isSame(token)
                            && isInDoubt(stream, faultless.get(place))) {
                        place++;
                        harm = Harm.UNSURE;
                    }
                    if (place >= faultless.size() || !faultless.get(place).isSame(token)) {
                        return Harm.OTHER;
                    }
                    place++;
                    unread = 0;
                }
            }
        }
        return harm;
    }

    /** True if the stream's end leaves in doubt whether a record arrived, and it is read before any silence. */
    private boolean isInDoubt(SmallStream stream, Token token) {
        List<Token> log = play.logs().get(play.logs().size() - 1);
        boolean ends = log.stream().anyMatch(end -> end.kind() == Token.END && end.stream() == stream.index());
        boolean last = token.isEvent()
                ? token.number() >= stream.first(stream.last())
                : token.kind() == Token.CHECKPOINT && token.number() == stream.last();
        return ends && last && !play.silent() && play.logs().size() == 1;
    }

    private void checkAlarms(SmallStream stream) {
        Harm harm = harm(stream);
        if (harm == Harm.OTHER) {
            return;
        }
        BitSet inconclusive = new BitSet();
        BitSet verified = new BitSet();
        for (Told told : play.told()) {
            Finding finding = told.finding();
            if (!isOf(told, stream)) {
                continue;
            }
            if (finding instanceof Violated) {
                broken.add("promise 2: violated: " + finding.id());
            } else if (finding instanceof MissedRecords) {
                broken.add("promise 2: missed: " + finding.id());
            } else if (finding instanceof StrayRecord stray) {
                broken.add("promise 2: stray " + stray.kind() + ": at " + stray.offset());
            } else if (finding instanceof Inconclusive other) {
                if (other.reason() != Reason.UNSEALED && !isEnd(told)) {
                    inconclusive.set(offset(finding));
                }
            } else if (finding instanceof Verified) {
                verified.set(offset(finding));
            }
        }
        if (harm == Harm.NONE && !play.expired()) {
            checkVerifiedThroughout(stream, inconclusive.cardinality(), verified);
        }
    }

    private void checkVerifiedThroughout(SmallStream stream, int inconclusive, BitSet verified) {
        if (inconclusive > play.forgotten() * play.logs().size()) {
            broken.add("promise 2: " + inconclusive + " inconclusive: stream " + stream.index());
        }
        List<Token> log = play.logs().get(play.logs().size() - 1);
        for (int offset = 0; offset < log.size() && play.forgotten() == 0; offset++) {
            Token token = log.get(offset);
            if (token.stream() == stream.index() && token.kind() == Token.CHECKPOINT && !verified.get(offset)) {
                broken.add("promise 2: not verified: " + token + " at " + offset);
            }
        }
    }

    private boolean isEnd(Told told) {
        int offset = offset(told.finding());
        return play.logs().subList(told.era(), told.latest() + 1).stream()
                .anyMatch(log -> offset < log.size() && log.get(offset).kind() == Token.END);
    }

    private boolean isOf(Told told, SmallStream stream) {
        if (told.finding() instanceof Verdict verdict) {
            return SmallLog.stream(verdict.interval().stream().emitter()) == stream.index();
        }
        if (told.finding() instanceof StrayRecord stray) {
            return stray.kind() != UnattributedRecord.Kind.OVERSIZED
                    && play.logs().subList(told.era(), told.latest() + 1).stream()
                            .anyMatch(log -> stray.offset() < log.size()
                                    && log.get((int) stray.offset()).stream() == stream.index());
        }
        return told.finding() instanceof MissedRecords && !play.expired();
    }
}
