package dev.stormproof.cli.local;

/** The stages of the build by what a test starts; without a tag it starts nothing, and is of the first. */
public final class Stages {
    /** The second: a broker, or the launcher, with a JVM of its own for each command. */
    public static final String BROKER = "broker";

    /** The third: a Storm cluster, in this JVM or in processes, or several brokers. */
    public static final String CLUSTER = "cluster";

    private Stages() {}
}
