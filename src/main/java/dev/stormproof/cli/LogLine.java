package dev.stormproof.cli;

import ch.qos.logback.classic.pattern.ThrowableHandlingConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import dev.stormproof.alert.Printable;
import dev.stormproof.cli.terminal.Terminal;
import java.io.StringWriter;

/** Formats a log event as one line with the stack below it, so that no message can begin a line of its own. */
public final class LogLine extends ThrowableHandlingConverter {
    @Override
    public String convert(ILoggingEvent event) {
        StringWriter text = new StringWriter().append(Printable.line(event.getFormattedMessage()));
        text.append('\n');
        if (event.getThrowableProxy() instanceof ThrowableProxy proxy) {
            proxy.getThrowable().printStackTrace(Terminal.over(text));
        }
        return text.toString();
    }
}
