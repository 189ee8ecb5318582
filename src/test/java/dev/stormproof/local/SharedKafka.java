package dev.stormproof.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The one broker that all test classes of a JVM share.
 *
 * <p>{@code @OnKafka}, and a parameter of type {@link EmbeddedKafka} in a constructor, a test or
 * a lifecycle method; started by the first who asks, closed after the last test. Never close it. Tests stay apart by
 * taking their topic, group and transactional id from {@link #unique}.
 */
public final class SharedKafka implements ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedKafka.class);
    private static final AtomicInteger NEXT = new AtomicInteger();

    /** A name that no other test of this JVM gets. */
    public static String unique(String prefix) {
        return prefix + "-" + NEXT.incrementAndGet();
    }

    /** Creates a topic with a unique name and the broker's default settings. */
    public static String createTopic(EmbeddedKafka kafka, String prefix, int partitions) {
        String topic = unique(prefix);
        kafka.createTopic(topic, partitions, Map.of());
        return topic;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == EmbeddedKafka.class;
    }

    @Override
    public EmbeddedKafka resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // The root store closes its values after the last test of the JVM.
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent("broker", key -> start(), EmbeddedKafka.class);
    }

    private static EmbeddedKafka start() {
        try {
            return EmbeddedKafka.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
