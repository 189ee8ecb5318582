package dev.stormproof.emit;

import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.jspecify.annotations.Nullable;

/**
 * Which failures of a record show that the broker refused it, so that it was not appended.
 *
 * <p>A broker checks a batch before it appends anything of it. The answer may be that to a retry, after an attempt that was appended and whose
 * answer was lost; a verifier that finds the record all the same does not call that a violation.
 */
final class Refusals {
    /** What KafkaProducer reports of a record whose batch was refused for the sake of another one: the class alone does not show it. */
    private static final String FOR_ANOTHER = "Failed to append record because it was part of a batch";

    private Refusals() {}

    static boolean isRefused(@Nullable Exception failure) {
        return MaxMessageBytes.isTooLarge(failure)
                || failure instanceof InvalidRecordException
                || failure instanceof InvalidTimestampException
                || failure instanceof AuthorizationException
                || failure instanceof PolicyViolationException
                || failure instanceof UnsupportedForMessageFormatException
                || failure instanceof UnsupportedCompressionTypeException
                || isForAnother(failure);
    }

    /** True if the record was refused because of another one in its batch, and may be accepted without it. */
    static boolean isForAnother(@Nullable Exception failure) {
        return failure != null
                && failure.getClass() == KafkaException.class
                && failure.getMessage() != null
                && failure.getMessage().startsWith(FOR_ANOTHER);
    }
}
