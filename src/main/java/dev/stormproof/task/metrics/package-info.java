/** The numbers of a worker, which operators watch: a table of their names, and a server that Prometheus reads. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.metrics;
