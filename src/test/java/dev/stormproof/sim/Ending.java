package dev.stormproof.sim;

import dev.stormproof.verify.Patience;

/** What must hold in the end. */
final class Ending {
    private final Commits commits;

    Ending(HistoricLog log, Broker broker, Oracle oracle, Upstream upstream, Commits commits, Patience patience) {
        this.commits = commits;
    }

    void check(Outcome outcome) {
        commits.checkEnd();
    }
}
