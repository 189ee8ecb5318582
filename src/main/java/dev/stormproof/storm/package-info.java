/** Systems B and C as a Storm topology: what Storm calls. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.storm;
