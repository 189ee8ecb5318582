/** The mathematics: hashes, Merkle trees and the alignment of leaves. Knows bytes and nothing else. */
@NullMarked
package dev.stormproof.merkle;

import org.jspecify.annotations.NullMarked;
