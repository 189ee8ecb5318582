package dev.stormproof.cli.text;

import dev.stormproof.alert.Alert;
import dev.stormproof.alert.Guidance;
import dev.stormproof.alert.Links;
import dev.stormproof.alert.RecordUrls;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The commands that an alert calls for, with its id, the servers and the topics filled in.
 *
 * @param program how this program is called
 * @param server the options that name the cluster
 * @param alertsTopic the topic that holds the alert
 */
public record NextCommands(String program, String server, String alertsTopic) {
    /** Stands for a reason, and is none. */
    public static final String REASON = "WHY";

    private static final Set<Anomaly.Kind> FOUND =
            Set.of(Anomaly.Kind.LOST, Anomaly.Kind.ALTERED, Anomaly.Kind.DIVERTED);

    /** The commands on an alarm, each on a line of its own. */
    List<String> lines(Alert alert) {
        List<String> lines = new ArrayList<>();
        String id = quoted(alert.finding().id());
        String topic = " --alerts-topic " + quoted(alertsTopic);
        lines.add("alert   " + alert.finding().id());
        lines.add("found   " + Instant.ofEpochMilli(alert.timeMillis()));
        if (alert.finding() instanceof Violated violated
                && violated.anomalies().stream().map(Anomaly::kind).anyMatch(FOUND::contains)) {
            lines.add("find    " + program + " alerts find " + id + " " + server + topic);
        }
        Guidance.audit(alert.finding(), new Links("", program + " audit " + server, RecordUrls.NONE))
                .ifPresent(audit -> lines.add("audit   " + audit));
        lines.add("accept  " + program + " alerts accept " + id + " " + server + topic + " --by \"$(id -un)\" --reason "
                + REASON);
        return lines;
    }

    /** A word for a shell: whatever an attacker wrote, it stays one word. */
    public static String quoted(String word) {
        boolean plain = !word.isEmpty()
                && word.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || "._-/:,@~".indexOf(c) >= 0);
        return plain ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
