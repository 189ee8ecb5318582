package dev.stormproof.cli.submit;

import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.task.config.StormproofConfig;
import dev.stormproof.task.storm.VerificationTopology;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topology source of Storm's Flux: a YAML file names it and a configuration, as {@code examples/flux/stormproof.yaml} does.
 *
 * <p>Flux submits its own file's {@code config} and takes nothing from here, so that the settings of Storm that the topology rests
 * on have to be there; one that is not is refused.
 */
public final class FluxTopology {
    private static final Logger LOG = LoggerFactory.getLogger(FluxTopology.class);

    private final ConfigSource source;

    /** @param file the topology's configuration, a properties file; environment variables win over it */
    public FluxTopology(String file) {
        this.source = new ConfigSource(Path.of(file));
    }

    /** The topology; called by Flux with the file's {@code config}. */
    public StormTopology getTopology(Map<String, Object> flux) {
        StormproofConfig config = source.load();
        Map<String, Object> needed = VerificationTopology.stormConfig(config);
        List<String> wrong = needed.entrySet().stream()
                .filter(setting -> !setting.getKey().equals(Config.TOPOLOGY_WORKERS)
                        && !setting.getValue().equals(flux.get(setting.getKey())))
                .map(setting -> setting.getKey() + ": " + setting.getValue())
                .sorted()
                .toList();
        if (!wrong.isEmpty()) {
            throw Failure.usage("the config of the Flux file has to hold " + String.join(", ", wrong));
        }
        StartupCheck.check(config, flux).forEach(LOG::warn);
        return VerificationTopology.build(config);
    }
}
