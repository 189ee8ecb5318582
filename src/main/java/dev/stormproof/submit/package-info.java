/** The command that checks a configuration and submits the topology to a Storm cluster. */
@NullMarked
package dev.stormproof.submit;

import org.jspecify.annotations.NullMarked;
