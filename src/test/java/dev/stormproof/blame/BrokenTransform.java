package dev.stormproof.blame;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.LogRecord;
import dev.stormproof.proof.checkpoint.LogRecordParser;
import dev.stormproof.proof.checkpoint.Origins;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.task.output.OnError;
import dev.stormproof.task.output.OutputLog;
import dev.stormproof.task.output.PartitionOutput;
import dev.stormproof.task.output.Written;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.TransformRunner;
import dev.stormproof.task.transform.TransformRunner.TransformFailure;
import dev.stormproof.task.transform.Transformed;
import dev.stormproof.verify.feed.HeaderBytes;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.feed.RecordContent;
import dev.stormproof.verify.judge.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** A build of the transform that errs: its reader alters events before they are signed, and its writer does anything behind that. */
final class BrokenTransform {
    private BrokenTransform() {}

    static LogRecordParser parser(Origins origins) {
        return new LogRecordParser(
                origins, Format1Expected.everywhere(), List.of(), new CheckpointVerifier(TrustedKeys.none()));
    }

    static LogRecordParser.Headers headers(ProducerRecord<byte[], byte[]> record) {
        return name -> {
            Header header = record.headers().lastHeader(name);
            return header == null ? null : header.value();
        };
    }

    /** Makes the output of the records of one partition, whose offsets are their places. */
    static List<ProducerRecord<byte[], byte[]>> of(
            List<ProducerRecord<byte[], byte[]>> input,
            String output,
            List<Injection> reading,
            List<Injection> writing,
            List<byte[]> checkpoints) {
        List<ProducerRecord<byte[], byte[]>> made = new ArrayList<>();
        if (input.isEmpty()) {
            return made;
        }
        int partition = Objects.requireNonNull(input.get(0).partition());
        OutputLog writer = new OutputLog() {
            @Override
            public boolean isDue() {
                return false;
            }

            @Override
            public boolean isFull() {
                return false;
            }

            @Override
            public @Nullable String unavailable() {
                return null;
            }

            @Override
            public @Nullable String refusal(RecordContent record) {
                return null;
            }

            @Override
            public void append(long inputOffset, RecordContent record) {
                RecordHeaders headers = new RecordHeaders();
                record.headers().forEach(headers::add);
                made.add(new ProducerRecord<>(output, partition, null, record.key(), record.value(), headers));
            }

            @Override
            public void logFailure(long offset, TransformFailure failure) {
                throw new IllegalStateException("the transform failed", failure);
            }
        };
        LogRecordParser parser = parser(Origins.NONE);
        try (TransformRunner transform = new TransformRunner(BrokenTransform::doubled, 0, 60_000)) {
            PartitionOutput b = new PartitionOutput(
                    new PartitionId(input.get(0).topic(), partition),
                    Written.before(0),
                    writer,
                    Optional.empty(),
                    transform,
                    content -> parser.isCheckpoint(content.key(), content.value(), content.headers()),
                    OnError.HALT,
                    undelivered -> {});
            for (int offset = 0; offset < input.size(); offset++) {
                ProducerRecord<byte[], byte[]> read = read(input.get(offset), reading);
                LogRecord record = parser.parse(
                        read.topic(),
                        partition,
                        offset,
                        LogRecord.NO_TIME,
                        read.key(),
                        read.value(),
                        headers(read),
                        null);
                b.take(new Read(record, 0, 0, content(read)));
            }
        }
        writing.forEach(injection -> injection.into(made, checkpoints));
        return made;
    }

    private static ProducerRecord<byte[], byte[]> read(ProducerRecord<byte[], byte[]> record, List<Injection> reading) {
        long sequence = Injection.sequenceOf(record);
        return reading.stream()
                .filter(injection -> injection.number() == sequence)
                .findFirst()
                .map(injection -> injection.altered(record))
                .orElse(record);
    }

    private static RecordContent content(ProducerRecord<byte[], byte[]> record) {
        return new RecordContent(
                record.key(), record.value(), HeaderBytes.of(record.headers(), Header::key, Header::value), 0, false);
    }

    private static Transformed doubled(InputEvent event) {
        String text = new String(Objects.requireNonNull(event.value()), UTF_8);
        return Transformed.of((text + text).getBytes(UTF_8));
    }
}
