package dev.stormproof.packaging.testing;

import java.util.List;
import java.util.regex.Pattern;

/** The logs of a submission and of workers show traces of a jar that does not fit its cluster. */
public final class ClusterLogs {
    private static final Pattern MISFIT = Pattern.compile("multiple SLF4J|No SLF4J providers"
            + "|NoSuchMethod|NoSuchField|AbstractMethodError|IncompatibleClassChange"
            + "|ClassNotFound|NoClassDefFound|UnsupportedClassVersion|ServiceConfigurationError");

    private ClusterLogs() {}

    /** The lines that tell of a misfit; empty if none does. */
    public static List<String> misfits(String log) {
        return log.lines().filter(line -> MISFIT.matcher(line).find()).toList();
    }
}
