package dev.stormproof.packaging.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.stormproof.task.transform.EventTransform;
import dev.stormproof.task.transform.InputEvent;
import dev.stormproof.task.transform.Transformed;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** An application's transform that fails on one event, whatever else it is asked. */
public final class FragileTransform implements EventTransform {
    /** The value that it cannot stand. */
    public static final String POISON = "event 500";

    /** The value that it makes of another. */
    public static String made(String value) {
        return "made of " + value;
    }

    @Override
    public Transformed apply(InputEvent event) {
        String value = new String(event.value(), UTF_8);
        if (value.equals(POISON)) {
            throw new IllegalStateException("cannot stand " + value);
        }
        return Transformed.of(made(value).getBytes(UTF_8));
    }

    /** Writes a jar that holds this class alone. */
    public static Path jar(Path target) throws IOException {
        String entry = FragileTransform.class.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(target);
                JarOutputStream jar = new JarOutputStream(out);
                InputStream bytes = FragileTransform.class.getClassLoader().getResourceAsStream(entry)) {
            jar.putNextEntry(new JarEntry(entry));
            bytes.transferTo(jar);
            jar.closeEntry();
        }
        return target;
    }
}
