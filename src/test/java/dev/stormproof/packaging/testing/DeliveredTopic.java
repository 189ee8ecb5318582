package dev.stormproof.packaging.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import dev.stormproof.proof.checkpoint.TransformedHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** An input topic and the output of it, as an ordinary consumer of committed records reads both. */
public final class DeliveredTopic implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 240;
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<List<ConsumerRecord<byte[], byte[]>>> input = new ArrayList<>();
    private final List<List<ConsumerRecord<byte[], byte[]>>> output = new ArrayList<>();
    private final String inputTopic;

    public DeliveredTopic(String servers, String inputTopic, String outputTopic) {
        this.inputTopic = inputTopic;
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = new ArrayList<>();
        for (int partition = 0; partition < ClusterScene.PARTITIONS; partition++) {
            partitions.add(new TopicPartition(inputTopic, partition));
            partitions.add(new TopicPartition(outputTopic, partition));
            input.add(new ArrayList<>());
            output.add(new ArrayList<>());
        }
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads on until as many records of the input were read, and as many of the output at least; then up to the output's end. */
    public void awaitEnd(long records) {
        await("everything", () -> count(input) >= records && count(output) >= records);
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        await(
                "the end",
                () -> ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue()));
    }

    private static long count(List<List<ConsumerRecord<byte[], byte[]>>> records) {
        return records.stream().mapToLong(List::size).sum();
    }

    /** Reads on until something holds. */
    public void await(String what, BooleanSupplier holds) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                (record.topic().equals(inputTopic) ? input : output)
                        .get(record.partition())
                        .add(record);
            }
            if (holds.getAsBoolean()) {
                return;
            }
            if (System.nanoTime() > deadlineNanos) {
                throw new AssertionError("waited for " + what + "; " + differences());
            }
        }
    }

    /** How many records of the output were read. */
    public long delivered() {
        return count(output);
    }

    /** How many records of the output of one partition were read. */
    public long delivered(int partition) {
        return output.get(partition).size();
    }

    /** Where the output is not the input transformed, once and in order; a marker in the place of what the transform cannot stand. */
    public List<String> differences() {
        List<String> differences = new ArrayList<>();
        for (int partition = 0; partition < input.size(); partition++) {
            List<ConsumerRecord<byte[], byte[]>> in = input.get(partition);
            List<ConsumerRecord<byte[], byte[]>> out = output.get(partition);
            for (int i = 0; i < Math.max(in.size(), out.size()); i++) {
                if (i >= in.size() || i >= out.size() || !isTransformed(in.get(i), out.get(i))) {
                    differences.add("partition " + partition + " from record " + i + " of " + in.size() + ", "
                            + out.size() + " in the output");
                    break;
                }
            }
        }
        return differences;
    }

    private static boolean isTransformed(ConsumerRecord<byte[], byte[]> in, ConsumerRecord<byte[], byte[]> out) {
        if (in.headers().lastHeader(Format2Checkpoint.HEADER) != null) {
            return in.value() == null
                    && out.value() == null
                    && out.headers().lastHeader(Format2Checkpoint.HEADER) != null;
        }
        String value = new String(in.value(), UTF_8);
        boolean diverted = out.headers().lastHeader(TransformedHeader.DIVERTED) != null;
        return value.equals(FragileTransform.POISON)
                ? diverted && out.value() == null
                : !diverted && new String(out.value(), UTF_8).equals(FragileTransform.made(value));
    }

    @Override
    public void close() {
        consumer.close();
    }
}
