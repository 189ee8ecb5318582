/** Systems B and C as a Storm topology. */
@NullMarked
package dev.stormproof.storm;

import org.jspecify.annotations.NullMarked;
