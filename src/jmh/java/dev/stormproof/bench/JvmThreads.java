package dev.stormproof.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The CPU time that this JVM's own threads have spent so far, as Linux counts it; 0 on other systems, which do not say.
 *
 * @param collecting by the threads that collect garbage
 * @param compiling by those that compile
 */
record JvmThreads(long collecting, long compiling) {
    private static final Path TASKS = Path.of("/proc/self/task");

    static JvmThreads now() throws IOException {
        long collecting = 0;
        long compiling = 0;
        if (!Files.isDirectory(TASKS)) {
            return new JvmThreads(0, 0);
        }
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                String name = read(task.resolve("comm"));
                if (name.startsWith("GC Thread") || name.startsWith("G1 ")) {
                    collecting += nanos(task);
                } else if (name.contains("CompilerThre")) {
                    compiling += nanos(task);
                }
            }
        }
        return new JvmThreads(collecting, compiling);
    }

    JvmThreads since(JvmThreads before) {
        return new JvmThreads(collecting - before.collecting, compiling - before.compiling);
    }

    private static long nanos(Path task) {
        String said = read(task.resolve("schedstat"));
        int end = said.indexOf(' ');
        return end <= 0 ? 0 : Long.parseLong(said.substring(0, end));
    }

    /** What a file says; nothing if its thread has ended. */
    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException ended) {
            return "";
        }
    }
}
