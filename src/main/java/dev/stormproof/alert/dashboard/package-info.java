/**
 * The picture of order: a bounded model of the findings, the page that draws it, and the server that hands it out.
 *
 * <p>{@link dev.stormproof.alert.dashboard.DashboardModel} is pure: time is an argument. What comes from Kafka is brought by others.
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.alert.dashboard;
