/** Systems B and C as a Storm topology: what Storm calls. */
@NullMarked
package dev.stormproof.storm;

import org.jspecify.annotations.NullMarked;
