/** What a release has promised, held against what is built now. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.compatibility;
