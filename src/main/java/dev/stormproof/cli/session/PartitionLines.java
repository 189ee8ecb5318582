package dev.stormproof.cli.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.InterruptException;

/**
 * The lines of partitions that are audited at once, in the order of partitions.
 *
 * <pre>
 *   partition 0   its turn ────────────────────────► printed at once
 *   partition 1   waits for it ──► kept; beyond {@value #MOST_WAITING_CHARS} characters its thread waits
 *   partition 2   has ended ─────► kept
 * </pre>
 *
 * <p>Partitions have to begin in that order, so that no thread waits for one that has not begun. Safe for threads.
 */
final class PartitionLines {
    static final int MOST_WAITING_CHARS = 4_194_304;

    private final TreeSet<Integer> turns;
    private final Consumer<String> out;
    private final Map<Integer, Waiting> waiting = new HashMap<>();
    private final Set<Integer> ended = new HashSet<>();

    private static final class Waiting {
        private final List<String> lines = new ArrayList<>();
        private int chars;
    }

    /** @param out prints a line; called by one thread at a time */
    PartitionLines(SortedSet<Integer> partitions, Consumer<String> out) {
        this.turns = new TreeSet<>(partitions);
        this.out = out;
    }

    /** Prints a line, or keeps it until it is the partition's turn. */
    synchronized void print(int partition, String line) {
        Waiting kept = waiting.computeIfAbsent(partition, unused -> new Waiting());
        while (turns.first() != partition && kept.chars >= MOST_WAITING_CHARS) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
        }
        if (turns.first() == partition) {
            out.accept(line);
        } else {
            kept.lines.add(line);
            kept.chars += line.length();
        }
    }

    /** Ends a partition, and prints what was kept of those whose turn it is then. */
    synchronized void end(int partition) {
        ended.add(partition);
        while (!turns.isEmpty() && ended.contains(turns.first())) {
            waiting.remove(turns.pollFirst());
            if (!turns.isEmpty()) {
                Waiting next = waiting.getOrDefault(turns.first(), new Waiting());
                next.lines.forEach(out);
                next.lines.clear();
            }
        }
        notifyAll();
    }
}
