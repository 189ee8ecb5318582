package dev.stormproof.cli.local;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Marks a test of the second stage, which is given the broker that all of a JVM share ({@link SharedKafka}). */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag(Stages.BROKER)
@ExtendWith(SharedKafka.class)
public @interface OnKafka {}
