/**
 * The picture of order: a bounded model of the findings, the page that draws it, and the server for the page.
 *
 * <p>{@link dev.stormproof.alert.dashboard.DashboardModel} is pure: time is an argument. Other code reads Kafka for it.
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.alert.dashboard;
