package dev.stormproof.task.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StormproofConfigTest {
    private static final String PROVIDER_CLASS = FileConfigProvider.class.getName();

    @TempDir
    Path directory;

    @Test
    void defaultsNeedOnlyBrokersTopicAndGroup() {
        StormproofConfig config = configWith();

        assertThat(config.input.topics()).containsExactly("orders");
        assertThat(config.alerts.topic()).isEqualTo("stormproof-alerts");
        assertThat(config.alerts.verdictsTopic()).contains("stormproof-verdicts");
        assertThat(configWith("alerts.topic", "a").alerts.verdictsTopic()).contains("a-verdicts");
        assertThat(configWith("verdicts.topic", "none").alerts.verdictsTopic()).isEmpty();
        assertThat(config.headsTopic()).isEqualTo(config.groupId() + "-heads");
        assertThat(config.output.transform()).isEqualTo("identity");
        assertThat(config.checking.signatureHeader()).isEqualTo("signature");
        assertThat(config.checking.alertsOnUnsigned()).isTrue();
        assertThat(config.tasks.spouts()).isEqualTo(1);
        assertThat(config.tasks.placement()).isEqualTo(TrackerPlacement.BOLT);
    }

    @Test
    void replicasNeedTheSettingsInCommonThatDecideAVerdictAndNoOthers() {
        long plain = configWith("input.topics", "orders,payments").fingerprint();

        for (String beside : List.of(
                "bootstrap.servers=b:9092",
                "checkpoint.tasks=3",
                "spout.tasks=2",
                "audit.threads=1",
                "flush.interval.ms=7",
                "metrics.http.port=9404",
                "runbook.base.url=https://runbook/",
                "input.topics=payments, orders",
                "consumer.fetch.max.wait.ms=7")) {
            assertThat(fingerprintWith(beside)).as(beside).isEqualTo(plain);
        }
        for (String deciding : List.of(
                "input.topics=orders",
                "unsigned.events=ignore",
                "format1.topics=orders",
                "event.signers=orders:sha256",
                "emitters.allowed=orders:shop",
                "silence.grace.ms=7",
                "output.topic=*-out",
                "alerts.topic=others",
                "canary.topic=canary")) {
            assertThat(fingerprintWith(deciding)).as(deciding).isNotEqualTo(plain);
        }
    }

    private static long fingerprintWith(String setting) {
        String[] pair = setting.split("=", 2);
        return configWith("input.topics", "orders,payments", pair[0], pair[1]).fingerprint();
    }

    @Test
    void emittersAreNamedByTopic() {
        assertThat(configWith("emitters.allowed", "orders:shop-*, *:import,orders:a:b")
                        .checking
                        .allowedEmitters())
                .isEqualTo(Map.of("orders", List.of("shop-*", "a:b"), "*", List.of("import")));
        assertThat(configWith("emitters.allowed", "*:shop", "canary.topic", "canary")
                        .checking
                        .allowedEmitters())
                .as("planted faults may be written")
                .containsEntry("canary", List.of("*"));
        assertThat(configWith("canary.topic", "canary").checking.allowedEmitters())
                .isEmpty();
    }

    @Test
    void anAuditOfATopicWithAnOriginIsGivenTheOrigin() {
        assertThat(configWith("group.id", "g").input.originOptions()).isEmpty();
        assertThat(configWith("mirrors", "orders:sales").input.originOptions())
                .isEqualTo(Map.of("orders", " --mirror-of sales"));
        assertThat(configWith(
                                "input.topics", "made, dc1.orders",
                                "origins", "made:orders",
                                "mirrors", "dc1.orders:orders",
                                "origin.bootstrap.servers", "a:9092, b:9092")
                        .input
                        .originOptions())
                .isEqualTo(Map.of(
                        "made", " --origin orders --origin-bootstrap-server a:9092,b:9092",
                        "dc1.orders", " --mirror-of orders --origin-bootstrap-server a:9092,b:9092"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            tracker.placement=spout | tracker.placement; bolt; source
            tracker.placement=source transform=log-json | tracker.placement=source; transform=log-json
            emitters.allowed=order:shop | 'order'; no input topic
            emitters.allowed=shop | 'shop' is not of the form topic:name
            mirrors=orders:sales origins=orders:sales | mirrors; origins
            mirrors=orders | mirrors; topic:origin
            alert.topic=a | unknown key alert.topic; did you mean alerts.topic?
            ssl.truststore.locaton=a | did you mean ssl.truststore.location?
            consumer.max.poll.record=9 | did you mean consumer.max.poll.records?
            notary.witnesses.more=x | unknown key notary.witnesses.more
            max.poll.records=9 | write consumer.max.poll.records
            linger.ms=9 | write producer.linger.ms
            consumer.max.poll.records=many | consumer.max.poll.records
            consumer.max.poll.records=0 | consumer.max.poll.records
            security.protocol=TLS | security.protocol
            input.topics.pattern=o.* | exactly one
            input.topics= input.topics.pattern=( | regular expression
            notary.topics=payments | notes.topic
            notary.topics=payments notes.topic=notes | notary.key
            notary.topics=payments notes.topic=payments notary.key=n:n.pem | noted again without end
            alerts.topic=orders | alerts.topic; 'orders'; name another topic
            verdicts.topic=orders | verdicts.topic
            input.topics= input.topics.pattern=.* alerts.topic=a | alerts.topic is 'a', which is also an input topic
            input.topics= input.topics.pattern=o.* verdicts.topic=ov | verdicts.topic is 'ov', which is also an input topic
            alerts.topic=a verdicts.topic=a | the same topic
            alerts.topic=a heads.topic=a | heads.topic is 'a', which is the same topic as alerts.topic
            heads.topic=orders | heads.topic is 'orders', which is also an input topic
            output.hold=verified | output.hold=verified needs output.topic
            output.topic=out output.on.violation=skip | output.on.violation=skip needs output.hold=verified
            output.topic=out output.hold=verified unsigned.events=ignore | the output would halt at each event without a signature
            output.topic=* | output.topic=*; without end
            input.topics= input.topics.pattern=o.* output.topic=* | output.topic=*
            output.topic=*-alerts alerts.topic=orders-alerts | alerts.topic is 'orders-alerts'; output.topic=*-alerts
            input.topics= input.topics.pattern=o[a-z]* output.topic=made.*.here diverted.topic=made.orders.here | diverted.topic is 'made.orders.here'
            consumer.ssl.key.password=hunter2 | consumer.ssl.key.password
            producer.ssl.truststore.certificates=-----BEGIN | literal secret
            ssl.keystore.password=${file:/s:k} | provider 'file'; config.providers
            config.providers=file ssl.keystore.password=${file:/s:k} | config.providers.file.class is missing
            config.providers=file config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider group.id=${file:/s:k} | group.id cannot be a reference
            config.providers=vault config.providers.vault.class=org.apache.kafka.common.config.provider.FileConfigProvider config.providers.vault.param.token=hunter2 | config.providers.vault.param.token
            consumer.isolation.level=read_uncommitted | cannot be set
            enable.auto.commit=true | enable.auto.commit cannot be set
            producer.acks=1 | cannot be set
            consumer.interceptor.classes=a.B | cannot be set
            input.topics= | exactly one
            origin.bootstrap.servers=a:9092 | origin.bootstrap.servers; origins; mirrors
            mirrors=orders:sales origin.bootstrap.servers=a:9092 origin.timeout.ms=9 | origin.timeout.ms was removed; --origin-bootstrap-server; --origin-command-config
            group.id=orders-notary | group.id is 'orders-notary'
            group.id=orders-release | group.id is 'orders-release'
            group.id=orders-replicas | group.id is 'orders-replicas'
            require.protection=tampering | require.protection=tampering needs checkpoint.keys
            require.protection=tampering checkpoint.keys=a:AAA= input.topics=made origins=made:orders | nothing signs what a transform states of the events in [made]
            require.protection=tampering checkpoint.keys=a:AAA= format1.topics=orders | nothing signs checkpoints of format 1
            format1.topics=* | name the topics
            require.protection=theft | require.protection
            """)
    void whatCannotBeIsRefused(String settings, String parts) {
        String[] keysAndValues = Stream.of(settings.split(" ", -1))
                .flatMap(setting -> Stream.of(setting.split("=", 2)))
                .toArray(String[]::new);
        assertRefused(() -> configWith(keysAndValues), parts.split("; ", -1));
    }

    @Test
    void everyKeyIsExplained() {
        assertThat(StormproofConfig.definition().configKeys().values())
                .allSatisfy(key -> assertThat(key.documentation).endsWith("."));
    }

    @Test
    void readsAPropertiesFile() throws Exception {
        Path file = directory.resolve("stormproof.properties");
        Files.writeString(file, """
                # where
                bootstrap.servers = broker:9092
                input.topics = orders, payments
                group.id = audit
                unsigned.events = ignore
                """);

        StormproofConfig config = StormproofConfig.load(file);

        assertThat(config.input.topics()).containsExactly("orders", "payments");
        assertThat(config.groupId()).isEqualTo("audit");
        assertThat(config.checking.alertsOnUnsigned()).isFalse();
    }

    @Test
    void aReaderTakesATopologysFileAndReadsItsOwnTopic() {
        StormproofConfig config = StormproofConfig.ofReader(
                Map.of(
                        "bootstrap.servers", "elsewhere:1",
                        "group.id", "g",
                        "input.topics.pattern", "x.*",
                        "verdicts.topic", "t-alerts",
                        "signature.header", "sig",
                        "consumer.fetch.min.bytes", "2"),
                "broker:9092",
                "t");

        assertThat(config.input.topics()).containsExactly("t");
        assertThat(config.input.pattern()).isEmpty();
        assertThat(config.checking.signatureHeader()).isEqualTo("sig");
        assertThat(config.kafkaConsumer())
                .isEqualTo(Map.of("bootstrap.servers", "broker:9092", "fetch.min.bytes", "2"));
    }

    @Test
    void aReaderMayBeToldASecretLiterallyAndIsStillToldOfMistypedKeys() {
        String jaas = "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"a\" password=\"b\";";

        StormproofConfig config = StormproofConfig.ofReader(
                Map.of("sasl.jaas.config", jaas, "ssl.keystore.password", "hunter2"), "broker:9092", "t");

        assertThat(config.kafkaAdmin()).containsEntry("sasl.jaas.config", jaas);
        assertRefused(
                () -> StormproofConfig.ofReader(Map.of("checkpoint.key", "a:AAA="), "broker:9092", "t"),
                "unknown key checkpoint.key; did you mean checkpoint.keys?");
        assertRefused(
                () -> StormproofConfig.ofReader(Map.of("ssl.key.password", "${file:/x:y}"), "broker:9092", "t"),
                "the provider 'file'");
    }

    @Test
    void aMissingFileIsNamed() {
        Path file = directory.resolve("nowhere.properties");

        assertRefused(() -> StormproofConfig.load(file), "there is no file", file.toString());
    }

    @Test
    void aMissingRequiredKeyIsNamed() {
        assertRefused(() -> new StormproofConfig(Map.of("bootstrap.servers", "broker:9092")), "group.id");
    }

    @Test
    void aRemovedSettingIsRefusedWithWhatToUseInItsPlace() {
        RemovedSettings.INSTEAD.forEach((key, instead) -> {
            String given = key.endsWith(".") ? key + "x" : key;
            assertRefused(() -> configWith(given, "x"), given + " was removed: " + instead);
        });
    }

    @Test
    void everyRemovedSettingOfAFileIsReportedAtOnce() {
        List<String> found = new ArrayList<>();

        StormproofConfig.reviewed(
                Map.of(
                        "bootstrap.servers", "broker:9092",
                        "group.id", "g",
                        "input.topics", "orders",
                        "checkpoint.topic", "c",
                        "stormproof.checkpoint.topic", "c"),
                mistake -> found.add(String.valueOf(mistake.getMessage())));

        assertThat(found)
                .hasSize(2)
                .allSatisfy(mistake -> assertThat(mistake).contains("checkpoint.topic was removed: "));
    }

    @Test
    void aKeyThatIsMistypedIsReportedBeforeTheOneThatIsMissingForIt() {
        assertRefused(
                () -> new StormproofConfig(Map.of("bootstrap.server", "broker:9092", "group.id", "g")),
                "did you mean bootstrap.servers?");
    }

    @Test
    void anUnknownKeyLikeNoOtherIsRefusedWithoutASuggestion() {
        assertThatThrownBy(() -> configWith("zzzzzz", "a")).hasMessage("unknown key zzzzzz");
    }

    @Test
    void kafkaPropertiesGoToTheClientsThatKnowThem() {
        StormproofConfig config = configWith(
                "security.protocol", "SSL",
                "client.rack", "r1",
                "default.api.timeout.ms", "9000",
                "consumer.max.poll.records", "100",
                "producer.linger.ms", "5");

        assertThat(config.kafkaConsumer())
                .containsEntry("bootstrap.servers", "broker:9092")
                .containsEntry("security.protocol", "SSL")
                .containsEntry("client.rack", "r1")
                .containsEntry("default.api.timeout.ms", "9000")
                .containsEntry("max.poll.records", "100")
                .doesNotContainKey("linger.ms");
        assertThat(config.kafkaProducer())
                .containsEntry("security.protocol", "SSL")
                .containsEntry("linger.ms", "5")
                .doesNotContainKeys("max.poll.records", "client.rack", "default.api.timeout.ms");
        assertThat(config.kafkaAdmin())
                .containsEntry("security.protocol", "SSL")
                .doesNotContainKeys("max.poll.records", "linger.ms");
    }

    @Test
    void aPrefixedPropertyWinsOverTheSameWithoutPrefix() {
        StormproofConfig config = configWith("request.timeout.ms", "1000", "producer.request.timeout.ms", "2000");

        assertThat(config.kafkaConsumer()).containsEntry("request.timeout.ms", "1000");
        assertThat(config.kafkaProducer()).containsEntry("request.timeout.ms", "2000");
    }

    @Test
    void aNotaryNeedsNoInputs() {
        StormproofConfig alone = configWith(
                "input.topics", "", "notary.topics", "payments", "notes.topic", "notes", "notary.key", "n-1:dir/n.pem");
        assertThat(alone.verifies()).isFalse();
        assertThat(alone.notarizes()).isTrue();
        assertThat(alone.notary.keyId()).isEqualTo("n-1");
        assertThat(alone.notary.keyFile()).isEqualTo(Path.of("dir/n.pem"));
    }

    @Test
    void aPatternNeverMeansKafkasInternalTopics() {
        StormproofConfig config = configWith("input.topics", "", "input.topics.pattern", "(orders|__).*");

        assertThat(config.input.names().contains("orders-eu")).isTrue();
        assertThat(config.input.names().contains("__consumer_offsets")).isFalse();
        assertThat(config.input.names().contains("payments")).isFalse();
    }

    @Test
    void trustedKeysAreReadByTheirIds() {
        assertThat(configWith("checkpoint.keys", "a:AAA=, b:B+/=").checking.keys())
                .containsExactly(Map.entry("a", "AAA="), Map.entry("b", "B+/="));
        assertThat(configWith("checkpoint.keys", "a:AAA=").checking.signaturesRequired())
                .as("or a forger leaves the signature out")
                .isTrue();
        assertThat(configWith("group.id", "g").checking.signaturesRequired()).isFalse();
        assertRefused(() -> configWith("checkpoint.keys", "AAA=").checking.keys(), "id:base64");
        assertRefused(() -> configWith("checkpoint.keys", "a:A,a:B").checking.keys(), "two keys of the id a");
    }

    @Test
    void aDirectoryStandsForTheKeysInIt(@TempDir Path dir) throws IOException {
        Files.writeString(dir.resolve("b.pub"), "b:B+/=\n");
        Files.writeString(dir.resolve("a.pub"), "a:AAA=\n");
        Files.writeString(dir.resolve("a.pem"), "private");

        StormproofConfig config = configWith("checkpoint.keys", "@" + dir + ",c:CCC=");
        assertThat(config.checking.keys())
                .containsExactly(Map.entry("a", "AAA="), Map.entry("b", "B+/="), Map.entry("c", "CCC="));
        assertThat(config.properties()).containsEntry("checkpoint.keys", "a:AAA=,b:B+/=,c:CCC=");
        assertRefused(() -> configWith("checkpoint.keys", "@no-such"), "there is no directory no-such");
        Path none = Files.createDirectory(dir.resolve("none"));
        assertRefused(() -> configWith("checkpoint.keys", "@" + none), "ends with .pub");
    }

    @Test
    void protectionAgainstTamperingDemandsSignatures() {
        assertThat(configWith("group.id", "g").checking.againstTampering()).isFalse();
        StormproofConfig config = configWith("require.protection", "tampering", "checkpoint.keys", "a:AAA=");
        assertThat(config.checking.againstTampering()).isTrue();
        assertThat(config.checking.signaturesRequired()).isTrue();
    }

    @Test
    void anOutputThatIsHeldBackMayIgnoreUnsignedEventsIfItDoesNotHalt() {
        StormproofConfig held = configWith(
                "output.topic",
                "out",
                "output.hold",
                "verified",
                "output.on.violation",
                "mark",
                "unsigned.events",
                "ignore");
        assertThat(held.output.isHeld()).isTrue();
        assertThat(held.output.onViolation()).isEqualTo("mark");
    }

    @Test
    void aPatternNeverMeansTheOutputOfAnotherTopicThatItMatches() {
        StormproofConfig config =
                configWith("input.topics", "", "input.topics.pattern", "orders.*", "output.topic", "*-enriched");

        assertThat(List.of("orders", "orders-eu")).allMatch(config.input.names()::contains);
        assertThat(List.of("orders-enriched", "orders-eu-enriched", "orders-enriched-enriched"))
                .noneMatch(config.input.names()::contains)
                .allMatch(config.input.names()::isOutput);
        InputTopics twice = InputTopics.matching(Pattern.compile("o.*"), "o*.of.*");
        assertThat(List.of("oox.of.ox", "oo.of.o")).noneMatch(twice::contains);
        assertThat(List.of("oox.of.oy", "ox.of.x", "o.of.", "oo.of.ox")).allMatch(twice::contains);
    }

    @Test
    void aLiteralSecretIsRefusedWithTheReasonAndWithoutTheSecret() {
        Throwable refusal = catchThrowable(() -> configWith("ssl.keystore.password", "hunter2"));

        assertThat(refusal)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("ssl.keystore.password is a literal secret")
                .hasMessageContaining("${file:")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void referencesStayUnresolvedForTheWorkers() throws Exception {
        String reference = secret("keystore");
        StormproofConfig config = withProvider("ssl.keystore.password", reference);

        assertThat(config.kafkaConsumer()).containsEntry("ssl.keystore.password", reference);
        assertThat(config.kafkaProducer()).containsEntry("ssl.keystore.password", reference);
        assertThat(config.originals().toString()).doesNotContain("hunter2");
    }

    @Test
    void theKafkaClientResolvesTheReferences() throws Exception {
        Map<String, Object> properties =
                withProvider("ssl.keystore.password", secret("keystore")).kafkaConsumer();
        properties.put("key.deserializer", ByteArrayDeserializer.class);
        properties.put("value.deserializer", ByteArrayDeserializer.class);

        Password password = new ConsumerConfig(properties).getPassword("ssl.keystore.password");
        assertThat(password.value()).isEqualTo("hunter2");
    }

    @Test
    void aReferenceThatThisMachineCannotResolveIsTold() throws Exception {
        StormproofConfig config =
                withProvider("ssl.keystore.password", secret("keystore"), "ssl.key.password", secret("key"));

        assertThat(config.unresolvedReferences()).containsExactly(secret("key"));
    }

    /** A reference to an entry of a file, which has that of the keystore alone. */
    private String secret(String entry) throws IOException {
        return "${file:" + Files.writeString(directory.resolve("secrets"), "keystore=hunter2\n") + ":" + entry + "}";
    }

    private static StormproofConfig withProvider(String... keysAndValues) {
        String[] provider = {"config.providers", "file", "config.providers.file.class", PROVIDER_CLASS};
        return configWith(Stream.of(provider, keysAndValues).flatMap(Stream::of).toArray(String[]::new));
    }

    @Test
    void aJaasEntryMayHoldTheNameButNotThePassword() {
        String scram = "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"app\" password=\"";

        StormproofConfig config = withProvider("sasl.jaas.config", scram + "${file:/s:k}\";");

        assertThat(config.kafkaConsumer()).containsEntry("sasl.jaas.config", scram + "${file:/s:k}\";");
        assertRefused(() -> configWith("sasl.jaas.config", scram + "hunter2\";"), "(option password)");
        assertRefused(() -> configWith("sasl.jaas.config", scram + "hunter2\" clientSecret=x;"), "literal secret");
        assertRefused(() -> configWith("sasl.jaas.config", "x.LoginModule required apiKey=hunter2;"), "apiKey");
    }

    @Test
    void distanceCountsInsertionsDeletionsAndReplacements() {
        assertThat(DidYouMean.distance("", "abc")).isEqualTo(3);
        assertThat(DidYouMean.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(DidYouMean.distance("same", "same")).isZero();
    }

    @Test
    void definitionsAreCopiesThatNobodyCanSpoil() {
        StormproofConfig.definition().define("x", ConfigDef.Type.STRING, ConfigDef.Importance.LOW, "x");

        assertThat(StormproofConfig.definition().names()).doesNotContain("x");
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable attempt, String... parts) {
        Throwable refusal = catchThrowable(attempt);
        assertThat(refusal).isInstanceOf(ConfigException.class);
        for (String part : parts) {
            assertThat(refusal).hasMessageContaining(part);
        }
        assertThat(String.valueOf(refusal.getMessage()))
                .doesNotContain("hunter2")
                .doesNotContain("\n");
    }

    @Test
    void metricsAreServedIfTheFileSaysSoAndToThisHostAloneUnlessItSaysMore() {
        assertThat(configWith().metricsAddress()).isEmpty();
        assertThat(configWith("metrics.http.host", "0.0.0.0").metricsAddress()).isEmpty();
        assertThat(configWith("metrics.http.port", "9404").metricsAddress())
                .contains(new MetricsAddress("127.0.0.1", 9_404, 9_404, Set.of()));
        assertThat(configWith("metrics.http.port", "9404-9413", "metrics.http.host", "0.0.0.0")
                        .metricsAddress())
                .contains(new MetricsAddress("0.0.0.0", 9_404, 9_413, Set.of()));
        assertThat(configWith("metrics.http.port", "0").metricsAddress())
                .contains(new MetricsAddress("127.0.0.1", 0, 0, Set.of()));
        for (String wrong :
                new String[] {"any", "-1", "65536", "9413-9404", "0-9404", "9404-65536", "9404-", "99999999999"}) {
            assertThatThrownBy(() -> configWith("metrics.http.port", wrong))
                    .as(wrong)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("a range of ports such as 9404-9413");
        }
    }

    private static StormproofConfig configWith(String... keysAndValues) {
        Map<String, String> properties = required();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return new StormproofConfig(properties);
    }

    private static Map<String, String> required() {
        return new HashMap<>(
                Map.of("bootstrap.servers", "broker:9092", "input.topics", "orders", "group.id", "stormproof-orders"));
    }
}
