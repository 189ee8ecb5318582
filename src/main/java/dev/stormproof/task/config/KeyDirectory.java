package dev.stormproof.task.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;

/** {@code @DIRECTORY} among the keys stands for those in its files that end with {@code .pub}. */
final class KeyDirectory {
    private static final String KEYS = CheckingSettings.CHECKPOINT_KEYS;

    private KeyDirectory() {}

    /** The properties, with the keys themselves in place of a directory. */
    static Map<String, String> read(Map<String, String> properties, ConfigErrors mistakes) {
        String given = properties.getOrDefault(KEYS, "");
        if (given.indexOf('@') < 0) {
            return properties;
        }
        List<String> keys = new ArrayList<>();
        for (String entry : given.split(",", -1)) {
            String key = entry.strip();
            if (key.startsWith("@")) {
                mistakes.check(() -> keys.addAll(in(Path.of(key.substring(1)))));
            } else {
                keys.add(key);
            }
        }
        Map<String, String> read = new HashMap<>(properties);
        read.put(KEYS, String.join(",", keys));
        return read;
    }

    private static List<String> in(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw new ConfigException(KEYS + ": there is no directory " + directory);
        }
        List<String> keys = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".pub"))
                    .sorted()
                    .toList()) {
                keys.addAll(Files.readString(file).strip().lines().toList());
            }
        } catch (IOException e) {
            throw new ConfigException(KEYS + ": " + directory + " cannot be read: " + e);
        }
        if (keys.isEmpty()) {
            throw new ConfigException(
                    KEYS + ": no file in " + directory + " ends with .pub, as 'key create' writes them");
        }
        return keys;
    }
}
