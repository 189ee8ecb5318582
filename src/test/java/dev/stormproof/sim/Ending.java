package dev.stormproof.sim;

import dev.stormproof.verify.Patience;

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
            Patience patience,
            int mostStreams,
            Outcome outcome) {
        this.upstream = upstream;
        this.commits = commits;
        this.naming = new Naming(log, broker, oracle, patience, mostStreams, outcome);
    }

    void check() {
        commits.checkEnd();
        upstream.streams().values().forEach(naming::check);
    }
}
