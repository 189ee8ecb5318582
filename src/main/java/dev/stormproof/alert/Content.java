package dev.stormproof.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.verify.judge.Anomaly;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.Verdict.Inconclusive;
import dev.stormproof.verify.judge.Verdict.Violated;
import java.util.Locale;

/**
 * A hash of a finding: two findings on one interval have the same content if they state the same.
 *
 * <p>It covers the kind, the checkpoint's place, and the anomalies or the reason, but not the hop, which not every reader can find out.
 */
final class Content {
    /** A short hash is enough: a writer who could forge a content could as well write the acceptance. */
    private static final int HEX_DIGITS = 32;

    private Content() {}

    /** The first 16 bytes of a SHA-256, in hexadecimal digits. */
    static String of(Finding finding) {
        StringBuilder text = new StringBuilder(finding.type().label()).append('\n');
        if (!finding.isOpen()) {
            text.append(finding.anchorOffset()).append('\n');
        }
        if (finding instanceof Violated violated) {
            text.append(violated.anomalyCount()).append('\n');
            for (Anomaly anomaly : violated.anomalies()) {
                text.append(anomaly.kind().name().toLowerCase(Locale.ROOT))
                        .append(' ')
                        .append(anomaly.begin())
                        .append(' ')
                        .append(anomaly.end())
                        .append('\n');
            }
        } else if (finding instanceof Inconclusive inconclusive) {
            text.append(inconclusive.reason().name().toLowerCase(Locale.ROOT)).append('\n');
        }
        byte[] bytes = text.toString().getBytes(UTF_8);
        return TreeHash.SHA256.hash(bytes, bytes.length).toHex().substring(0, HEX_DIGITS);
    }
}
