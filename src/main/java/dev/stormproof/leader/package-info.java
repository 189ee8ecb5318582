/** The leaders of a partition: the brokers that wrote its log, one after the other, told apart by their epochs (KIP-320). */
@NullMarked
package dev.stormproof.leader;

import org.jspecify.annotations.NullMarked;
