package dev.stormproof.guards;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The ids of guards, without which the test fails: of a {@link Marker} in the main sources, or of several that are taken out together,
 * since they stand behind each other.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Repeatable(Guards.Each.class)
public @interface Guards {
    String[] value();

    /** What holds the annotation if it is repeated. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE})
    @interface Each {
        Guards[] value();
    }
}
