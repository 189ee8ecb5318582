/**
 * The command line: what a person types becomes a session, and what it found becomes text.
 *
 * <pre>
 *   command ──► session ──► text ──► terminal
 *      │           ├──► input, fault, conformance, canary
 *      └──► local  └──► submit
 * </pre>
 *
 * The door is {@link dev.stormproof.cli.Main}. {@code submit} alone goes into the jar for Storm; nothing else in the project knows
 * this room.
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli;
