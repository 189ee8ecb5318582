/**
 * A task verifies some partitions for as long as it runs: on Storm, or in a process without it.
 *
 * <pre>
 *   storm, process ──► live.open ──► live.run ──► live.watch ──► live.progress
 *         │                             │
 *         ├──► notary                   ├──► output ──► transform
 *         └──► metrics ◄────────────────┴──► config
 * </pre>
 *
 * The door is {@link dev.stormproof.task.live.open.DurableVerification}. Alerts, output and progress of a task are one Kafka
 * transaction ({@link dev.stormproof.task.live.run.TaskTransaction}). Only {@code storm} knows Storm.
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task;
