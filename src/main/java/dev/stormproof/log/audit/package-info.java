/** Reads the log, which is the authority: pieces for the feed, evidence for the judge, ranges offline. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.log.audit;
