/** A verdict as an alert that people and machines read. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.alert;
