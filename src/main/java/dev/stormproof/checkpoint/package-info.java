/** What upstream states about its events: identities, intervals and both wire formats. */
@NullMarked
package dev.stormproof.checkpoint;

import org.jspecify.annotations.NullMarked;
