package dev.stormproof.cli.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.Utils;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.TSerializer;
import org.slf4j.LoggerFactory;

/**
 * A search looks for secrets where a person might see them: in all that this JVM logs while the search is open, and in the
 * texts that it is given. Text that is given or logged is searched as it is, byte for byte.
 */
public final class SecretSearch implements AutoCloseable {
    /** The loggers that are searched at every level; the rest of the broker and of Storm at INFO. */
    private static final List<String> LOUD =
            List.of("dev.stormproof", "org.apache.kafka.clients", "org.apache.kafka.common", "org.apache.storm.kafka");

    private final List<String> secrets;
    private final Queue<String> found = new ConcurrentLinkedQueue<>();
    private final AtomicLong logged = new AtomicLong();
    private final Map<Logger, Level> levels = new HashMap<>();
    private final List<Appender<ILoggingEvent>> silenced = new ArrayList<>();
    private final Listener listener = new Listener();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    /** Begins to listen; nothing is printed meanwhile. */
    public SecretSearch(Collection<String> secrets) {
        this.secrets = List.copyOf(secrets);
        for (Iterator<Appender<ILoggingEvent>> all = root.iteratorForAppenders(); all.hasNext(); ) {
            silenced.add(all.next());
        }
        silenced.forEach(root::detachAppender);
        listener.setContext(root.getLoggerContext());
        listener.start();
        root.addAppender(listener);
        setLevel(root, Level.INFO);
        LOUD.forEach(name -> setLevel((Logger) LoggerFactory.getLogger(name), Level.DEBUG));
    }

    /** The places where a secret was found, each with its text. */
    public List<String> found() {
        return List.copyOf(found);
    }

    /** How many log events were searched. */
    public long logged() {
        return logged.get();
    }

    public void look(String where, String text) {
        if (secrets.stream().anyMatch(text::contains)) {
            found.add(where + ": " + text);
        }
    }

    /** Everything that a person sees of an exception: the messages of it, of its causes and of what they suppressed. */
    public void look(String where, Throwable thrown) {
        look(where, Utils.stackTrace(thrown));
    }

    /** A topology as Storm stores it, with each component's configuration as Storm shows it. */
    public void look(StormTopology topology, Map<String, Object> conf) throws TException, JsonProcessingException {
        look("the topology's configuration", new ObjectMapper().writeValueAsString(conf));
        topology.get_spouts().forEach((id, spout) -> look(id, spout.get_common()));
        topology.get_bolts().forEach((id, bolt) -> look(id, bolt.get_common()));
        look("the serialized topology", new String(new TSerializer().serialize(topology), ISO_8859_1));
    }

    private void look(String component, ComponentCommon common) {
        if (common.is_set_json_conf()) {
            look("the configuration of component " + component, common.get_json_conf());
        }
    }

    @Override
    public void close() {
        levels.forEach(Logger::setLevel);
        root.detachAppender(listener);
        silenced.forEach(root::addAppender);
    }

    private void setLevel(Logger logger, Level level) {
        levels.put(logger, logger.getLevel());
        logger.setLevel(level);
    }

    private final class Listener extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            logged.incrementAndGet();
            look("log of " + event.getLoggerName(), event.getFormattedMessage());
            IThrowableProxy thrown = event.getThrowableProxy();
            if (thrown != null) {
                look("log of " + event.getLoggerName(), ThrowableProxyUtil.asString(thrown));
            }
        }
    }
}
