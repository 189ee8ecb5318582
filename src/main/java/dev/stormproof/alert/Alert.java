package dev.stormproof.alert;

import dev.stormproof.judge.Finding;

/**
 * A finding on its way to people and machines.
 *
 * @param source who publishes it, a URI reference: {@code /stormproof/GROUP}
 * @param timeMillis when it was found, in milliseconds since 1970
 */
public record Alert(String source, long timeMillis, Finding finding) {
    /** True if an operator should be told: of anything but a proof, which is published only if it settles an alarm. */
    public boolean isAlarm() {
        return finding.type() != Finding.Type.VERIFIED;
    }
}
