package dev.stormproof.guards;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What {@link Guards} say of one test: it fails without the guards of these markers.
 *
 * @param ids the markers; more than one if several guards stand behind each other
 * @param test the test, as {@code package.Class#method(types)}, or a class
 */
record Guard(List<String> ids, String test) {
    private static final Path TESTS = Path.of("src/test/java");

    /** The guards of all tests, in the order of the tests' names. */
    static List<Guard> all() throws IOException, ClassNotFoundException {
        List<Guard> guards = new ArrayList<>();
        try (Stream<Path> files = Files.walk(TESTS)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith("Test.java")).toList()) {
                if (Files.readString(file).contains("@Guards(")) {
                    String name = TESTS.relativize(file).toString().replaceFirst("\\.java$", "");
                    of(Class.forName(name.replace('/', '.'), false, Guard.class.getClassLoader()), guards);
                }
            }
        }
        guards.sort(Comparator.comparing(Guard::test).thenComparing(Guard::name));
        return guards;
    }

    private static void of(Class<?> type, List<Guard> guards) {
        of(type, type.getName(), guards);
        for (Method method : type.getDeclaredMethods()) {
            String parameters = Stream.of(method.getParameterTypes())
                    .map(Class::getName)
                    .collect(Collectors.joining(", ", "(", ")"));
            of(method, type.getName() + "#" + method.getName() + parameters, guards);
        }
        for (Class<?> nested : type.getDeclaredClasses()) {
            of(nested, guards);
        }
    }

    private static void of(AnnotatedElement element, String test, List<Guard> guards) {
        for (Guards each : element.getDeclaredAnnotationsByType(Guards.class)) {
            guards.add(new Guard(List.of(each.value()), test));
        }
    }

    /** The ids as one word. */
    String name() {
        return String.join("+", ids);
    }

    /** The changed files with their texts without the guards; throws if a marker is missing, or says what cannot be done. */
    TreeMap<Path, String> withoutIt(List<Marker> markers) throws IOException {
        Map<String, Marker> byId =
                markers.stream().collect(Collectors.toMap(Marker::id, Function.identity(), (one, other) -> one));
        TreeMap<Path, String> changed = new TreeMap<>();
        for (String id : ids) {
            Marker marker = byId.get(id);
            if (marker == null) {
                throw new IllegalStateException("no marker " + id + ", which " + test + " names");
            }
            Path file = marker.file();
            changed.put(
                    file, marker.takenOutOf(changed.containsKey(file) ? changed.get(file) : Files.readString(file)));
        }
        return changed;
    }
}
