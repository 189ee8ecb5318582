package dev.stormproof.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The clients that are there at once, so many at most. If there is no room, whoever comes takes the place of the one that has been there for
 * longest: of its own peer, if that has as many as it may have, else of the peer that has most.
 *
 * <pre>
 *   a peer with {@value #MOST_OF_A_PEER} clients ──one more──► its oldest goes: what it does strikes itself
 *   {@value #MOST} clients ───────────one more──► the oldest of the largest peer goes
 * </pre>
 *
 * <p>An honest request is there for milliseconds, and so is hardly ever the oldest. Clients that were {@linkplain #settle settled} stay.
 */
final class Crowd<C> {
    static final int MOST = 128;
    static final int MOST_OF_A_PEER = 64;

    private final Map<C, String> moving = new LinkedHashMap<>();
    private final Map<C, String> settled = new LinkedHashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    /** Takes a client; returns who has to go for that, the client itself if nobody else can. */
    Optional<C> join(C client, String peer) {
        Optional<C> leaving = Optional.empty();
        if (count(peer) >= MOST_OF_A_PEER) {
            leaving = oldestOf(peer).or(() -> Optional.of(client));
        } else if (moving.size() + settled.size() >= MOST) {
            leaving = oldestOf(largest()).or(() -> Optional.of(client));
        }
        moving.put(client, peer);
        counts.merge(peer, 1, Integer::sum);
        leaving.ifPresent(this::leave);
        return leaving;
    }

    /** Lets a client stay for as long as it wants. */
    void settle(C client) {
        String peer = moving.remove(client);
        if (peer != null) {
            settled.put(client, peer);
        }
    }

    void leave(C client) {
        String peer = moving.containsKey(client) ? moving.remove(client) : settled.remove(client);
        if (peer != null) {
            counts.computeIfPresent(peer, (unused, count) -> count == 1 ? null : count - 1);
        }
    }

    boolean isEmpty() {
        return counts.isEmpty();
    }

    /** Those who are there: the settled ones, then the others, in the order in which they came. */
    List<C> all() {
        List<C> all = new ArrayList<>(settled.keySet());
        all.addAll(moving.keySet());
        return all;
    }

    private int count(String peer) {
        return counts.getOrDefault(peer, 0);
    }

    private String largest() {
        Map<String, Integer> leavable = new HashMap<>();
        moving.values().forEach(peer -> leavable.merge(peer, 1, Integer::sum));
        return leavable.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }

    private Optional<C> oldestOf(String peer) {
        return moving.entrySet().stream()
                .filter(one -> one.getValue().equals(peer))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
