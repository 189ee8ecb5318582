package dev.stormproof.evidence;

/**
 * A verifier's verdict on the interval of an event, in a receipt that it signs.
 *
 * @param time when it looked, in the form of RFC 3339, by its own clock
 * @param program the verifier's name and version
 * @param cluster Kafka's id of the cluster
 * @param topic the event's topic
 * @param topicId Kafka's id of that topic
 * @param offset the event's offset
 * @param checkpointOffset the offset of its checkpoint
 * @param verdict on the interval
 * @param finding the verdict as alerts have it, one line of JSON
 */
public record Judgement(
        String time,
        String program,
        String cluster,
        String topic,
        String topicId,
        long offset,
        long checkpointOffset,
        Outcome verdict,
        String finding) {

    void writeTo(ProofText text) {
        text.add("time", time);
        text.add("program", program);
        text.add("cluster", cluster);
        text.add("topic", topic);
        text.add("topic-id", topicId);
        text.add("offset", offset);
        text.add("checkpoint-offset", checkpointOffset);
        text.add("verdict", verdict.word());
        text.add("finding", finding);
    }

    static Judgement read(ProofReader in) throws RefusedProofException {
        return new Judgement(
                in.next("time").value(),
                in.next("program").value(),
                in.next("cluster").value(),
                in.next("topic").value(),
                in.next("topic-id").value(),
                ProofReader.number(in.next("offset")),
                ProofReader.number(in.next("checkpoint-offset")),
                Outcome.read(in.next("verdict")),
                in.next("finding").value());
    }
}
