package dev.stormproof.alert.dashboard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import dev.stormproof.verify.judge.Verdict;

/** The numbers of one partition. Guarded by the {@link DashboardModel} that it is in. */
final class PartitionPicture {
    private static final int UNKNOWN = -1;

    private final PartitionId id;
    private final RecentRate recent = new RecentRate();
    private long version;
    private long verified;
    private long violated;
    private long inconclusive;
    private long unsealed;
    private long records;
    private long events;
    private long proven;
    private OpenEnds open = OpenEnds.NONE;
    private long progress = UNKNOWN;
    private long end = UNKNOWN;
    private long lastMillis;

    PartitionPicture(PartitionId id) {
        this.id = id;
    }

    /** Adds or subtracts a finding. */
    void count(FindingView shown, int times) {
        Finding finding = shown.finding();
        if (finding instanceof Verdict) {
            events += times * shown.events();
            switch (shown.state()) {
                case "verified" -> {
                    verified += times;
                    proven += times * shown.events();
                }
                case "violated" -> violated += times;
                case "open" -> unsealed += times;
                default -> inconclusive += times;
            }
        } else if (finding.type() == Finding.Type.UNATTRIBUTED) {
            records += times;
        }
        if (times > 0) {
            lastMillis = Math.max(lastMillis, shown.alert().timeMillis());
            recent.add(shown.alert().timeMillis(), shown.events(), shown.delayMillis());
        }
    }

    /** Sets the verified offset and the end of the log; true if that is new. */
    boolean progress(long offset, long endOffset) {
        boolean news = offset != progress || endOffset != end;
        progress = offset;
        end = endOffset;
        return news;
    }

    void open(OpenEnds ends) {
        open = ends;
    }

    /** The number of events after the last checkpoints of streams without a finding. */
    long openEvents() {
        return open.events();
    }

    /** The number of offsets after the verified progress; 0 if unknown. */
    long lag() {
        return progress == UNKNOWN ? 0 : Math.max(0, end - progress);
    }

    void changed(long now) {
        version = now;
    }

    long version() {
        return version;
    }

    RecentRate recent() {
        return recent;
    }

    long violated() {
        return violated;
    }

    /** Unsealed intervals are neither proven nor violated. */
    long inconclusive() {
        return inconclusive + unsealed;
    }

    /** The number of records of no stream. */
    long records() {
        return records;
    }

    long events() {
        return events;
    }

    /** The number of events in verified intervals. */
    long proven() {
        return proven;
    }

    void writeTo(ObjectNode node, boolean live, long nowMillis) {
        node.put("topic", id.topic());
        node.put("partition", id.partition());
        node.put("verified", verified);
        node.put("violated", violated);
        node.put("inconclusive", inconclusive());
        node.put("records", records);
        node.put("open", open.streams() + unsealed);
        open.writeTo(node);
        node.put("progress", progress);
        node.put("end", end);
        node.put("last", lastMillis);
        if (live) {
            node.put("rate", recent.perSecond(nowMillis));
            node.put("delay", recent.longestDelayMillis());
        }
    }
}
