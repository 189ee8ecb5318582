/** A small server of pages, whose clients may do what they want and shut nobody else out. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.http;
