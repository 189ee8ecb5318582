/** The conformance kit: what an emitter in another language wrote, judged by each rule of docs/FORMAT.md that a log can show. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.cli.conformance;
