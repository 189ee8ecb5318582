package dev.stormproof.underfire;

import dev.stormproof.fault.InjectedFault;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Emitters that write to one topic at once, each partition of which gets the events of all of them, mixed. */
final class Emission implements AutoCloseable {
    private static final int EMITTERS = 3;

    private final List<FireEmitter> emitters = new ArrayList<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(EMITTERS);

    private Emission() {}

    /** Starts them: two patient ones and a hasty one. */
    static Emission start(
            String servers, String topic, int partitions, double eventsPerSecond, SplittableRandom random) {
        Emission emission = new Emission();
        for (int i = 0; i < EMITTERS; i++) {
            boolean hasty = i == EMITTERS - 1;
            FireEmitter emitter =
                    new FireEmitter(servers, topic, partitions, eventsPerSecond / EMITTERS, hasty, random.split());
            emission.emitters.add(emitter);
            emission.running.add(emission.threads.submit(emitter));
        }
        return emission;
    }

    /** Ends all of them in good order, so that their last events are sealed; throws what one of them failed with. */
    void end() throws InterruptedException, ExecutionException {
        emitters.forEach(FireEmitter::stop);
        for (Future<?> one : running) {
            one.get();
        }
    }

    List<InjectedFault> injected() {
        return emitters.stream().flatMap(emitter -> emitter.injected().stream()).toList();
    }

    long failed() {
        return emitters.stream().mapToLong(FireEmitter::failed).sum();
    }

    @Override
    public void close() {
        emitters.forEach(FireEmitter::stop);
        threads.shutdownNow();
    }
}
