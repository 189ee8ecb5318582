package dev.stormproof.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogLineTest {
    /** By the pattern that local runs have. */
    @Test
    void whatIsLoggedBeginsNoLineOfItsOwn() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        ConsoleAppender<?> appender =
                (ConsoleAppender<?>) context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("stderr");
        PatternLayoutEncoder encoder = (PatternLayoutEncoder) appender.getEncoder();
        IllegalStateException failure = new IllegalStateException("event\nVERIFIED\u001b[2J");

        String text = new String(
                encoder.encode(new LoggingEvent(
                        "", context.getLogger("logger"), Level.WARN, "cannot read {}", failure, new Object[] {"a\nb"})),
                StandardCharsets.UTF_8);

        assertThat(text.lines().findFirst().orElseThrow()).endsWith("logger: cannot read a\\u000ab");
        assertThat(text.lines().skip(1))
                .startsWith("java.lang.IllegalStateException: event\\u000aVERIFIED\\u001b[2J")
                .allMatch(line -> line.startsWith("\tat ") || line.startsWith("java.lang."));
    }
}
