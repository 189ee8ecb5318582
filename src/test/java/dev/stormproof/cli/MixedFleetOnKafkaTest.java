package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.OnKafka;
import dev.stormproof.cli.local.SharedKafka;
import dev.stormproof.cli.testing.Shell;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.emit.CheckpointingProducer;
import dev.stormproof.emit.EmitterConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Emitters of both strengths share a partition of a real broker. */
@OnKafka
class MixedFleetOnKafkaTest {
    private static final int EVENTS = 25;

    private static CheckpointingProducer<String, String> emitter(EmbeddedKafka kafka, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        all.put(EmitterConfig.MAX_EVENTS, 10);
        all.put(EmitterConfig.MAX_INTERVAL_MS, 600_000L);
        return new CheckpointingProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    @Test
    void oneAuditVerifiesThemAllAndRefusesTheWeakOnesOnDemand(EmbeddedKafka kafka, @TempDir Path directory)
            throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        Base64.Encoder base64 = Base64.getEncoder();
        Map<String, Object> accidents = Map.of(EmitterConfig.PROTECT_AGAINST, "accidents");
        Map<String, Object> tampering = Map.of(
                EmitterConfig.PROTECT_AGAINST,
                "tampering",
                EmitterConfig.KEY_ID,
                "k",
                EmitterConfig.KEY_PRIVATE,
                base64.encodeToString(pair.getPrivate().getEncoded()));
        String topic = SharedKafka.createTopic(kafka, "fleet", 1);
        List<CheckpointingProducer<String, String>> fleet = new ArrayList<>();
        for (Map<String, Object> settings : List.of(accidents, tampering)) {
            fleet.add(emitter(kafka, settings));
            fleet.add(emitter(kafka, settings));
        }
        for (int event = 0; event < EVENTS; event++) {
            for (CheckpointingProducer<String, String> emitter : fleet) {
                String key = event % 3 == 0 ? null : "key " + event;
                String value = event % 5 == 0 ? null : "event " + event;
                var unused = emitter.send(new ProducerRecord<>(topic, 0, key, value));
            }
        }
        fleet.forEach(CheckpointingProducer::close);
        Path keys = Files.writeString(
                directory.resolve("keys.properties"),
                "checkpoint.keys=k:" + base64.encodeToString(pair.getPublic().getEncoded()));
        String[] audit = {
            "audit", "--bootstrap-server", kafka.bootstrapServers(), "--topic", topic, "--config", keys.toString()
        };

        String whole = "audit --bootstrap-server " + kafka.bootstrapServers() + " --topic " + topic;
        Shell.Result all = Shell.line(whole).ends(ExitCode.VERIFIED);

        assertThat(all.out()).contains("VERIFIED: ").contains(" arrived once, in order, with key and value unaltered");

        Shell.Result signed = Shell.here(audit).ends(ExitCode.VIOLATED);

        assertThat(signed.out())
                .as("where keys are named, none may leave its signature out")
                .contains("8 stray records (untrusted-checkpoint)");

        Shell.Result strong =
                Shell.here(and(audit, "--require-protection", "tampering")).ends(ExitCode.VIOLATED);

        assertThat(strong.out())
                .containsPattern("0 +0 to \\d+ +100 +8 +8 +0 ")
                .contains("8 stray records (untrusted-checkpoint)")
                .contains("VIOLATED: 8 records of no stream; 50 events of 2 streams follow the last checkpoint")
                .contains("Something is wrong with the 100 events of '" + topic + "': 8 records belong to no stream.")
                .contains("signature: got none, want that of a trusted key");

        Shell.Result keyless =
                Shell.line(whole + " --require-protection tampering").ends(ExitCode.USAGE);

        assertThat(keyless.err()).contains("require.protection=tampering needs checkpoint.keys");
    }

    private static String[] and(String[] arguments, String... more) {
        return Shell.words(String.join(" ", arguments), more);
    }
}
