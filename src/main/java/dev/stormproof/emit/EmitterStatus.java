package dev.stormproof.emit;

import java.util.Optional;

/**
 * The status of an emitter tells whether it meets its deadlines, for a health check.
 *
 * @param closed true once the emitter accepts no event any more
 * @param trouble why verifiers wait for a checkpoint in vain, or that the emitter is closed; empty while it meets its deadlines
 */
public record EmitterStatus(boolean closed, Optional<String> trouble) {}
