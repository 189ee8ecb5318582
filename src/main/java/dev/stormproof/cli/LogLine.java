package dev.stormproof.cli;

import ch.qos.logback.classic.pattern.ThrowableHandlingConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import dev.stormproof.alert.Printable;
import dev.stormproof.cli.terminal.Terminal;
import java.io.StringWriter;

/** What a log says, in one line, and the stack below it: neither the message nor an exception's begins a line. */
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
