package dev.stormproof.verify.fold;

import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.verify.fold.LogQuery.OfTail;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one partition. Their number is bounded: the least recently seen makes room for a new one.
 *
 * <p>Owned by one thread.
 */
final class Streams {
    private final String topic;
    private final int partition;
    private final int most;
    private final Consumer<EventStream> evicted;
    private final LinkedHashMap<Long, EventStream> byEmitter = new LinkedHashMap<>(16, 0.75f, true);
    private @Nullable EventStream latest;

    /** @param evicted takes each stream that made room for another, beyond {@code most} */
    Streams(String topic, int partition, int most, Consumer<EventStream> evicted) {
        this.topic = topic;
        this.partition = partition;
        this.most = most;
        this.evicted = evicted;
    }

    @Nullable
    EventStream get(long emitter) {
        return byEmitter.get(emitter);
    }

    /** The stream of an emitter, followed from an offset on if it is new; {@code atLogBeginning} if the log was read from there. */
    EventStream of(long emitter, boolean atLogBeginning, long offset) {
        EventStream same = latest;
        if (same != null && same.id().emitter() == emitter) {
            return same;
        }
        EventStream stream = byEmitter.get(emitter);
        if (stream == null) {
            stream = new EventStream(new StreamId(topic, partition, emitter), atLogBeginning, offset);
            add(stream);
        }
        latest = stream;
        return stream;
    }

    /** Follows a stream, for which the least recently seen may make room. */
    void add(EventStream stream) {
        byEmitter.put(stream.id().emitter(), stream);
        evictEldest();
    }

    boolean tick(long nowMillis, InactivityTimeouts timeouts) {
        boolean overdue = false;
        for (EventStream stream : byEmitter.values()) {
            stream.tick(nowMillis);
            overdue |= stream.isOverdue(nowMillis, timeouts);
        }
        return overdue;
    }

    void waitsSince(long millis) {
        byEmitter.values().forEach(stream -> stream.waitsSince(millis));
    }

    /** Notes that records up to an offset were not read, which may belong to any stream. */
    void passUnread(long offset) {
        byEmitter.values().forEach(stream -> stream.passUnread(offset));
    }

    List<EventStream> overdue(long nowMillis, InactivityTimeouts timeouts) {
        return byEmitter.values().stream()
                .filter(stream -> stream.isOverdue(nowMillis, timeouts))
                .toList();
    }

    /** Forgets everything at or after an offset before which nothing is open. */
    void rewind(long offset) {
        latest = null;
        byEmitter.values().removeIf(stream -> !stream.rewind(offset));
    }

    void clear() {
        latest = null;
        byEmitter.clear();
    }

    /** The first event that may still be open; {@link Long#MAX_VALUE} if none is. */
    long openSince() {
        return known(EventStream::openSince).min().orElse(Long.MAX_VALUE);
    }

    int openBefore(long offset) {
        return (int)
                known(EventStream::openSince).filter(since -> since < offset).count();
    }

    long openEvents() {
        return byEmitter.values().stream().mapToLong(EventStream::openEvents).sum();
    }

    /** The unsealed ends before an offset, in the order in which they begin. */
    List<UnsealedTail> openEnds(long offset) {
        return byEmitter.values().stream()
                .flatMap(stream -> stream.openEnd().stream())
                .filter(end -> end.sinceOffset() < offset)
                .sorted(Comparator.comparingLong(UnsealedTail::sinceOffset))
                .toList();
    }

    /** Queries for events after last checkpoints that contradict their headers, up to an offset. */
    List<OfTail> contradicted(long endOffset) {
        return byEmitter.values().stream()
                .filter(EventStream::isContradicted)
                .map(stream -> stream.tail(endOffset))
                .sorted(Comparator.comparingLong(OfTail::lastOffset))
                .toList();
    }

    /** The offsets of last checkpoints before the progress in streams that owe another; ascending. */
    Set<Long> promisesBefore(long progress) {
        return known(stream -> stream.promisedBefore(progress))
                .filter(at -> at < progress)
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private LongStream known(ToLongFunction<EventStream> offset) {
        return byEmitter.values().stream().mapToLong(offset).filter(known -> known != EventStream.NONE);
    }

    /** An estimate of their memory together with that of other streams. */
    long sizeBytes(Collection<EventStream> others) {
        long sum = 0;
        for (EventStream stream : byEmitter.values()) {
            sum += stream.sizeBytes();
        }
        for (EventStream stream : others) {
            sum += stream.sizeBytes();
        }
        return sum;
    }

    int count() {
        return byEmitter.size();
    }

    int givenUp() {
        return (int) byEmitter.values().stream().filter(EventStream::isGivenUp).count();
    }

    private void evictEldest() {
        if (byEmitter.size() > most) {
            EventStream eldest = byEmitter.values().iterator().next();
            byEmitter.remove(eldest.id().emitter());
            latest = null;
            evicted.accept(eldest);
        }
    }
}
