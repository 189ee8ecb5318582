/** The spout: reads the log and says of each record which one it follows. */
@NullMarked
package dev.stormproof.storm.spout;

import org.jspecify.annotations.NullMarked;
