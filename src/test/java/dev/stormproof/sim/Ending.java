package dev.stormproof.sim;

import dev.stormproof.verify.InactivityTimeouts;

/** What must hold in the end: everything is accounted for, and named as what it is. */
final class Ending {
    private final Upstream upstream;
    private final Commits commits;
    private final Naming naming;

    Ending(
            HistoricLog log,
            Broker broker,
            Oracle oracle,
            Upstream upstream,
            Commits commits,
            InactivityTimeouts timeouts,
            int mostStreams,
            Outcome outcome) {
        this.upstream = upstream;
        this.commits = commits;
        this.naming = new Naming(log, broker, oracle, timeouts, mostStreams, outcome);
    }

    void check() {
        commits.checkEnd();
        upstream.streams().values().forEach(naming::check);
    }
}
