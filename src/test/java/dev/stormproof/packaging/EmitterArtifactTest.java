package dev.stormproof.packaging;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.NodeList;

/** The artifact stormproof-emitter as the build describes it; scripts/check release looks at what was built. */
class EmitterArtifactTest {
    /** The packages behind each dependency of its POM; kafka-clients brings slf4j-api. */
    private static final Map<String, List<String>> PACKAGES = Map.of(
            "hash4j", List.of("com.dynatrace.hash4j.."),
            "bcprov-jdk18on", List.of("org.bouncycastle.."),
            "jspecify", List.of("org.jspecify.."),
            "kafka-clients", List.of("org.apache.kafka.clients..", "org.apache.kafka.common..", "org.slf4j.."));

    private static final String FOLDERS = "/assembly/fileSets/fileSet/includes/include[starts-with(., 'dev/')]";

    @Test
    void itsClassesKnowWhatItsPomNamesAndNothingElse() throws Exception {
        List<String> named = texts("src/release/emitter/pom.xml", "/project/dependencies/dependency/artifactId");
        assertThat(named).containsExactlyInAnyOrderElementsOf(PACKAGES.keySet());
        List<String> allowed = new ArrayList<>(List.of("java..", "javax.crypto..", "javax.security.."));
        Set<String> packages = packages("src/assembly/emitter.xml");
        allowed.addAll(packages);
        PACKAGES.values().forEach(allowed::addAll);

        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed.toArray(String[]::new)))
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages(packages));
    }

    @Test
    void itsSourcesAndDocumentationAreOfTheSamePackages() throws Exception {
        Set<String> packages = packages("src/assembly/emitter.xml");
        List<String> documented = texts("pom.xml", "//execution[id='emitter-javadoc']/configuration/subpackages");

        assertThat(packages).contains("dev.stormproof.emit");
        assertThat(packages("src/assembly/emitter-sources.xml")).isEqualTo(packages);
        assertThat(documented.stream().flatMap(each -> Stream.of(each.split(":", -1))))
                .containsExactlyInAnyOrderElementsOf(packages);
    }

    /** An application keeps its own kafka-clients. */
    @Test
    void itDoesNotHandOnKafkaClients() throws Exception {
        assertThat(texts(
                        "src/release/emitter/pom.xml",
                        "/project/dependencies/dependency[scope or optional]/artifactId"))
                .containsExactly("kafka-clients");
    }

    private static Set<String> packages(String descriptor) throws Exception {
        Set<String> packages = new TreeSet<>();
        for (String folder : texts(descriptor, FOLDERS)) {
            packages.add(folder.replace("/**", "").replace('/', '.'));
        }
        return packages;
    }

    private static List<String> texts(String file, String path) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        NodeList found = (NodeList) XPathFactory.newInstance()
                .newXPath()
                .evaluate(path, factory.newDocumentBuilder().parse(new File(file)), XPathConstants.NODESET);
        String[] texts = new String[found.getLength()];
        Arrays.setAll(texts, i -> found.item(i).getTextContent().strip());
        return List.of(texts);
    }
}
