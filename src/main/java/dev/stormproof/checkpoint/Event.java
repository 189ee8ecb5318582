package dev.stormproof.checkpoint;

import dev.stormproof.merkle.Hash;

/**
 * An event as it lies in the log.
 *
 * @param stream the stream that its header names
 * @param sequence its place in the stream, from 0; -1 in format 1, which has none
 * @param offset its offset in the partition
 * @param stated the signature that its header states
 * @param observed the signature of the value that was read; the leaf of the tree
 */
public record Event(StreamId stream, long sequence, long offset, Hash stated, Hash observed) {}
