package dev.stormproof.emit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.stormproof.checkpoint.CheckpointCodec;
import dev.stormproof.checkpoint.Format2Checkpoint;
import dev.stormproof.merkle.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers the vectors of recovery, which {@code src/test/python} makes without Java; {@code examples/python} answers the same. */
class PredecessorsVectorsTest {
    static Stream<Named<JsonNode>> cases() {
        return Vectors.cases("recovery.json");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void statesTheEndsOfTheGoneAndOfNobodyElse(JsonNode vector) {
        long own = Long.parseUnsignedLong(vector.get("own").asText(), 16);
        Predecessors streams = new Predecessors("orders", 3, "billing", emitter -> emitter == own);
        long moreNanos =
                TimeUnit.MILLISECONDS.toNanos(vector.get("deliveryMillis").asLong());
        for (JsonNode step : vector.get("steps")) {
            long nowNanos = TimeUnit.MILLISECONDS.toNanos(step.get("at").asLong());
            if (step.has("due")) {
                List<Long> due = streams.due(
                        nowNanos,
                        moreNanos,
                        false,
                        step.get("position").asLong(),
                        () -> step.get("logEnd").asLong());
                assertThat(due).as(step.toString()).isEqualTo(emitters(step.get("due")));
            } else if (step.has("longestSilence")) {
                assertThat(TimeUnit.NANOSECONDS.toMillis(streams.longestSilenceNanos(moreNanos)))
                        .as(step.toString())
                        .isEqualTo(step.get("longestSilence").asLong());
            } else if (step.has("state")) {
                long emitter = Long.parseUnsignedLong(step.get("state").asText(), 16);
                Optional<Format2Checkpoint> end =
                        streams.end(emitter, true, vector.get("createdAtMillis").asLong());
                assertThat(end.isPresent()).as(step.toString()).isEqualTo(step.has("end"));
                if (end.isPresent()) {
                    assertThat(CheckpointCodec.encode(end.get())).isEqualTo(Vectors.bytes(step, "end"));
                    streams.stated(emitter, nowNanos);
                } else {
                    streams.giveUp(emitter);
                }
            } else {
                streams.take(step.get("offset").asLong(), header(step, "event"), header(step, "checkpoint"), nowNanos);
            }
        }
    }

    private static byte @Nullable [] header(JsonNode step, String name) {
        return step.has(name) ? Vectors.bytes(step, name) : null;
    }

    private static List<Long> emitters(JsonNode texts) {
        List<Long> emitters = new ArrayList<>();
        texts.forEach(text -> emitters.add(Long.parseUnsignedLong(text.asText(), 16)));
        return emitters;
    }
}
