package dev.stormproof.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stormproof.cli.Main;
import dev.stormproof.local.EmbeddedKafka;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * Emitters of one name that are killed under load with SIGKILL, one after the other, before a broker; then an audit. With transactions, each
 * fourth one has its producer fenced before, and goes on with another.
 *
 * <pre>
 *   emitter 1 ✝  emitter 2 ✝  …  emitter n  states the ends of all before it, and closes
 *                                           audit: nothing open, nothing violated but the losses that were planted
 * </pre>
 */
public final class CrashTrial {
    /** How long a killed emitter's end may take at most to be stated. */
    private static final long PATIENCE_SECONDS = 120;

    private static final String NAME = "crashing";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String servers;
    private final String topic;
    private final boolean transactional;
    private final SplittableRandom random;
    private final Set<String> planted = new TreeSet<>();

    /**
     * What an audit says of the log behind all of them.
     *
     * @param exitCode the audit's
     * @param open how many events are open, and how many more emitters than the last one left streams so
     * @param lost the events that were called lost, by emitter, partition and sequence
     * @param others how many other anomalies and findings of no stream there are
     * @param recovered how many ends were recovered
     * @param planted the events that were lost, as their emitters say
     */
    public record Result(
            int exitCode,
            long open,
            Set<String> lost,
            long others,
            long recovered,
            long verifiedEvents,
            Set<String> planted) {
        /** True if nothing is open, and what is violated are the planted losses, each by its name. */
        public boolean isRight() {
            return open == 0 && lost.equals(planted) && others == 0 && exitCode == (planted.isEmpty() ? 0 : 1);
        }

        /** The figures, and the events in which the two differ. */
        @Override
        public String toString() {
            return "exit code %d, %,d verified events, %,d ends recovered, %,d losses planted, %,d named, %,d open, %,d others"
                            .formatted(exitCode, verifiedEvents, recovered, planted.size(), lost.size(), open, others)
                    + beside("; not named: ", planted, lost)
                    + beside("; named, though not planted: ", lost, planted);
        }

        private static String beside(String what, Set<String> some, Set<String> others) {
            Set<String> left = new TreeSet<>(some);
            left.removeAll(others);
            return left.isEmpty() ? "" : what + left;
        }
    }

    private CrashTrial(String servers, String topic, boolean transactional, SplittableRandom random) {
        this.servers = servers;
        this.topic = topic;
        this.transactional = transactional;
        this.random = random;
    }

    /** KILLS TRANSACTIONAL SEED: kills so many, and says what an audit finds; ends with 1 if that is not what happened. */
    public static void main(String[] args) throws Exception {
        int kills = Integer.parseInt(args[0]);
        boolean transactional = Boolean.parseBoolean(args[1]);
        long seed = args.length > 2 ? Long.parseLong(args[2]) : new SplittableRandom().nextLong();
        System.out.println(kills + " kills, " + (transactional ? "with" : "without") + " transactions, seed " + seed);
        Path data = Files.createTempDirectory("stormproof-crash-");
        Result result;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(0, data)) {
            kafka.createTopic("crash", CrashEmitter.PARTITIONS, Map.of());
            result = run(kafka.bootstrapServers(), "crash", kills, transactional, seed);
        }
        System.out.println(result + (result.isRight() ? ": right" : ": WRONG"));
        System.exit(result.isRight() ? 0 : 1);
    }

    /** Kills so many emitters of a topic of {@value CrashEmitter#PARTITIONS} partitions; each fourth loses an event before. */
    public static Result run(String servers, String topic, int kills, boolean transactional, long seed)
            throws IOException, InterruptedException {
        return new CrashTrial(servers, topic, transactional, new SplittableRandom(seed)).run(kills);
    }

    private Result run(int kills) throws IOException, InterruptedException {
        for (int kill = 0; kill < kills; kill++) {
            Process emitter = start();
            try (BufferedReader out = new BufferedReader(new InputStreamReader(emitter.getInputStream(), UTF_8))) {
                await(out, "begun");
                Thread.sleep(random.nextInt(200, 1_200)); // The load, until the kill.
                if (kill % 4 == 3) {
                    emitter.getOutputStream().write('l');
                    emitter.getOutputStream().flush();
                    planted.add(await(out, "lost "));
                } else if (kill % 4 == 1 && transactional) {
                    fence();
                    await(out, "again");
                }
            } finally {
                emitter.destroyForcibly().waitFor();
            }
        }
        Process last = start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(last.getInputStream(), UTF_8))) {
            await(out, "begun");
            awaitRecovered();
            last.getOutputStream().write('q');
            last.getOutputStream().flush();
            await(out, "closed");
        } finally {
            last.destroyForcibly().waitFor();
        }
        return audit();
    }

    /** As an operator or a second process does: what the emitter's producer has begun is aborted, and it is refused for good. */
    private void fence() throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.fenceProducers(List.of(NAME)).all().get();
        } catch (ExecutionException e) {
            throw new KafkaException("cannot fence the emitter", e.getCause());
        }
    }

    private Process start() throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dstormproof.log.level=OFF",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashEmitter.class.getName(),
                        servers,
                        topic,
                        NAME,
                        Boolean.toString(transactional)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** What follows the word in the emitter's line. */
    private static String await(BufferedReader out, String word) throws IOException {
        for (String line = out.readLine(); ; line = out.readLine()) {
            if (line == null) {
                throw new IOException("the emitter ended before it said '" + word + "'");
            }
            if (line.startsWith(word)) {
                return line.substring(word.length());
            }
        }
    }

    /** Waits until no stream but those of the last emitter lacks a recovered end. */
    private void awaitRecovered() throws InterruptedException, IOException {
        long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() < untilNanos && unrecoveredEmitters(audited()).size() > 1) {
            Thread.sleep(500); // Between two audits.
        }
    }

    /** The emitters of streams that no recovered end closes; all of one emitter have its id. */
    private static Set<String> unrecoveredEmitters(List<JsonNode> lines) {
        Set<String> recovered = new TreeSet<>();
        Set<String> emitters = new TreeSet<>();
        lines.stream()
                .filter(line -> line.has("recovery"))
                .forEach(line -> recovered.add(line.path("emitter").asText() + line.path("partition")));
        lines.stream()
                .filter(line -> line.has("emitter")
                        && !recovered.contains(line.path("emitter").asText() + line.path("partition")))
                .forEach(line -> emitters.add(line.path("emitter").asText()));
        return emitters;
    }

    private Result audit() throws IOException {
        List<JsonNode> lines = audited();
        long open = unrecoveredEmitters(lines).size() - 1L;
        Set<String> lost = new TreeSet<>();
        long others = 0;
        long recovered = 0;
        long verified = 0;
        for (JsonNode line : lines) {
            open += line.path("openEvents").asLong();
            recovered += line.path("recovery").asText().equals("recovered") ? 1 : 0;
            others += line.path("finding").asText().equals("stray") ? 1 : 0;
            others += line.path("finding").asText().equals("inconclusive") ? 1 : 0;
            verified += line.path("finding").asText().equals("verified")
                    ? line.path("eventCount").asLong()
                    : 0;
            for (JsonNode anomaly : line.path("anomalies")) {
                boolean loss = anomaly.path("kind").asText().equals("lost");
                others += loss ? 0 : 1;
                for (long sequence = anomaly.path("begin").asLong();
                        loss && sequence < anomaly.path("end").asLong();
                        sequence++) {
                    lost.add(CrashEmitter.event(
                            line.path("emitter").asText(),
                            line.path("partition").asInt(),
                            sequence));
                }
            }
        }
        return new Result(exitCode, open, lost, others, recovered, verified, planted);
    }

    private int exitCode;

    private List<JsonNode> audited() throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        exitCode = Main.run(
                new String[] {"audit", "--bootstrap-server", servers, "--topic", topic, "--json", "--all"},
                new PrintWriter(out, true),
                new PrintWriter(err, true));
        List<JsonNode> lines = new ArrayList<>();
        for (String line : out.toString().lines().toList()) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }
}
