/**
 * Reports findings: as CloudEvents for machines, as text for people, and as a picture on a page.
 *
 * <pre>
 *   findings ──► JSON, text, acceptances ◄── dashboard ──► http
 * </pre>
 *
 * The doors are {@link dev.stormproof.alert.AlertJson} and {@link dev.stormproof.alert.AlertText}. An alert's JSON is the record on the alerts
 * topic; the text and the page are made of it.
 */
@org.jspecify.annotations.NullMarked
package dev.stormproof.alert;
