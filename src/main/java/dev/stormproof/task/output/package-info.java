/**
 * The output: what the transform makes of each record of a log, appended in order and once.
 *
 * <p>{@link dev.stormproof.task.output.PartitionOutput} takes the records of the verifier's feed as they come. With {@code output.hold=verified}
 * {@link dev.stormproof.task.output.VerifiedOutput} is between: a verified topic, which trails the verdicts.
 *
 * <ol>
 *   <li>It reads the input's log again, from the last record that was handed on up to the verified progress, and keeps no record.
 *   <li>Progress never passes an undecided interval, so each record before it has its verdict, or never gets one.
 *   <li>A record is proven if it is an event within a verified interval of its stream, or the checkpoint that ended one. A verified interval says
 *       that between two checkpoints the log holds of the stream exactly what is stated, so place and stream decide.
 *   <li>A proven record is transformed and appended in the task's transaction; the committed progress never passes what is not.
 *   <li>Any other record is what {@code on.violation} says: the output halts before it, leaves it out, or marks it.
 *   <li>A restart verifies again from the committed progress, so that the verdicts after it are found again and need not be kept.
 *   <li>It remembers the verified intervals after what is committed, the first of them without room for all. What follows those is verified again.
 *   <li>A record of another leader than the verifier read at its offset is not handed on: the verifier finds the cut, and judges again.
 *   <li>After a cut, events before it stay verified; the checkpoint that was cut off ends nothing any more.
 *   <li>What expires before it is read here is missing in the output, and a finding names it.
 * </ol>
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.task.output;
