package dev.stormproof.sim;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.evidence.notary.KeptLeaves;
import dev.stormproof.evidence.notary.MalformedNoteException;
import dev.stormproof.evidence.notary.Note;
import dev.stormproof.evidence.notary.NoteState;
import dev.stormproof.evidence.notary.NoteTaking;
import dev.stormproof.evidence.notary.NotedLog;
import dev.stormproof.evidence.notary.NotesCheck;
import dev.stormproof.evidence.notary.NotesFinding;
import dev.stormproof.evidence.notary.NotesFinding.Kind;
import dev.stormproof.evidence.notary.Origin;
import dev.stormproof.evidence.notary.RecordLeaf;
import dev.stormproof.proof.sign.ByteSlice;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.verify.feed.EpochEnd;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A log that two notaries take notes of, driven by one seed: elections, cuts, retention, kills, and writers that are fenced. Then one
 * thing is done to the log, and the judgement of the notes is held against what was really noted.
 *
 * <pre>
 *   log ──round──► tree ──note──► transaction ──committed──► chain of notes, kept leaves, truth
 *                                    └─ lost, or fenced: no trace of it is left
 * </pre>
 */
final class Notarized implements NotedLog {
    private static final int HASH_BYTES = 32;
    private static final Origin ORIGIN = new Origin("notary-1", "cluster", "orders", "topic-id", 0);
    private static final CheckpointKey KEY = CheckpointKey.ofPkcs8(
            "notary-1",
            HexFormat.of()
                    .parseHex("302e020100300506032b657004220420"
                            + "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"));

    private final SplittableRandom random;
    private final Outcome outcome;
    private final TreeMap<Long, Entry> log = new TreeMap<>();
    /** Where each leader epoch begins. */
    private final TreeMap<Integer, Long> epochs = new TreeMap<>();

    private final List<Note> chain = new ArrayList<>();
    private final List<Note> lost = new ArrayList<>();
    private final List<Noted> truth = new ArrayList<>();
    private final ByteArrayOutputStream leaves = new ByteArrayOutputStream();
    private final @Nullable Notary[] notaries = new Notary[2];
    private final List<String> story = new ArrayList<>();
    private long begin;
    private long end;
    private int epoch = 1;
    private int written;
    private int writer;
    private final boolean returns;
    /** The log as it was before each cut. */
    private final List<Kept> kept = new ArrayList<>();

    private boolean wasCut;
    private boolean cameBack;
    private boolean neverNoted;

    private record Entry(int epoch, String text) {}

    private record Kept(TreeMap<Long, Entry> log, TreeMap<Integer, Long> epochs, long end) {}

    private record Noted(long offset, String text) {}

    /** One that lives: its number as a writer, by which it is fenced, and its tree. */
    private record Notary(int writer, NoteTaking taking) {}

    private Notarized(SplittableRandom random, boolean returns, Outcome outcome) {
        this.random = random;
        this.returns = returns;
        this.outcome = outcome;
        epochs.put(epoch, 0L);
    }

    /**
     * Runs the log that is drawn from a source; throws if the notes say of it what is not so.
     *
     * @param returns true if replicas that were away since a cut come back
     */
    static void run(SplittableRandom random, boolean returns, Outcome outcome) {
        Notarized one = new Notarized(random, returns, outcome);
        try {
            one.run();
        } catch (AssertionError | RuntimeException broken) {
            throw new AssertionError("notes: " + broken + "; " + one.story, broken);
        }
    }

    private void run() {
        int steps = random.nextInt(5, 40);
        for (int i = 0; i < steps; i++) {
            step();
        }
        round(0, 1);
        checkChain();
        if (random.nextInt(4) == 0) {
            checkAllIsNoted();
        }
        check("as it is", -1, null);
        checkCopy();
        doSomethingTo();
    }

    private void step() {
        int what = random.nextInt(100);
        if (what < 50) {
            append();
        } else if (what < 58) {
            elect(end);
        } else if (what < 63) {
            cut();
        } else if (what < 68 && end > begin) {
            begin = random.nextLong(begin, end + 1);
            log.headMap(begin).clear();
            say("expired to " + begin);
        } else if (what < 90) {
            round(random.nextInt(2), random.nextInt(8));
        } else {
            notaries[random.nextInt(2)] = null;
            say("killed");
        }
    }

    private void append() {
        for (int i = random.nextInt(1, 9); i > 0; i--) {
            log.put(end++, new Entry(epoch, "record " + written++));
        }
        if (random.nextInt(3) == 0) {
            if (random.nextInt(4) == 0) {
                elect(end);
            }
            end++; // The end of a transaction.
        }
        say("written to " + end);
    }

    private void elect(long from) {
        // An epoch that wrote nothing leaves no trace in the log.
        epochs.values().removeIf(start -> start >= from);
        epochs.put(++epoch, from);
        say("epoch " + epoch + " from " + from);
    }

    private void cut() {
        if (end > begin) {
            long at = random.nextLong(begin, end);
            Kept now = new Kept(new TreeMap<>(log), new TreeMap<>(epochs), end);
            if (returns && written % 2 == 0 && !kept.isEmpty()) {
                comeBack(kept.get(written % kept.size()));
            } else {
                end = at;
                log.tailMap(end).clear();
            }
            elect(end);
            kept.add(now);
            wasCut = true;
        }
    }

    private void comeBack(Kept replica) {
        log.clear();
        log.putAll(replica.log().tailMap(begin, true));
        epochs.clear();
        epochs.putAll(replica.epochs());
        end = Math.max(begin, replica.end());
        cameBack = true;
        say("came back, up to " + end);
    }

    private EpochEnd endOfEpoch(long offset, int asked) {
        Map.Entry<Integer, Long> after = epochs.higherEntry(asked);
        Map.Entry<Integer, Long> last = epochs.floorEntry(asked);
        boolean expired = last == null || (after != null && after.getValue() <= begin);
        return new EpochEnd(expired ? asked : last.getKey(), Math.min(offset, after == null ? end : after.getValue()));
    }

    /** A round of a notary's; what it makes is lost if it is fenced or dies. */
    private void round(int which, int luck) {
        Notary notary = notaries[which];
        if (notary == null) {
            NoteTaking taking = chain.isEmpty() ? NoteTaking.begin(ORIGIN, 0, true) : continued();
            notary = new Notary(++writer, taking);
            notaries[which] = notary;
        }
        NoteTaking taking = notary.taking();
        switch (taking.findOn(begin, end, this::endOfEpoch)) {
            case CUT -> say("cut seen at " + taking.next());
            case EXPIRED -> neverNoted = true;
            case GOES_ON -> {}
        }
        List<Noted> taken = new ArrayList<>();
        int most = random.nextInt(1, 30);
        for (Map.Entry<Long, Entry> one : log.tailMap(taking.next()).entrySet()) {
            if (taken.size() == most) {
                break;
            }
            taking.take(
                    one.getKey(), one.getValue().epoch(), leaf(one.getValue().text()));
            taken.add(new Noted(one.getKey(), one.getValue().text()));
        }
        if (taken.size() < most) {
            taking.passedUpTo(end);
        }
        if (!taking.hasNews()) {
            return;
        }
        List<NoteTaking.Tile> tiles = taking.tiles();
        Note note = taking.note(written, NoteState.Place.NONE, KEY).note();
        if (notary.writer() < writer || luck == 0) {
            notaries[which] = null;
            lost.add(note);
            outcome.count("notes that were lost");
            say("lost note " + note.state().number());
            return;
        }
        long before = chain.isEmpty() ? 0 : chain.get(chain.size() - 1).head().size();
        chain.add(note);
        truth.addAll(taken);
        keep(tiles, before);
        outcome.count("notes");
        say("note " + note.state().number() + " to " + note.state().next());
    }

    private NoteTaking continued() {
        Note last = chain.get(chain.size() - 1);
        try {
            byte[] all = leaves.toByteArray();
            int full = all.length / HASH_BYTES / NoteTaking.TILE * NoteTaking.TILE * HASH_BYTES;
            return NoteTaking.after(last, Hash.copyOf(all, full, all.length - full));
        } catch (MalformedNoteException e) {
            throw new AssertionError(e);
        }
    }

    private void keep(List<NoteTaking.Tile> tiles, long before) {
        byte[] had = leaves.toByteArray();
        for (NoteTaking.Tile tile : tiles) {
            byte[] hashes = tile.hashes().toByteArray();
            int from = (int) Math.max(0, (before - tile.index() * NoteTaking.TILE) * HASH_BYTES);
            World.require(
                    Arrays.equals(had, had.length - from, had.length, hashes, 0, from),
                    "a tile that does not continue the one before");
            leaves.write(hashes, from, hashes.length - from);
            had = leaves.toByteArray();
            before = had.length / HASH_BYTES;
        }
    }

    /** The chain is one: numbers without a gap, each tree the one before and more, all leaves those that were read. */
    private void checkChain() {
        for (int i = 0; i < chain.size(); i++) {
            World.require(chain.get(i).state().number() == i, "note " + i + " is numbered otherwise");
        }
        long size = chain.isEmpty() ? 0 : chain.get(chain.size() - 1).head().size();
        World.require(size == truth.size(), "the notes are of " + size + " records, noted were " + truth.size());
        byte[] all = leaves.toByteArray();
        World.require(all.length == truth.size() * HASH_BYTES, "leaves that were kept: " + all.length);
        byte[] hash = new byte[HASH_BYTES];
        for (int i = 0; i < truth.size(); i++) {
            leaf(truth.get(i).text()).hashTo(hash, 0);
            World.require(Arrays.equals(hash, 0, HASH_BYTES, all, i * HASH_BYTES, (i + 1) * HASH_BYTES), "leaf " + i);
        }
        for (Note one : lost) {
            if (one.state().number() < chain.size()
                    && !one.equals(chain.get((int) one.state().number()))) {
                List<Note> forked = new ArrayList<>(chain);
                forked.add(one);
                World.require(
                        new NotesCheck(forked, this, kept(), offset -> {})
                                .ofSameLog().findings().stream().anyMatch(it -> it.kind() == Kind.FORKED),
                        "a second note " + one.state().number() + " is not told");
            }
        }
    }

    /** In the end every record is noted that was not written over an epoch that expired. */
    private void checkAllIsNoted() {
        int most = truth.size() + 2 * log.size();
        for (int size = -1; size < truth.size(); ) {
            size = truth.size();
            World.require(size <= most, "records are noted again and again");
            round(0, 1);
            round(0, 1);
        }
        checkChain();
        World.require(neverNoted || log.keySet().stream().allMatch(this::isNoted), "a record that no note is of");
    }

    private boolean isNoted(long offset) {
        String text = log.get(offset).text();
        return truth.stream()
                .anyMatch(one -> one.offset() == offset && one.text().equals(text));
    }

    /** A copy of what was noted, at other offsets, is the same; one that lacks a record is not. */
    private void checkCopy() {
        List<String> copy = new ArrayList<>(truth.stream().map(Noted::text).toList());
        if (copy.isEmpty()) {
            return;
        }
        for (KeptLeaves hashes : List.of(kept(), KeptLeaves.NONE)) {
            NotesCheck.Result same = new NotesCheck(chain, new Copy(copy), hashes, offset -> {}).ofCopy();
            World.require(
                    same.isComplete() && same.unaltered() == copy.size() && !same.isViolated(),
                    "a copy: " + texts(same) + ", unaltered " + same.unaltered());
        }
        checkOlderCopy();
        int leaf = random.nextInt(copy.size());
        List<String> whole = List.copyOf(copy);
        copy.remove(leaf);
        NotesCheck.Result named = new NotesCheck(chain, new Copy(copy), kept(), offset -> {}).ofCopy();
        // Of equal ones in a row nobody can tell which is lost: a log that came back holds one again.
        World.require(
                IntStream.range(0, whole.size())
                        .filter(other -> whole.subList(Math.min(leaf, other), Math.max(leaf, other) + 1).stream()
                                .allMatch(whole.get(leaf)::equals))
                        .anyMatch(other ->
                                named.findings().stream().anyMatch(one -> one.kind() == Kind.LOST && isOf(one, other))),
                "a copy without " + leaf + ": " + texts(named));
        NotesCheck.Result unnamed = new NotesCheck(chain, new Copy(copy), KeptLeaves.NONE, offset -> {}).ofCopy();
        World.require(unnamed.isViolated() && !unnamed.isComplete(), "a copy without " + leaf + ": " + texts(unnamed));
    }

    /** A copy that is older than its source is as the notary found it holds what was never noted, and more behind. */
    private void checkOlderCopy() {
        List<String> copy = new ArrayList<>();
        long next = 0;
        int leaf = 0;
        for (Note note : chain) {
            for (long gone = next; gone < note.state().from(); gone++) {
                copy.add("never noted " + gone);
            }
            next = note.state().next();
            for (; leaf < note.head().size(); leaf++) {
                copy.add(truth.get(leaf).text());
            }
        }
        boolean whole = copy.size() == truth.size();
        copy.add("not noted yet");
        NotesCheck.Result named = new NotesCheck(chain, new Copy(copy), kept(), offset -> {}).ofCopy();
        World.require(
                !named.isViolated() && named.isComplete() == whole && named.unaltered() == truth.size(),
                "an older copy: " + texts(named) + ", unaltered " + named.unaltered());
        NotesCheck.Result bySize = new NotesCheck(chain, new Copy(copy), KeptLeaves.NONE, offset -> {}).ofCopy();
        World.require(!bySize.isViolated() && (!bySize.isComplete() || whole), "an older copy: " + texts(bySize));
    }

    /** A copy whose records stand at 0, 1, 2 and so on. */
    private record Copy(List<String> texts) implements NotedLog {
        @Override
        public long begin() {
            return 0;
        }

        @Override
        public long end() {
            return texts.size();
        }

        @Override
        public long writtenEnd() {
            return end();
        }

        @Override
        public void read(long from, long to, LeafTaker taker) {
            byte[] hash = new byte[HASH_BYTES];
            for (long offset = from; offset < to; offset++) {
                leaf(texts.get((int) offset)).hashTo(hash, 0);
                taker.take(offset, hash, 0);
            }
        }
    }

    /** Alters, removes, inserts or exchanges something that was noted, or cuts the log. */
    private void doSomethingTo() {
        List<Integer> held = new ArrayList<>();
        for (int i = 0; i < truth.size(); i++) {
            if (isHeld(truth.get(i))) {
                held.add(i);
            }
        }
        if (held.isEmpty()) {
            return;
        }
        int leaf = held.get(random.nextInt(held.size()));
        long at = truth.get(leaf).offset();
        switch (random.nextInt(5)) {
            case 0 -> {
                log.put(at, new Entry(epoch, "another"));
                check("altered at " + at, at, Kind.ALTERED);
            }
            case 1 -> {
                log.remove(at);
                check("removed at " + at, leaf, Kind.LOST);
                log.put(at, new Entry(epoch, truth.get(leaf).text()));
            }
            case 2 -> {
                int other = held.get(random.nextInt(held.size()));
                long to = truth.get(other).offset();
                if (to != at) {
                    log.put(at, new Entry(epoch, truth.get(other).text()));
                    check("copied from " + to + " to " + at, at, null);
                    log.put(to, new Entry(epoch, truth.get(leaf).text()));
                    check("exchanged " + at + " and " + to, at, null);
                }
            }
            case 3 -> {
                end = at;
                log.tailMap(end).clear();
                check("cut to " + at, at, Kind.TRUNCATED);
            }
            default -> {
                long last = Math.min(end, chain.get(chain.size() - 1).state().next());
                for (long gap = begin; gap < last; gap++) {
                    if (!log.containsKey(gap)) {
                        log.put(gap, new Entry(epoch, "more"));
                        check("inserted at " + gap, gap, Kind.INSERTED);
                        return;
                    }
                }
            }
        }
    }

    private boolean isHeld(Noted one) {
        Entry entry = log.get(one.offset());
        return entry != null && entry.text().equals(one.text());
    }

    /** Judges with and without leaves; {@code kind} is what must be named of the offset (of the leaf, if it was lost). */
    private void check(String what, long at, @Nullable Kind kind) {
        say(what);
        outcome.count("logs judged by notes");
        NotesCheck.Result named = new NotesCheck(chain, this, kept(), offset -> {}).ofSameLog();
        // What is missing right behind the log's begin reads as expired: offsets are no part of a leaf.
        boolean expired = kind == Kind.LOST
                && named.findings().stream().anyMatch(one -> one.kind() == Kind.EXPIRED && isOf(one, at));
        judge(what + ", leaves kept", named, at >= 0 && !expired);
        judge(what + ", no leaves", new NotesCheck(chain, this, KeptLeaves.NONE, offset -> {}).ofSameLog(), false);
        // What came back may have been noted before it was cut off, and is not noted again yet.
        if (kind != null && at >= 0 && !cameBack) {
            // Where others are gone beside it, an altered one is one more that is gone, and one that was not noted.
            boolean beside = named.findings().stream()
                    .anyMatch(one -> (one.kind() == Kind.EXPIRED || one.kind() == Kind.TRUNCATED)
                            && one.offset() <= at
                            && at <= one.endOffset());
            boolean isAnyGone = !truth.stream().allMatch(this::isHeld);
            World.require(
                    named.findings().stream()
                            .anyMatch(one -> names(one, at, kind)
                                    || (kind == Kind.LOST && wasCut && isRewritten(one, at))
                                    || ((beside || wasCut) && kind == Kind.ALTERED && names(one, at, Kind.INSERTED))
                                    || (isAnyGone && kind == Kind.INSERTED && names(one, at, Kind.ALTERED))),
                    what + " is not named: " + texts(named));
        }
    }

    private static boolean names(NotesFinding one, long at, Kind kind) {
        if (kind == Kind.LOST) {
            // The last records of a log that was cut, and the first of one that expired, are not told from a lost one.
            return (one.kind() == Kind.LOST || one.kind() == Kind.TRUNCATED || one.kind() == Kind.EXPIRED)
                    && isOf(one, at);
        }
        return one.kind() == kind && one.offset() <= at && at < one.endOffset();
    }

    /**
     * True if several records are told as altered, one of which was lost: a log that was cut beside it and written anew has as many others in
     * their place, and which of them follows which, no leaf tells. None of them is held, and none of the others was noted.
     */
    private boolean isRewritten(NotesFinding one, long leaf) {
        SortedMap<Long, Entry> there = log.subMap(one.offset(), one.endOffset());
        return one.kind() == Kind.ALTERED
                && one.records() > 1
                && isOf(one, leaf)
                && there.size() == one.records()
                && truth.subList((int) one.leaf(), (int) (one.leaf() + one.records())).stream()
                        .noneMatch(noted -> there.values().stream()
                                .anyMatch(entry -> entry.text().equals(noted.text())));
    }

    private static boolean isOf(NotesFinding one, long leaf) {
        return one.leaf() <= leaf && leaf < one.leaf() + one.records();
    }

    private void judge(String what, NotesCheck.Result result, boolean mustBeViolated) {
        String text = what + ": " + texts(result);
        long held = truth.stream().filter(this::isHeld).count();
        boolean whole = held == truth.size();
        // Of two that were exchanged, one is told to be in another place; the other one keeps the order.
        long most = what.startsWith("exchanged") ? held + 1 : held;
        World.require(result.unaltered() <= most, text + ", " + result.unaltered() + " unaltered of " + most);
        World.require(!result.isComplete() || (whole && !neverNoted), text + ", complete");
        World.require(!mustBeViolated || result.isViolated(), text + ", not violated");
        if (what.startsWith("as it is") && !wasCut) {
            World.require(!result.isViolated(), text + ", a false alarm");
        }
        // What is gone and not expired was told, or is said not to have been compared.
        boolean gone = truth.stream().anyMatch(one -> one.offset() >= begin && !isHeld(one));
        World.require(
                !gone
                        || result.findings().stream()
                                .anyMatch(one -> one.kind() != Kind.NOT_NOTED_YET && one.kind() != Kind.NEVER_NOTED),
                text + ", and nothing is said of what is gone");
        result.findings().forEach(one -> outcome.count("noted " + one.kind()));
    }

    private static String texts(NotesCheck.Result result) {
        return result.findings().stream()
                .map(one -> one.kind() + " [" + one.offset() + "," + one.endOffset() + ") leaf " + one.leaf() + " x"
                        + one.records())
                .toList()
                .toString();
    }

    private KeptLeaves kept() {
        byte[] all = leaves.toByteArray();
        return (from, to) -> to * HASH_BYTES > all.length
                ? null
                : Arrays.copyOfRange(all, (int) from * HASH_BYTES, (int) to * HASH_BYTES);
    }

    private static RecordLeaf leaf(String text) {
        ByteSlice value = new ByteSlice();
        value.set(text.getBytes(UTF_8));
        RecordLeaf leaf = new RecordLeaf();
        leaf.set(1_700_000_000_000L, new ByteSlice(), value, 0);
        return leaf;
    }

    private void say(String what) {
        story.add(what);
    }

    @Override
    public long begin() {
        return begin;
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public long writtenEnd() {
        return end();
    }

    @Override
    public void read(long from, long to, LeafTaker taker) {
        byte[] hash = new byte[HASH_BYTES];
        log.subMap(from, to).forEach((offset, entry) -> {
            leaf(entry.text()).hashTo(hash, 0);
            taker.take(offset, hash, 0);
        });
    }
}
