package dev.stormproof;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.stormproof.local.EmbeddedKafka;
import dev.stormproof.submit.Terminal;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The package table: which package may depend on what.
 *
 * <pre>
 * merkle ← sign ← checkpoint ← feed ← verify  pure: no Kafka, no Storm, no clock, no thread, no I/O
 *        ← align, checkpoint ← judge ← verify, alert ← dashboard
 *        ← checkpoint, judge ← evidence
 *        ← align ← compare; evidence, compare ← notary
 * http ← dashboard, metrics                   the JDK's HTTP server
 * verify ← config; config, feed ← transform ← output   Kafka's configuration classes; output: none
 * verify, alert ← log ← kafka, origin          Kafka's common classes; kafka: the clients as well
 * emit, fault; log, kafka, origin ← live       edges: Kafka clients; live also uses config
 * notary, live ← notary.kafka ← process        Kafka clients; processes without Storm
 * emit, fault, alert ← canary                  Kafka clients
 * feed ← conformance                          none
 * storm.tuple ← storm.spout ← storm           Storm, on top of live and transform
 * submit                                      Storm and picocli, on top of storm
 * local, cli                                  everything; no other package uses cli
 * </pre>
 */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.stormproof");

    private static final String[] JDK = {"java..", "javax.crypto..", "javax.security.."};
    private static final String JSPECIFY = "org.jspecify..";
    private static final String KAFKA_CLIENTS = "org.apache.kafka.clients..";
    private static final String KAFKA_COMMON = "org.apache.kafka.common..";
    private static final String SLF4J = "org.slf4j..";
    private static final String STORM = "org.apache.storm..";
    private static final String JACKSON = "com.fasterxml.jackson..";
    private static final String METRICS = "com.codahale.metrics..";

    /** What may be called of a terminal: no method that takes text of which nobody knows whose its lines are. */
    private static final Set<String> THE_TERMINALS = Set.of(
            "println",
            "printVerdict",
            "printf",
            "redraw",
            "flush",
            "checkError",
            "hasClosedPipe",
            "over",
            "nowhere",
            "install",
            "ofStandardOutput",
            "ofStandardError");

    /** A class together with those that are declared inside it; a sealed family counts as one. */
    private static final SliceAssignment TOP_LEVEL_CLASSES = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(family(topLevel(type.reflect())).getName());
        }

        @Override
        public String getDescription() {
            return "top-level classes";
        }
    };

    @Test
    void merkleKnowsOnlyBytes() {
        allow("merkle", own("merkle"), pkg("com.dynatrace.hash4j.."));
        noClasses()
                .that()
                .resideInAPackage("dev.stormproof.merkle")
                .and()
                .haveSimpleNameNotStartingWith("Xxh3")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.dynatrace.hash4j..")
                .check(CLASSES);
    }

    @Test
    void alignKnowsLeaves() {
        allow("align", own("merkle", "align"));
    }

    @Test
    void signKnowsHashesAndBouncyCastle() {
        allow("sign", own("merkle", "sign"), pkg("org.bouncycastle.."));
    }

    @Test
    void checkpointKnowsHashesAndSignatures() {
        allow("checkpoint", own("merkle", "sign", "checkpoint"));
    }

    @Test
    void leaderKnowsNothingOfOurs() {
        allow("leader", own("leader"));
    }

    @Test
    void feedKnowsRecords() {
        allow("feed", own("leader", "sign", "checkpoint", "feed"));
    }

    @Test
    void judgeKnowsTheCoreOnly() {
        allow("judge", own("merkle", "align", "checkpoint", "judge"));
    }

    @Test
    void verifyKnowsTheCoreAndNeitherClocksNorThreads() {
        allow("verify", own("leader", "merkle", "checkpoint", "feed", "judge", "verify"));
    }

    @Test
    void alertKnowsVerdictsAndJackson() {
        allow("alert", own("merkle", "checkpoint", "judge", "alert"), pkg(JACKSON));
    }

    @Test
    void evidenceKnowsTheCoreAlone() {
        allow("evidence", own("merkle", "sign", "checkpoint", "judge", "evidence"));
    }

    @Test
    void httpKnowsNothingOfOurs() {
        allow("http", own("http"), pkg("com.sun.net.httpserver..", SLF4J));
    }

    @Test
    void dashboardKnowsAlertsAndTheServer() {
        allow("dashboard", own("merkle", "checkpoint", "judge", "alert", "http", "dashboard"), pkg(JACKSON));
    }

    @Test
    void compareKnowsHashesAndTheirAlignment() {
        allow("compare", own("merkle", "align", "compare"));
    }

    @Test
    void notaryKnowsTreesAndProofsAlone() {
        allow(
                "notary",
                Set.of("dev.stormproof.notary.kafka"),
                own("leader", "merkle", "sign", "evidence", "compare", "notary"));
    }

    @Test
    void theNotaryOnKafkaKnowsTasksAndNoStorm() {
        allow(
                "notary.kafka",
                own("merkle", "sign", "log", "kafka", "config", "live", "notary"),
                pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J));
    }

    @Test
    void configKnowsKafkasConfigurationClasses() {
        allow(
                "config",
                own("verify", "config"),
                pkg("org.apache.kafka.common.config..", "org.apache.kafka.common.serialization.."),
                nameMatching("org\\.apache\\.kafka\\.clients\\.\\w+\\.\\w+Config")
                        .forSubtype());
    }

    @Test
    void emitKnowsTheFormatsAndKafkaClients() {
        allow("emit", own("merkle", "sign", "checkpoint", "emit"), pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J));
    }

    @Test
    void faultKnowsCheckpointsAndKafkaClients() {
        allow("fault", own("merkle", "checkpoint", "fault"), pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J));
    }

    @Test
    void logKnowsTheCoreAndNoClient() {
        allow("log", own("leader", "merkle", "checkpoint", "feed", "judge", "verify", "log"), pkg(KAFKA_COMMON, SLF4J));
    }

    @Test
    void kafkaKnowsRecordsAndKafkaClients() {
        allow(
                "kafka",
                own("leader", "sign", "checkpoint", "feed", "log", "kafka"),
                pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J));
    }

    @Test
    void originKnowsTheSearchAndNoClient() {
        allow(
                "origin",
                own("leader", "merkle", "checkpoint", "judge", "verify", "log", "origin"),
                pkg(KAFKA_COMMON, SLF4J));
    }

    @Test
    void transformKnowsOnlyItsConfiguration() {
        allow("transform", own("feed", "config", "transform"), pkg("org.apache.kafka.common.config..", JACKSON));
    }

    @Test
    void outputKnowsTheCoreAndTransformsAndNoKafka() {
        allow("output", own("leader", "merkle", "sign", "checkpoint", "feed", "judge", "transform", "output"));
    }

    @Test
    void metricsKnowFindingsAndPrometheus() {
        allow(
                "metrics",
                own("checkpoint", "judge", "config", "http", "metrics"),
                pkg("io.prometheus.metrics..", SLF4J));
    }

    @Test
    void liveKnowsKafkaClientsAndNoStorm() {
        allow(
                "live",
                own(
                        "leader",
                        "merkle",
                        "sign",
                        "checkpoint",
                        "feed",
                        "judge",
                        "verify",
                        "alert",
                        "log",
                        "kafka",
                        "config",
                        "transform",
                        "output",
                        "metrics",
                        "live"),
                pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J, JACKSON));
    }

    @Test
    void processesKnowTheVerificationOnKafkaAndNoStorm() {
        allow(
                "process",
                own(
                        "sign",
                        "checkpoint",
                        "feed",
                        "judge",
                        "kafka",
                        "config",
                        "http",
                        "metrics",
                        "live",
                        "notary.kafka",
                        "process"),
                pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J));
    }

    @Test
    void conformanceKnowsRecordsAlone() {
        allow("conformance", own("merkle", "checkpoint", "feed", "conformance"));
    }

    @Test
    void theCanaryKnowsEmittersAlertsAndKafkaClients() {
        allow("canary", own("judge", "alert", "emit", "fault", "canary"), pkg(KAFKA_CLIENTS, KAFKA_COMMON));
    }

    @Test
    void tuplesKnowTheVerifiersValuesAndStorm() {
        allow(
                "storm.tuple",
                own("merkle", "checkpoint", "feed", "live", "storm.tuple"),
                pkg(KAFKA_COMMON, STORM, "com.esotericsoftware.kryo.."));
    }

    @Test
    void theSpoutKnowsTuplesLinksAndProgress() {
        allow(
                "storm.spout",
                own("feed", "judge", "config", "metrics", "live", "storm.tuple", "storm.spout"),
                pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J, STORM, METRICS));
    }

    @Test
    void stormKnowsNeitherEmittersNorTheCommandLine() {
        allow(
                "storm",
                own(
                        "merkle",
                        "sign",
                        "checkpoint",
                        "feed",
                        "judge",
                        "verify",
                        "alert",
                        "config",
                        "live",
                        "metrics",
                        "notary.kafka",
                        "transform",
                        "storm"),
                pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J, STORM, METRICS, "com.esotericsoftware.kryo.."));
    }

    @Test
    void submitKnowsTheTopology() {
        allow(
                "submit",
                own("sign", "alert", "config", "live", "notary.kafka", "transform", "storm", "submit"),
                pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J, STORM, "picocli.."));
    }

    @Test
    void nobodyKnowsTheCommandLine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.stormproof.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.stormproof.cli..")
                .check(CLASSES);
    }

    /** Commands start sessions, which read inputs and end in texts. */
    @Test
    void textsAndInputsKnowNeitherSessionsNorCommands() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.stormproof.cli.text", "dev.stormproof.cli.input")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.stormproof.cli", "dev.stormproof.cli.command", "dev.stormproof.cli.session")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("dev.stormproof.cli.session")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.stormproof.cli", "dev.stormproof.cli.command")
                .check(CLASSES);
    }

    @Test
    void onlyTheCommandLineKnowsTheLocalDefault() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.stormproof.cli..", "dev.stormproof.local..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.stormproof.local..")
                .check(CLASSES);
    }

    @Test
    void thePureCoreHasNoClockAndNoThread() {
        DescribedPredicate<JavaClass> clocksAndThreads = DescribedPredicate.describe(
                "clocks and threads",
                type -> type.isEquivalentTo(Clock.class)
                        || type.isAssignableTo(Thread.class)
                        || type.isAssignableTo(Executor.class));
        ArchRule noThreads = noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.stormproof.merkle",
                        "dev.stormproof.align",
                        "dev.stormproof.sign",
                        "dev.stormproof.checkpoint",
                        "dev.stormproof.feed",
                        "dev.stormproof.judge",
                        "dev.stormproof.verify",
                        "dev.stormproof.alert",
                        "dev.stormproof.evidence",
                        "dev.stormproof.compare",
                        "dev.stormproof.notary")
                .should()
                .dependOnClassesThat(clocksAndThreads)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime");
        noThreads.check(CLASSES);
    }

    /** Bytes of records end in names, details and exceptions; {@link Terminal} is the one way from there to a terminal. */
    @Test
    void nothingButTheTerminalPrints() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(Terminal.class, EmbeddedKafka.class)
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "console")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .orShould()
                .callConstructorWhere(
                        DescribedPredicate.describe("makes a printer", call -> isPrinter(call.getTargetOwner())))
                .orShould()
                .callMethodWhere(DescribedPredicate.describe(
                        "prints past Terminal",
                        call -> isPrinter(call.getTargetOwner())
                                && !THE_TERMINALS.contains(call.getTarget().getName())))
                .check(CLASSES);
    }

    private static boolean isPrinter(JavaClass type) {
        return type.isAssignableTo(PrintWriter.class) || type.isAssignableTo(PrintStream.class);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("dev.stormproof.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void classesOfAPackageFormNoCycle() {
        slices().assignedFrom(TOP_LEVEL_CLASSES).should().beFreeOfCycles().check(CLASSES);
    }

    private static Class<?> topLevel(Class<?> type) {
        Class<?> declaring = type.getDeclaringClass() == null ? type.getEnclosingClass() : type.getDeclaringClass();
        return declaring == null ? type : topLevel(declaring);
    }

    /** The sealed type that a class belongs to, or the class itself. */
    private static Class<?> family(Class<?> type) {
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                .filter(Class::isSealed)
                .findFirst()
                .<Class<?>>map(parent -> family(topLevel(parent)))
                .orElse(type);
    }

    @SafeVarargs
    private static void allow(String name, DescribedPredicate<? super JavaClass>... allowed) {
        allow(name, Set.of(), allowed);
    }

    /** @param apart packages within that have rules of their own */
    @SafeVarargs
    private static void allow(String name, Set<String> apart, DescribedPredicate<? super JavaClass>... allowed) {
        DescribedPredicate<JavaClass> any = resideInAnyPackage(JDK).or(resideInAnyPackage(JSPECIFY));
        for (DescribedPredicate<? super JavaClass> one : allowed) {
            any = any.or(one);
        }
        classes()
                .that()
                .resideInAPackage("dev.stormproof." + name + "..")
                .and()
                .resideOutsideOfPackages(apart.toArray(new String[0]))
                .should()
                .onlyDependOnClassesThat(any)
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> own(String... names) {
        String[] packages = new String[names.length];
        for (int i = 0; i < names.length; i++) {
            packages[i] = "dev.stormproof." + names[i] + "..";
        }
        return resideInAnyPackage(packages);
    }

    private static DescribedPredicate<JavaClass> pkg(String... packages) {
        return resideInAnyPackage(packages);
    }
}
