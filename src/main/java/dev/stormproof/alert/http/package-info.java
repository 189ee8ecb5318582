/** The server of pages: the JDK's, with bounds, so that no client shuts others out. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.alert.http;
