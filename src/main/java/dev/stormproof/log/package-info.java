/** The reading of the log, which is the authority: pieces for the feed, evidence for the judge, ranges offline. */
@NullMarked
package dev.stormproof.log;

import org.jspecify.annotations.NullMarked;
