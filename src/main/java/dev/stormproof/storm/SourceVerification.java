package dev.stormproof.storm;

import dev.stormproof.live.DurableVerification;
import dev.stormproof.storm.spout.Outlet;
import dev.stormproof.storm.tuple.Delivery;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * Systems B and C in placement {@code source}: what a spout reads is verified in its own task and thread, and no tuple is
 * emitted.
 *
 * <p>The whole of {@link DurableVerification} lives here: feed, judge and audits talk back and forth, and between two tasks
 * each of their messages could be lost and would have to be asked for again. As no tuple is sent, none can be lost.
 */
final class SourceVerification implements Outlet {
    private static final long serialVersionUID = 1L;

    private final TopologySettings settings;

    private transient @Nullable VerifyingTask verification;
    private transient long everyNanos;
    private transient long tickedNanos;

    SourceVerification(TopologySettings settings) {
        this.settings = settings;
    }

    @Override
    public void open(TopologyContext context, Consumer<Throwable> errors) {
        verification = new VerifyingTask(settings.config(), context, errors);
        everyNanos = TimeUnit.SECONDS.toNanos(settings.config().flushIntervalSeconds());
        tickedNanos = Time.nanoTime();
    }

    @Override
    public @Nullable List<Object> take(Delivery read) {
        opened().take(read);
        return null;
    }

    @Override
    public void polled() {
        long nowNanos = Time.nanoTime();
        if (nowNanos - tickedNanos >= everyNanos) {
            tickedNanos = nowNanos;
            opened().tick();
        } else {
            opened().poll();
        }
    }

    /** A spout that is not active does not poll, so that no time passes here. */
    @Override
    public void flush() {
        opened().tick();
    }

    @Override
    public void close() {
        if (verification != null) {
            verification.close();
        }
    }

    private VerifyingTask opened() {
        if (verification == null) {
            throw new IllegalStateException("not open");
        }
        return verification;
    }
}
