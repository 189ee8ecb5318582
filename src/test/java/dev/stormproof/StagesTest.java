package dev.stormproof;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.stormproof.cli.local.EmbeddedKafka;
import dev.stormproof.cli.local.SecuredKafka;
import dev.stormproof.cli.local.Stages;
import dev.stormproof.cli.testing.Shell;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.AnnotationSupport;

/** A test class that starts a broker or a cluster is of a later stage of the build than the pure core. */
class StagesTest {
    private static final Set<String> STARTED =
            Set.of(EmbeddedKafka.class.getName(), SecuredKafka.class.getName(), "org.apache.storm.LocalCluster");

    /** Those that name such a class, and start none. */
    private static final Set<String> NAMING = Set.of("StagesTest", "ArchitectureTest");

    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages("dev.stormproof");

    @Test
    void whoStartsSomethingIsOfALaterStage() {
        List<JavaClass> starting = TESTS.stream()
                .filter(one -> one.getSimpleName().matches(".*(Test|IT)") && !NAMING.contains(one.getSimpleName()))
                .filter(one -> one.getDirectDependenciesFromSelf().stream()
                                .anyMatch(dependency -> STARTED.contains(
                                        dependency.getTargetClass().getName()))
                        || one.getMethodCallsFromSelf().stream().anyMatch(StagesTest::startsACommand))
                .toList();

        assertThat(starting)
                .hasSizeGreaterThan(50)
                .allSatisfy(
                        one -> assertThat(tags(one)).as(one.getName()).containsAnyOf(Stages.BROKER, Stages.CLUSTER));
    }

    @Test
    void whatIsPackagedIsTriedInTheLastStage() {
        assertThat(TESTS.stream().filter(one -> one.getSimpleName().endsWith("IT")))
                .hasSizeGreaterThan(3)
                .allSatisfy(one -> assertThat(tags(one)).as(one.getName()).contains(Stages.CLUSTER));
    }

    private static boolean startsACommand(JavaMethodCall call) {
        return call.getTargetOwner().isEquivalentTo(Shell.class)
                && call.getName().startsWith("start");
    }

    private static Set<String> tags(JavaClass test) {
        return AnnotationSupport.findRepeatableAnnotations(test.reflect(), Tag.class).stream()
                .map(Tag::value)
                .collect(Collectors.toSet());
    }
}
