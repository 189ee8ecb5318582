package dev.stormproof.sim;

import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Anomaly.Kind;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What was named of one stream, or has to be: of what, by kind.
 *
 * <p>An event is called by its sequence; in format 1, which has none, by its signature. What is reordered is only counted,
 * because which events of a swap have moved is nobody's business: that they are as few as can be is.
 */
final class Names {
    final Set<String> lost = new TreeSet<>();
    final Set<String> altered = new TreeSet<>();
    final Set<String> foreign = new TreeSet<>();
    /** How often each duplicated event lies in the log. */
    final Map<String, Integer> duplicated = new TreeMap<>();

    final Set<String> reordered = new TreeSet<>();
    final Set<String> checkpointsLost = new TreeSet<>();
    final Set<String> others = new TreeSet<>();
    /** How many have to be reordered, if that is not known one by one. */
    int reorderedCount;

    /** Takes an anomaly as a verdict names it. */
    void add(Anomaly anomaly, Function<Anomaly, Set<String>> callers) {
        Set<String> called = callers.apply(anomaly);
        switch (anomaly.kind()) {
            case LOST -> lost.addAll(called);
            case ALTERED -> altered.addAll(called);
            case FOREIGN -> foreign.addAll(called);
            case DUPLICATED -> called.forEach(name -> duplicated.merge(name, anomaly.copies(), Math::max));
            case REORDERED -> reordered.addAll(called);
            case CHECKPOINT_LOST -> checkpointsLost.addAll(called);
            case UNLOCATED, CHAIN_BROKEN, OUT_OF_REACH, DIVERTED ->
                others.add(anomaly.kind() + " " + anomaly.begin() + ".." + anomaly.end());
        }
        reorderedCount = reordered.size();
    }

    /** Leaves out what cannot be decided. */
    void forget(Set<String> undecidable) {
        lost.removeAll(undecidable);
        altered.removeAll(undecidable);
        foreign.removeAll(undecidable);
        duplicated.keySet().removeAll(undecidable);
        int before = reordered.size();
        reordered.removeAll(undecidable);
        reorderedCount -= before - reordered.size();
    }

    /** Leaves out what cannot be decided of damaged copies. */
    void forgetDamage(Set<String> blurred) {
        altered.removeAll(blurred);
        foreign.removeAll(blurred);
    }

    /** Tells how many of each kind there are. */
    void countIn(Outcome outcome) {
        outcome.named(Kind.LOST, lost.size());
        outcome.named(Kind.ALTERED, altered.size());
        outcome.named(Kind.FOREIGN, foreign.size());
        outcome.named(Kind.DUPLICATED, duplicated.size());
        outcome.named(Kind.REORDERED, reorderedCount);
        outcome.named(Kind.CHECKPOINT_LOST, checkpointsLost.size());
    }

    @Override
    public String toString() {
        return "lost " + lost + ", altered " + altered + ", foreign " + foreign + ", duplicated " + duplicated + ", "
                + reorderedCount + " reordered, checkpoints lost " + checkpointsLost + ", others " + others;
    }
}
