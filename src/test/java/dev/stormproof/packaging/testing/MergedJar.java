package dev.stormproof.packaging.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.Deflater;

/** A merged jar has the entries of several, as a careless build makes it: of entries of one name the first stays. */
public final class MergedJar {
    private MergedJar() {}

    /** The jar that a class of this JVM comes from. */
    public static Path of(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    public static Path write(Path target, List<Path> sources) throws IOException {
        Set<String> written = new HashSet<>();
        try (OutputStream out = Files.newOutputStream(target);
                JarOutputStream merged = new JarOutputStream(out)) {
            merged.setLevel(Deflater.NO_COMPRESSION);
            for (Path source : sources) {
                try (JarFile file = new JarFile(source.toFile())) {
                    for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
                        JarEntry entry = entries.nextElement();
                        if (written.add(entry.getName())) {
                            merged.putNextEntry(new JarEntry(entry.getName()));
                            try (InputStream in = file.getInputStream(entry)) {
                                in.transferTo(merged);
                            }
                            merged.closeEntry();
                        }
                    }
                }
            }
        }
        return target;
    }
}
