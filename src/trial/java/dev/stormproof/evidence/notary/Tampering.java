package dev.stormproof.evidence.notary;

import dev.stormproof.evidence.notary.testing.TamperedSegment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Alters and removes records in the log of a broker that is stopped, for {@code scripts/check notary}:
 * {@code BROKER-DIRECTORY TOPIC-PARTITION [alter=OFFSET,…] [remove=OFFSET,…]}.
 */
final class Tampering {
    private Tampering() {}

    public static void main(String[] arguments) throws IOException {
        Map<Long, String> altered = new HashMap<>();
        Set<Long> removed = new HashSet<>();
        for (int i = 2; i < arguments.length; i++) {
            String argument = arguments[i];
            for (String offset : argument.substring(argument.indexOf('=') + 1).split(",", -1)) {
                if (argument.startsWith("alter=")) {
                    altered.put(Long.parseLong(offset), "altered by hand");
                } else {
                    removed.add(Long.parseLong(offset));
                }
            }
        }
        new TamperedSegment(Path.of(arguments[0]), arguments[1]).rewrite(altered, removed);
    }
}
