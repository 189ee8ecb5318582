package dev.stormproof.chaos.testing;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;

/** A shifted time has the system's clock, ahead by a duration; what is measured stays as long as it was. */
record ShiftedTime(long aheadMillis) implements Time {
    ShiftedTime(Duration ahead) {
        this(ahead.toMillis());
    }

    @Override
    public long milliseconds() {
        return SYSTEM.milliseconds() + aheadMillis;
    }

    @Override
    public long nanoseconds() {
        return SYSTEM.nanoseconds();
    }

    @Override
    public void sleep(long millis) {
        SYSTEM.sleep(millis);
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMillis)
            throws InterruptedException {
        SYSTEM.waitObject(object, condition, deadlineMillis - aheadMillis);
    }
}
