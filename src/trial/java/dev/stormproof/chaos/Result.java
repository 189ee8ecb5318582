package dev.stormproof.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * A result tells how one chaos round ended; it is a line of the results file.
 *
 * @param at when the fault was injected
 * @param fault the cluster fault
 * @param seed the source of everything random
 * @param detail the processes that it hit
 * @param events how many events the log holds of the round
 * @param checkpoints how many checkpoints
 * @param failed how many events the emitters gave up or could not send
 * @param injected how many faults the log shows of those that were injected
 * @param reported how many of these were named
 * @param missed how many faults the log shows that were not named
 * @param falseAlerts how many alerts the log contradicts
 * @param unjudged how many checkpoints have no final verdict
 * @param publishedTwice how many alerts were published again with the same id and revision
 * @param provedAgain how many proofs were, on the verdicts topic, which is allowed
 * @param servesSeconds from the fault until its repair was done: a daemon started, a process woken, a command ended
 * @param verifiedSeconds from the fault until everything was verified that the log held when it had been injected
 * @param delivered how many records of the output were compared with the input
 * @param outputFaults how many of them were not what they should be, or missing, or too many
 * @param failure why nothing could be compared; else empty
 */
public record Result(
        Instant at,
        ClusterFault fault,
        long seed,
        String detail,
        long events,
        long checkpoints,
        long failed,
        long injected,
        long reported,
        long missed,
        long falseAlerts,
        long unjudged,
        long publishedTwice,
        long provedAgain,
        double servesSeconds,
        double verifiedSeconds,
        long delivered,
        long outputFaults,
        String failure) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Result failed(Instant at, ClusterFault fault, long seed, String failure) {
        return new Result(at, fault, seed, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, failure);
    }

    public boolean isGood() {
        return failure.isEmpty()
                && missed == 0
                && falseAlerts == 0
                && unjudged == 0
                && publishedTwice == 0
                && outputFaults == 0
                && reported == injected;
    }

    public String toJson() {
        ObjectNode node = JSON.createObjectNode();
        node.put("at", at.toString());
        node.put("fault", fault.label());
        node.put("seed", seed);
        node.put("detail", detail);
        node.put("events", events);
        node.put("checkpoints", checkpoints);
        node.put("failed", failed);
        node.put("injected", injected);
        node.put("reported", reported);
        node.put("missed", missed);
        node.put("false", falseAlerts);
        node.put("unjudged", unjudged);
        node.put("publishedTwice", publishedTwice);
        node.put("provedAgain", provedAgain);
        node.put("servesSeconds", tenths(servesSeconds));
        node.put("verifiedSeconds", tenths(verifiedSeconds));
        node.put("delivered", delivered);
        node.put("outputFaults", outputFaults);
        node.put("failure", failure);
        return node.toString();
    }

    static Result ofJson(String line) throws JsonProcessingException {
        JsonNode node = JSON.readTree(line);
        return new Result(
                Instant.parse(node.required("at").asText()),
                ClusterFault.ofLabel(node.required("fault").asText()).orElseThrow(),
                node.required("seed").asLong(),
                node.required("detail").asText(),
                node.required("events").asLong(),
                node.required("checkpoints").asLong(),
                node.required("failed").asLong(),
                node.required("injected").asLong(),
                node.required("reported").asLong(),
                node.required("missed").asLong(),
                node.required("false").asLong(),
                node.required("unjudged").asLong(),
                node.required("publishedTwice").asLong(),
                node.required("provedAgain").asLong(),
                node.required("servesSeconds").asDouble(),
                node.required("verifiedSeconds").asDouble(),
                node.path("delivered").asLong(),
                node.path("outputFaults").asLong(),
                node.required("failure").asText());
    }

    private static double tenths(double seconds) {
        return Math.round(seconds * 10) / 10.0;
    }
}
