package dev.stormproof.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The CPU time of an operation, which other processes on the machine do not lengthen as they lengthen wall time.
 *
 * <pre>
 *   cpu         of the whole process: with the garbage collector, and what little is still compiled
 *   cpu.thread  of the Java threads alone
 * </pre>
 */
public final class CpuTime implements InternalProfiler {
    static final String PROCESS = "cpu";
    static final String THREADS = "cpu.thread";

    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    private long processNanos;
    private long threadsNanos;

    @Override
    public String getDescription() {
        return "CPU time";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmarkParams, IterationParams iterationParams) {
        processNanos = process.getProcessCpuTime();
        threadsNanos = threadsNanos();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmarkParams, IterationParams iterationParams, IterationResult result) {
        double operations = result.getMetadata().getAllOps();
        double threadsPerOperation = (threadsNanos() - threadsNanos) / operations;
        double processPerOperation = (process.getProcessCpuTime() - processNanos) / operations;
        return List.of(
                new ScalarResult(PROCESS, processPerOperation, "ns/op", AggregationPolicy.AVG),
                new ScalarResult(THREADS, threadsPerOperation, "ns/op", AggregationPolicy.AVG));
    }

    private long threadsNanos() {
        long sum = 0;
        for (long id : threads.getAllThreadIds()) {
            sum += Math.max(0, threads.getThreadCpuTime(id));
        }
        return sum;
    }
}
