/** The server of pages: the JDK's, with bounds, so that no client can block others. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.alert.http;
