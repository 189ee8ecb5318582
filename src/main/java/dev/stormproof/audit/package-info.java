/** The log as the authority: re-reads intervals from Kafka and judges them again. */
@NullMarked
package dev.stormproof.audit;

import org.jspecify.annotations.NullMarked;
