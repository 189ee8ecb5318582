package dev.stormproof.cli.conformance;

/** The question whether another partition holds streams of an emitter's name, which also notes that this one does. */
@FunctionalInterface
interface OtherPartitions {
    boolean hold(String emitterName, int partition);
}
