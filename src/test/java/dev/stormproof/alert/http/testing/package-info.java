/** Clients that a server has to bear. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.alert.http.testing;
