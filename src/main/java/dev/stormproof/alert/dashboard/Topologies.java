package dev.stormproof.alert.dashboard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pictures of several topologies by the names of their groups; a page shows the first one by default.
 *
 * <p>Thread-safe.
 */
public final class Topologies {
    private final DashboardModel first;
    private final Map<String, DashboardModel> others = new LinkedHashMap<>();
    private String firstGroup;

    /** @param group the first one's; empty if it is not known yet */
    public Topologies(String group, DashboardModel first) {
        this.firstGroup = group;
        this.first = first;
    }

    /** Names the group of the first picture. */
    public synchronized void name(String group) {
        firstGroup = group;
    }

    /** Adds the picture of a further topology. */
    public synchronized void add(String group, DashboardModel picture) {
        others.put(group, picture);
    }

    /** The names of the groups, the first one's first. */
    synchronized List<String> groups() {
        List<String> all = new ArrayList<>(List.of(firstGroup));
        all.addAll(others.keySet());
        return all;
    }

    /** The picture of a group; empty if there is none. */
    synchronized Optional<DashboardModel> picture(Optional<String> group) {
        return group.filter(name -> !name.equals(firstGroup))
                .map(name -> Optional.ofNullable(others.get(name)))
                .orElse(Optional.of(first));
    }
}
