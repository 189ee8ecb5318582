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
import java.time.Clock;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/**
 * The package table: which package may depend on what.
 *
 * <pre>
 * merkle ← checkpoint ← judge ← verify, alert pure: no Kafka, no Storm, no clock, no thread, no log
 * config                                      Kafka's configuration classes
 * emit, fault, audit, storm                   edges: Kafka clients; Storm only in storm
 * local, cli                                  everything; nobody depends on cli
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
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void checkpointKnowsMerkle() {
        allow("checkpoint", own("merkle", "checkpoint"));
    }

    @Test
    void judgeKnowsTheCoreOnly() {
        allow("judge", own("merkle", "checkpoint", "judge"));
    }

    @Test
    void verifyKnowsTheCoreAndNeitherClocksNorThreads() {
        allow("verify", own("merkle", "checkpoint", "judge", "verify"));
    }

    @Test
    void alertKnowsVerdictsAndJackson() {
        allow("alert", own("merkle", "checkpoint", "judge", "alert"), pkg("com.fasterxml.jackson.."));
    }

    @Test
    void configKnowsKafkasConfigurationClasses() {
        allow(
                "config",
                own("config"),
                pkg("org.apache.kafka.common.config.."),
                nameMatching("org\\.apache\\.kafka\\.clients\\.\\w+\\.\\w+Config")
                        .forSubtype());
    }

    @Test
    void emitKnowsTheFormatsAndKafkaClients() {
        allow("emit", own("merkle", "checkpoint", "emit"), pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J));
    }

    @Test
    void faultKnowsCheckpointsAndKafkaClients() {
        allow("fault", own("merkle", "checkpoint", "fault"), pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J));
    }

    @Test
    void auditKnowsTheCoreAndKafkaClients() {
        allow(
                "audit",
                own("merkle", "checkpoint", "judge", "verify", "audit"),
                pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J));
    }

    @Test
    void stormKnowsNeitherEmittersNorTheCommandLine() {
        allow(
                "storm",
                own("merkle", "checkpoint", "judge", "verify", "alert", "audit", "config", "storm"),
                pkg(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J, "org.apache.storm..", "com.fasterxml.jackson.."),
                pkg("com.esotericsoftware.kryo..", "com.codahale.metrics..", "picocli.."));
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
                        "dev.stormproof.checkpoint",
                        "dev.stormproof.judge",
                        "dev.stormproof.verify",
                        "dev.stormproof.alert")
                .should()
                .dependOnClassesThat(clocksAndThreads)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime");
        noThreads.check(CLASSES);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching("dev.stormproof.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @SafeVarargs
    private static void allow(String name, DescribedPredicate<? super JavaClass>... allowed) {
        DescribedPredicate<JavaClass> any = resideInAnyPackage(JDK).or(resideInAnyPackage(JSPECIFY));
        for (DescribedPredicate<? super JavaClass> one : allowed) {
            any = any.or(one);
        }
        classes()
                .that()
                .resideInAPackage("dev.stormproof." + name + "..")
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
