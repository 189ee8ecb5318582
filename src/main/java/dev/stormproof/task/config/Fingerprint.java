package dev.stormproof.task.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** A hash of all settings but those that decide no verdict. What is added counts, unless it is named here. */
final class Fingerprint {
    private static final Pattern BESIDE =
            Pattern.compile("bootstrap\\.servers|tracker\\.placement|(spout|transform|checkpoint)\\.tasks|workers"
                    + "|(audit\\.threads|audit\\.command|runbook\\.base\\.url|record\\.url\\.template)"
                    + "|notary\\.(key|interval\\.ms)|(flush|metrics)\\..*");

    private Fingerprint() {}

    /** @param settings with their defaults; the order of a list is none of theirs */
    static long of(Map<String, ?> settings) {
        Map<String, String> deciding = new TreeMap<>();
        settings.forEach((name, value) ->
                deciding.put(name, value instanceof List<?> list ? sorted(list).toString() : String.valueOf(value)));
        deciding.keySet().removeIf(name -> BESIDE.matcher(name).matches());
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(deciding.toString().getBytes(UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static Set<String> sorted(List<?> list) {
        Set<String> sorted = new TreeSet<>();
        list.forEach(one -> sorted.add(String.valueOf(one)));
        return sorted;
    }
}
