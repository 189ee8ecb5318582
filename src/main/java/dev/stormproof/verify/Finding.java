package dev.stormproof.verify;

/** What the verifier has to say: a verdict on an interval, or a record that belongs to no interval. */
public sealed interface Finding permits Verdict, Stray {}
