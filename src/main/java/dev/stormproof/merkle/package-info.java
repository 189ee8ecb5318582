/** The mathematics: hashes, Merkle trees and the alignment of leaves. Knows bytes and nothing else. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.merkle;
