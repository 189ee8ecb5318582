package dev.stormproof.alert;

import java.util.Map;

/**
 * The places that an alert sends its reader to, which are not the same everywhere.
 *
 * @param runbookBaseUrl stands before the handbook's path, and ends with a slash; empty for a path alone
 * @param auditCommand the command that audits, with the servers that it asks: a topic and a range follow it
 * @param originOptions what an audit of a topic that holds the streams of another one needs besides, by topic
 * @param records the pages that show single records
 */
public record Links(String runbookBaseUrl, String auditCommand, Map<String, String> originOptions, RecordUrls records) {
    /** The handbook and the script of a checkout; the brokers are in the variable {@code KAFKA}. */
    public static final Links DEFAULT =
            new Links("", "scripts/stormproof audit --bootstrap-server " + Guidance.SERVERS, RecordUrls.NONE);

    public Links {
        runbookBaseUrl =
                runbookBaseUrl.isEmpty() || runbookBaseUrl.endsWith("/") ? runbookBaseUrl : runbookBaseUrl + "/";
        originOptions = Map.copyOf(originOptions);
    }

    /** The same where each topic holds streams of its own. */
    public Links(String runbookBaseUrl, String auditCommand, RecordUrls records) {
        this(runbookBaseUrl, auditCommand, Map.of(), records);
    }

    String audit(String topic, String part) {
        return auditCommand + " --topic " + topic + part + originOptions.getOrDefault(topic, "");
    }
}
