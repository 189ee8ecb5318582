/** Emitters that are killed under load, one after the other, and what an audit says of the log behind them. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.crash;
