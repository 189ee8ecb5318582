package dev.stormproof.alert;

import java.util.Map;

/**
 * The links of an alert, which depend on the installation.
 *
 * @param runbookBaseUrl precedes the handbook's path, and ends with a slash; may be empty
 * @param auditCommand the audit command with its servers; a topic and a range follow it
 * @param originOptions the further options of an audit of a topic with streams of another one, by topic
 * @param records the pages that show single records
 */
public record Links(String runbookBaseUrl, String auditCommand, Map<String, String> originOptions, RecordUrls records) {
    /** The handbook of a checkout; the brokers are in the variable {@code KAFKA}. */
    public static final Links DEFAULT =
            new Links("", "stormproof audit --bootstrap-server " + Guidance.SERVERS, RecordUrls.NONE);

    public Links {
        runbookBaseUrl =
                runbookBaseUrl.isEmpty() || runbookBaseUrl.endsWith("/") ? runbookBaseUrl : runbookBaseUrl + "/";
        originOptions = Map.copyOf(originOptions);
    }

    /** Links for topics that have only streams of their own. */
    public Links(String runbookBaseUrl, String auditCommand, RecordUrls records) {
        this(runbookBaseUrl, auditCommand, Map.of(), records);
    }

    String audit(String topic, String part) {
        return auditCommand + " --topic " + topic + part + originOptions.getOrDefault(topic, "");
    }
}
