package dev.stormproof.witness;

import dev.stormproof.notary.Extension;
import dev.stormproof.notary.Growth;
import dev.stormproof.notary.Note;
import dev.stormproof.notary.SignedNote;
import dev.stormproof.witness.Answer.Away;
import dev.stormproof.witness.Answer.Conflict;
import dev.stormproof.witness.Answer.Cosigned;
import dev.stormproof.witness.Answer.Refused;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One witness, and the thread that asks it.
 *
 * <p>The lock guards the trees; no request, and no reading of a log, is made while it is held. A witness that is away holds up all of its
 * trees alike; one that refuses a tree holds up that tree.
 */
final class AskedWitness {
    private static final Logger LOG = LoggerFactory.getLogger(AskedWitness.class);
    private static final long FIRST_WAIT_MILLIS = 1_000;
    private static final long LONGEST_WAIT_MILLIS = 300_000;
    private static final long JOIN_MILLIS = 1_000;
    /** A conflict tells the size; the second request is the one that is from there. */
    private static final int REQUESTS = 2;

    private final Witness witness;
    private final long intervalMillis;
    private final Supplier<GrowthSource> sources;
    private final BiConsumer<Note, SignedNote> taker;
    private final WitnessPost post;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Asked> trees = new HashMap<>();
    private boolean stopping;
    private @Nullable GrowthSource source;

    /** A tree, and when to ask for it again. */
    private static final class Asked {
        private final SeenTree tree;
        private final Waiting waiting = new Waiting();
        private String told = "";

        Asked(Note first) {
            tree = new SeenTree(first);
        }
    }

    /** When to try again: after a wait that doubles with each failure. */
    private static final class Waiting {
        private long untilNanos = System.nanoTime();
        private long waitMillis = FIRST_WAIT_MILLIS;

        long leftNanos() {
            return untilNanos - System.nanoTime();
        }

        void failed() {
            until(waitMillis);
            waitMillis = Math.min(LONGEST_WAIT_MILLIS, 2 * waitMillis);
        }

        void succeeded(long millis) {
            waitMillis = FIRST_WAIT_MILLIS;
            until(millis);
        }

        private void until(long millis) {
            untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        }
    }

    AskedWitness(
            Witness witness, long intervalMillis, Supplier<GrowthSource> sources, BiConsumer<Note, SignedNote> taker) {
        this.witness = witness;
        this.intervalMillis = intervalMillis;
        this.sources = sources;
        this.taker = taker;
        this.post = new WitnessPost(witness);
        this.thread = new Thread(this::run, "stormproof-witness-" + witness);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void noted(Note note, Growth growth) {
        lock.lock();
        try {
            Asked known = trees.get(note.origin().text());
            if (known == null || known.tree.last().head().size() != growth.begin()) {
                trees.put(note.origin().text(), new Asked(note));
            } else {
                known.tree.noted(note, growth);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void keep(Set<String> origins) {
        lock.lock();
        try {
            trees.keySet().retainAll(origins);
        } finally {
            lock.unlock();
        }
    }

    void stop() {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
            thread.interrupt(); // Before it can see that it is to stop: what it closes then is not interrupted.
        } finally {
            lock.unlock();
        }
    }

    void join() {
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Waiting away = new Waiting();
        try {
            for (Asked next = next(away); next != null; next = next(away)) {
                ask(next, away);
            }
        } catch (InterruptedException e) {
            // It is closed.
        } finally {
            boolean unused = Thread.interrupted(); // Kafka's clients do not close in a thread that is interrupted.
            closeSource();
        }
    }

    /** Waits for a tree that is to be asked for; null when this is closed. */
    private @Nullable Asked next(Waiting away) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!stopping) {
                long least = Long.MAX_VALUE;
                for (Asked asked : trees.values()) {
                    if (asked.tree.isOpen()) {
                        long left = Math.max(asked.waiting.leftNanos(), away.leftNanos());
                        if (left <= 0) {
                            return asked;
                        }
                        least = Math.min(least, left);
                    }
                }
                long unused = changed.awaitNanos(least);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private void ask(Asked asked, Waiting away) throws InterruptedException {
        Answer answer;
        try {
            answer = answer(asked.tree);
        } catch (RuntimeException e) {
            // Kafka fails while the log is read again, or the cosignature is written: others are not held up by it.
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            closeSource();
            answer = new Refused("what it needs cannot be read, or what it signed not written: " + e);
        }
        String told = "";
        if (answer instanceof Away gone) {
            told = "away: " + gone.reason();
            away.failed();
        } else if (answer instanceof Refused refused) {
            told = refused.reason();
            away.succeeded(0);
            asked.waiting.failed();
        } else {
            away.succeeded(0);
            asked.waiting.succeeded(intervalMillis);
        }
        tell(asked, told);
    }

    private void tell(Asked asked, String told) {
        if (!told.equals(asked.told)) {
            asked.told = told;
            if (told.isEmpty()) {
                LOG.info(
                        "witness {} cosigns {} again",
                        witness,
                        asked.tree.last().origin());
            } else {
                LOG.warn(
                        "witness {} does not cosign {}: {}",
                        witness,
                        asked.tree.last().origin(),
                        told);
            }
        }
    }

    private Answer answer(SeenTree tree) throws InterruptedException {
        Answer answer = new Refused("it names one size after another");
        for (int i = 0; i < REQUESTS; i++) {
            Note note;
            OptionalLong wanted;
            Optional<Extension> request = Optional.empty();
            lock.lock();
            try {
                note = tree.ask();
                wanted = tree.wanted();
                if (wanted.isEmpty()) {
                    request = tree.request();
                }
            } finally {
                lock.unlock();
            }
            if (wanted.isPresent()) {
                request = lookUp(tree, wanted.getAsLong(), note);
                if (request.isEmpty()) {
                    return new Refused(
                            "it saw " + wanted.getAsLong() + " records last, and how the tree grew since cannot be"
                                    + " read any more: keep tiles (notary.tiles), which outlive the log");
                }
            }
            if (request.isEmpty()) {
                forget(tree);
                return new Refused("it has seen a larger tree than the last note's, of "
                        + note.head().size()
                        + " records: notes are missing here, or another notary signs with the same key");
            }
            answer = post.send(request.get());
            if (answer instanceof Conflict conflict) {
                lock.lock();
                try {
                    tree.conflict(conflict.size());
                } finally {
                    lock.unlock();
                }
                answer = new Refused("it names one size after another");
                continue;
            }
            if (answer instanceof Cosigned cosigned) {
                taker.accept(note, cosigned.note());
                lock.lock();
                try {
                    tree.taken();
                } finally {
                    lock.unlock();
                }
            } else if (answer instanceof Refused) {
                forget(tree);
            }
            return answer;
        }
        return answer;
    }

    private void forget(SeenTree tree) {
        lock.lock();
        try {
            tree.forget();
        } finally {
            lock.unlock();
        }
    }

    private Optional<Extension> lookUp(SeenTree tree, long size, Note note) {
        GrowthSource from = source;
        if (from == null) {
            from = sources.get();
            source = from;
        }
        Optional<GrowthSource.Grown> grown = from.find(size, note);
        if (grown.isEmpty()) {
            return Optional.empty();
        }
        lock.lock();
        try {
            return Optional.of(tree.request(grown.get()));
        } finally {
            lock.unlock();
        }
    }

    private void closeSource() {
        GrowthSource from = source;
        source = null;
        if (from != null) {
            from.close();
        }
    }
}
