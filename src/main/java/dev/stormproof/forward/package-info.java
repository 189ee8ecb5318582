/** Alerts on their way from the alerts topic to people: a webhook, or an Alertmanager. */
@org.jspecify.annotations.NullMarked
package dev.stormproof.forward;
