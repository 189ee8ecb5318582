package dev.stormproof.alert;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * A table of the latest revision of each subject, with a value that belongs to it.
 *
 * <pre>
 *   subject   latest revision   value
 *   a/0/…/7   2 final           …       ◄── put(a/0/…/7, revision 1): refused
 *   a/0/…/8   1 open            …       ◄── put(a/0/…/8, revision 2): replaces it
 * </pre>
 *
 * <p>The table is bounded by the number of subjects, and by the memory of their values if that is given. Beyond a bound the
 * least recently used subject is forgotten, and is new when it comes again. Not thread-safe.
 *
 * @param <V> the value of a revision
 */
public final class LatestRevisions<V> {
    private final int mostSubjects;
    private final long mostBytes;
    private final ToLongFunction<V> bytesOf;
    private long bytes;
    private final LinkedHashMap<String, Entry<V>> entries = new LinkedHashMap<>(16, 0.75f, true);

    private record Entry<V>(int revision, V value) {}

    /** @param mostSubjects how many subjects are kept */
    public LatestRevisions(int mostSubjects) {
        this(mostSubjects, Long.MAX_VALUE, value -> 0);
    }

    /**
     * @param mostSubjects how many subjects are kept
     * @param mostBytes how much memory their values take at most
     * @param bytesOf about how much a value takes, the same at any time
     */
    public LatestRevisions(int mostSubjects, long mostBytes, ToLongFunction<V> bytesOf) {
        this.mostSubjects = mostSubjects;
        this.mostBytes = mostBytes;
        this.bytesOf = bytesOf;
    }

    public boolean isNews(String subject, int revision) {
        Entry<V> known = entries.get(subject);
        return known == null || revision > known.revision();
    }

    /** The value of a subject's latest revision; empty if the subject is not known. */
    public Optional<V> get(String subject) {
        return Optional.ofNullable(entries.get(subject)).map(Entry::value);
    }

    /** Replaces earlier revisions; false, without a change, if it is no {@linkplain #isNews news}. */
    public boolean put(String subject, int revision, V value) {
        if (!isNews(subject, revision)) {
            return false;
        }
        remove(subject);
        entries.put(subject, new Entry<>(revision, value));
        bytes += bytesOf.applyAsLong(value);
        while (entries.size() > mostSubjects || bytes > mostBytes) {
            remove(entries.keySet().iterator().next());
        }
        return true;
    }

    public void remove(String subject) {
        Entry<V> removed = entries.remove(subject);
        if (removed != null) {
            bytes -= bytesOf.applyAsLong(removed.value());
        }
    }

    /** The kept values, least recently used first. */
    public List<V> values() {
        return entries.values().stream().map(Entry::value).toList();
    }

    public int size() {
        return entries.size();
    }
}
