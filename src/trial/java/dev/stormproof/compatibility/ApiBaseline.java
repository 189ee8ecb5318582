package dev.stormproof.compatibility;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A jar of the public classes that applications compile against, without code: what japicmp compares a build with. Made once for a release, by {@code scripts/api-baseline}.
 */
final class ApiBaseline {
    private static final List<String> PACKAGES = List.of("emit", "proof/checkpoint", "proof/sign", "task/transform");
    private static final int SEEN = Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED;

    private ApiBaseline() {}

    /** Takes the directory of the classes, and the one to write the jar into. */
    public static void main(String[] arguments) throws Exception {
        writeJar(Path.of(arguments[0]), Path.of(arguments[1], "api.jar"));
    }

    private static void writeJar(Path classes, Path written) throws IOException {
        try (OutputStream file = Files.newOutputStream(written);
                JarOutputStream jar = new JarOutputStream(file)) {
            for (String name : PACKAGES) {
                addAll(classes, classes.resolve("dev/stormproof").resolve(name), jar);
            }
        }
    }

    private static void addAll(Path classes, Path directory, JarOutputStream jar) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> file.toString().endsWith(".class"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            ClassReader reader = new ClassReader(Files.readAllBytes(file));
            if ((reader.getAccess() & Opcodes.ACC_PUBLIC) != 0) {
                JarEntry entry = new JarEntry(classes.relativize(file).toString());
                entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
                jar.putNextEntry(entry);
                jar.write(withoutCode(reader));
                jar.closeEntry();
            }
        }
    }

    private static byte[] withoutCode(ClassReader reader) {
        ClassWriter writer = new ClassWriter(0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public @Nullable MethodVisitor visitMethod(
                            int access,
                            String name,
                            String type,
                            @Nullable String generic,
                            String @Nullable [] thrown) {
                        return (access & SEEN) == 0 ? null : super.visitMethod(access, name, type, generic, thrown);
                    }

                    @Override
                    public @Nullable FieldVisitor visitField(
                            int access, String name, String type, @Nullable String generic, @Nullable Object value) {
                        return (access & SEEN) == 0 ? null : super.visitField(access, name, type, generic, value);
                    }
                },
                ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
        return writer.toByteArray();
    }
}
