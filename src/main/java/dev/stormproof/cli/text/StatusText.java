package dev.stormproof.cli.text;

import dev.stormproof.task.metrics.WorkerStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A status line says up to when everything is judged, how many events were read, and what is open. */
public final class StatusText {
    private StatusText() {}

    /** The line of a verification that goes on. */
    public static String of(WorkerStatus status) {
        if (status.silentSeconds() > 0) {
            return ReportText.text("Kafka has not answered for %,.0f s", status.silentSeconds());
        }
        if (status.otherSettings()) {
            return "stands by: others have the tasks, with other settings than this one's";
        }
        if (status.tasks() == 0) {
            return "no task verifies here: it begins, or others have the tasks";
        }
        if (status.partitions() == 0) {
            return "no partition is read yet";
        }
        List<String> clauses = new ArrayList<>();
        clauses.add(judgedUpTo(status));
        clauses.add(ReportText.events(status.events()) + " read");
        clauses.add(ReportText.text("%,d open", status.openEvents()));
        clauses.add(ReportText.count(status.alarms(), "alert", "alerts"));
        return String.join(", ", clauses);
    }

    private static String judgedUpTo(WorkerStatus status) {
        int behind = status.partitions() - status.atEnd();
        if (behind == 0) {
            String ends = status.partitions() == 1 ? "judged up to the end of " : "judged up to the ends of ";
            return ends + ReportText.count(status.partitions(), "partition", "partitions");
        }
        String where = status.verifiedSeconds() < 0
                ? "judged up to no known time"
                : "judged up to " + Instant.ofEpochSecond((long) status.verifiedSeconds());
        return where
                + ReportText.text(
                        " (%,d of %,d partitions behind, by %,d offsets)",
                        behind, status.partitions(), status.lagRecords());
    }
}
