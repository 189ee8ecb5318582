package dev.stormproof.chaos;

import dev.stormproof.cli.fault.InjectedFault;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The emitters of a round write to one topic at once: each partition gets the events of all of them, mixed. */
final class Emitters implements AutoCloseable {
    private static final int EMITTERS = 3;

    private final List<ChaosEmitter> emitters = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(EMITTERS);

    private Emitters() {}

    /** Starts them: two with Kafka's delivery timeout and one with a short one. */
    static Emitters start(
            String servers, String topic, double eventsPerSecond, Conduct conduct, SplittableRandom random) {
        Emitters started = new Emitters();
        for (int i = 0; i < EMITTERS; i++) {
            boolean shortDeliveryTimeout = i == EMITTERS - 1 && !conduct.isSteady();
            ChaosEmitter emitter = new ChaosEmitter(
                    servers, topic, eventsPerSecond / EMITTERS, shortDeliveryTimeout, conduct, random.split());
            started.emitters.add(emitter);
            started.running.add(started.threads.submit(emitter));
        }
        return started;
    }

    /** Ends all of them in good order, so that their last events are sealed; throws what one of them failed with. */
    void end() throws InterruptedException, ExecutionException {
        emitters.forEach(ChaosEmitter::stop);
        for (Future<?> one : running) {
            one.get();
        }
    }

    List<InjectedFault> injected() {
        return emitters.stream().flatMap(emitter -> emitter.injected().stream()).toList();
    }

    long failed() {
        return emitters.stream().mapToLong(ChaosEmitter::failed).sum();
    }

    @Override
    public void close() {
        emitters.forEach(ChaosEmitter::stop);
        threads.shutdownNow();
    }
}
