/** Clients that a server has to bear. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.http.testing;
