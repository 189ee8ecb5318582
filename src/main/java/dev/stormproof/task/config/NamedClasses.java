package dev.stormproof.task.config;

import java.lang.reflect.InvocationTargetException;
import org.apache.kafka.common.config.ConfigException;

/** Makes objects of classes that an application names in its configuration. */
public final class NamedClasses {
    private NamedClasses() {}

    /**
     * Makes an object by the public constructor without parameters; throws {@link ConfigException} with the reason and {@code key}, the setting
     * that names the class, if that is impossible.
     */
    public static <T> T newInstance(String key, String className, Class<T> type) {
        try {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            Class<?> named =
                    Class.forName(className, true, context != null ? context : NamedClasses.class.getClassLoader());
            return named.asSubclass(type).getConstructor().newInstance();
        } catch (ClassNotFoundException e) {
            throw new ConfigException(key + "=" + className + ": there is no class of that name in the jar");
        } catch (ClassCastException e) {
            throw new ConfigException(key + "=" + className + ": that class does not implement " + type.getName());
        } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
            throw new ConfigException(
                    key + "=" + className + ": that class has no public constructor without parameters");
        } catch (InvocationTargetException e) {
            throw new ConfigException(key + "=" + className + ": its constructor threw " + e.getCause());
        }
    }
}
