package dev.stormproof;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.terminal.Terminal;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The eight rooms: which may depend on which, and which library each may know.
 *
 * <pre>
 *             cli
 *              │
 *            task              emit
 *     ┌────────┼────────┐        │
 * evidence    log     alert      │
 *     └────────┼────────┘        │
 *           verify               │
 *              └───── proof ─────┘
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
    void proofKnowsNoOtherRoom() {
        room("proof", rooms(), libraries("com.dynatrace.hash4j..", "org.bouncycastle.."));
    }

    @Test
    void verifyKnowsProof() {
        room("verify", rooms("proof"), libraries());
    }

    @Test
    void evidenceKnowsProofAndVerdicts() {
        room("evidence", rooms("proof", "verify"), libraries());
    }

    @Test
    void logKnowsWhatItReadsFor() {
        room("log", rooms("proof", "verify"), libraries(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J));
    }

    @Test
    void alertKnowsVerdicts() {
        room("alert", rooms("proof", "verify"), libraries(JACKSON, SLF4J, "com.sun.net.httpserver.."));
    }

    @Test
    void emitKnowsProofAlone() {
        room("emit", rooms("proof"), libraries(KAFKA_CLIENTS, KAFKA_COMMON, SLF4J));
    }

    @Test
    void taskKnowsAllButEmittersAndTheCommandLine() {
        room(
                "task",
                rooms("proof", "verify", "evidence", "log", "alert"),
                libraries(
                        KAFKA_CLIENTS,
                        KAFKA_COMMON,
                        SLF4J,
                        JACKSON,
                        "io.prometheus.metrics..",
                        STORM,
                        METRICS,
                        "com.esotericsoftware.kryo.."));
    }

    @Test
    void noRoomKnowsTheCommandLine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.stormproof.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.stormproof.cli..")
                .check(CLASSES);
    }

    /** Within their rooms, these libraries are known at one place alone. */
    @Test
    void librariesAreKnownWhereTheyAreNeeded() {
        onlyIn(STORM, "dev.stormproof.task.storm..", "dev.stormproof.cli..");
        onlyIn("org.bouncycastle..", "dev.stormproof.proof.sign..");
        onlyIn("com.dynatrace.hash4j..", "dev.stormproof.proof.tree..");
        onlyIn("io.prometheus.metrics..", "dev.stormproof.task.metrics..");
        onlyIn("com.sun.net.httpserver..", "dev.stormproof.alert.http..");
        onlyIn(
                KAFKA_CLIENTS,
                "dev.stormproof.emit..",
                "dev.stormproof.log.kafka..",
                "dev.stormproof.task..",
                "dev.stormproof.cli..");
    }

    /** What goes into the jar for Storm of the command line is its start alone. */
    @Test
    void submitKnowsNoCommandsOfALocalInstallation() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.stormproof.cli.submit", "dev.stormproof.cli.terminal")
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "the rest of the command line",
                        type -> type.getPackageName().startsWith("dev.stormproof.cli")
                                && !type.getPackageName().equals("dev.stormproof.cli.submit")
                                && !type.getPackageName().equals("dev.stormproof.cli.terminal")))
                .check(CLASSES);
    }

    /** Prints the tree of packages and the arrows between rooms, with the number of classes and of dependencies. */
    @Test
    void theRoomsAreEight() {
        Map<String, Integer> packages = new TreeMap<>();
        Map<String, Integer> arrows = new TreeMap<>();
        for (JavaClass type : CLASSES) {
            packages.merge(type.getPackageName().replace("dev.stormproof.", ""), 1, Integer::sum);
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                String to = roomOf(dependency.getTargetClass());
                if (!to.isEmpty() && !to.equals(roomOf(type))) {
                    arrows.merge(roomOf(type) + " -> " + to, 1, Integer::sum);
                }
            }
        }
        packages.forEach((name, classes) -> System.out.printf("%-28s %4d classes%n", name, classes));
        arrows.forEach((arrow, count) -> System.out.printf("%-28s %4d dependencies%n", arrow, count));
        assertThat(packages.keySet().stream().map(name -> name.replaceFirst("\\..*", "")))
                .containsOnly("proof", "verify", "evidence", "log", "alert", "emit", "task", "cli");
    }

    private static String roomOf(JavaClass type) {
        String name = type.getPackageName();
        return name.startsWith("dev.stormproof.") ? name.split("\\.", -1)[2] : "";
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
    void thePureCoreHasNoClockAndNoThread() {
        DescribedPredicate<JavaClass> clocksAndThreads = DescribedPredicate.describe(
                "clocks and threads",
                type -> type.isEquivalentTo(Clock.class)
                        || type.isAssignableTo(Thread.class)
                        || type.isAssignableTo(Executor.class));
        ArchRule noThreads = noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.stormproof.proof..",
                        "dev.stormproof.verify..",
                        "dev.stormproof.alert",
                        "dev.stormproof.evidence..")
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

    private static void room(
            String name, DescribedPredicate<JavaClass> rooms, DescribedPredicate<JavaClass> libraries) {
        classes()
                .that()
                .resideInAPackage("dev.stormproof." + name + "..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(JDK)
                        .or(resideInAnyPackage(JSPECIFY))
                        .or(rooms(name))
                        .or(rooms)
                        .or(libraries))
                .check(CLASSES);
    }

    private static void onlyIn(String library, String... packages) {
        noClasses()
                .that()
                .resideOutsideOfPackages(packages)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> rooms(String... names) {
        return resideInAnyPackage(
                Stream.of(names).map(name -> "dev.stormproof." + name + "..").toArray(String[]::new));
    }

    private static DescribedPredicate<JavaClass> libraries(String... packages) {
        return resideInAnyPackage(packages);
    }
}
