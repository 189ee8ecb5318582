package dev.stormproof.emit;

import java.util.Optional;

/**
 * The status of an emitter, for a health check: whether its checkpoints arrive before their deadlines.
 *
 * @param closed true once the emitter accepts no more events
 * @param trouble which checkpoint is overdue, or that the emitter is closed; empty while all deadlines are met
 */
public record EmitterStatus(boolean closed, Optional<String> trouble) {}
