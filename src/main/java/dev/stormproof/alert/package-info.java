/** A verdict as an alert that people and machines read. */
@NullMarked
package dev.stormproof.alert;

import org.jspecify.annotations.NullMarked;
