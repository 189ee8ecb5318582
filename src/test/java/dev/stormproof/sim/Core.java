package dev.stormproof.sim;

import dev.stormproof.log.audit.Auditor;
import dev.stormproof.log.audit.LogReadJob;
import dev.stormproof.log.audit.OriginAudit;
import dev.stormproof.log.audit.PartitionReader;
import dev.stormproof.log.audit.PartitionReader.ExpiredRangeException;
import dev.stormproof.log.audit.PieceReading;
import dev.stormproof.log.audit.RangeReading;
import dev.stormproof.verify.chain.ChainVerifier;
import dev.stormproof.verify.chain.LogRange;
import dev.stormproof.verify.chain.SavedHeads;
import dev.stormproof.verify.feed.DeliveryLink;
import dev.stormproof.verify.feed.Leaders;
import dev.stormproof.verify.feed.LogFeed;
import dev.stormproof.verify.feed.LogPiece;
import dev.stormproof.verify.feed.LogSink;
import dev.stormproof.verify.feed.Read;
import dev.stormproof.verify.fold.Bounds;
import dev.stormproof.verify.fold.InactivityTimeouts;
import dev.stormproof.verify.fold.LogQuery;
import dev.stormproof.verify.fold.PartitionVerifier;
import dev.stormproof.verify.fold.Promises;
import dev.stormproof.verify.judge.Finding;
import dev.stormproof.verify.judge.PartitionId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The verifier of one partition, by one of the two cores. */
interface Core {
    /** Which core verifies. */
    enum Kind {
        SEARCHING,
        CHAIN
    }

    /** Something that is asked of the log. */
    interface Question {
        /** Reads the log; what is returned hands the answer in. */
        Runnable read(PartitionReader log, Auditor auditor) throws ExpiredRangeException;
    }

    void take(DeliveryLink link, Read read);

    void tick(long nowMillis);

    void readOn();

    void holdAt(long offset);

    Optional<Question> next();

    List<Finding> drainFindings();

    void abandon();

    long progressOffset();

    long judgedOffset();

    long nextOffset();

    int progressEpoch();

    Leaders progressLeaders();

    /** What is committed with the progress. */
    Kept kept();

    boolean isReading();

    int undecided();

    int waiting();

    /** True if it keeps to its bounds. */
    boolean keepsTo(Bounds bounds);

    /** What a core keeps beside the progress: the one that it needs itself. */
    record Kept(Promises promises, SavedHeads heads) {
        static final Kept NOTHING = new Kept(Promises.NONE, SavedHeads.NOTHING);

        int size() {
            return promises.offsets().size() + heads.streams().size();
        }
    }

    static Core of(
            Kind kind,
            PartitionId partition,
            long resumeOffset,
            Leaders leaders,
            Kept kept,
            InactivityTimeouts timeouts,
            Bounds bounds,
            LogSink output) {
        return kind == Kind.CHAIN
                ? new OnChain(new ChainVerifier(
                        partition, resumeOffset, leaders, kept.heads(), timeouts, bounds, Optional.of(output)))
                : new Searching(
                        new PartitionVerifier(
                                partition.topic(),
                                partition.partition(),
                                resumeOffset,
                                leaders,
                                timeouts,
                                bounds,
                                Optional.of(output)),
                        kept);
    }

    static Question ofPiece(LogFeed asker, LogPiece piece) {
        return (log, auditor) -> {
            LogPiece.Found found = PieceReading.read(log, piece);
            return () -> asker.answer(piece, found);
        };
    }

    /** The core that keeps one chain of heads for each stream, and asks for one range. */
    record OnChain(ChainVerifier verifier) implements Core {
        @Override
        public void take(DeliveryLink link, Read read) {
            verifier.take(link, read);
        }

        @Override
        public void tick(long nowMillis) {
            verifier.tick(nowMillis);
        }

        @Override
        public void readOn() {
            verifier.readOn();
        }

        @Override
        public void holdAt(long offset) {
            verifier.holdAt(offset);
        }

        @Override
        public Optional<Question> next() {
            return verifier.nextRange()
                    .<Question>map(query -> (log, auditor) -> {
                        LogRange range = RangeReading.read(log, query);
                        return () -> verifier.answer(query, range);
                    })
                    .or(() -> verifier.nextPiece().map(piece -> ofPiece(verifier.feed(), piece)));
        }

        @Override
        public List<Finding> drainFindings() {
            return verifier.drainFindings();
        }

        @Override
        public void abandon() {
            verifier.abandon();
        }

        @Override
        public long progressOffset() {
            return verifier.progressOffset();
        }

        @Override
        public long judgedOffset() {
            return verifier.judgedOffset();
        }

        @Override
        public long nextOffset() {
            return verifier.nextOffset();
        }

        @Override
        public int progressEpoch() {
            return verifier.progressEpoch();
        }

        @Override
        public Leaders progressLeaders() {
            return verifier.progressLeaders();
        }

        @Override
        public Kept kept() {
            return new Kept(Promises.NONE, verifier.saved());
        }

        @Override
        public boolean isReading() {
            return verifier.isReading();
        }

        @Override
        public int undecided() {
            return verifier.undecided();
        }

        @Override
        public int waiting() {
            return verifier.waitingAudits();
        }

        @Override
        public boolean keepsTo(Bounds bounds) {
            return verifier.trees() <= bounds.streams() && verifier.waitingAudits() <= bounds.audits();
        }
    }

    /** The core that searches the log for what a restart has forgotten. */
    final class Searching implements Core {
        /** Fewer than Kafka has room for beside an offset, so that runs go beyond it. */
        private static final int MOST_PROMISES = 1;

        private final PartitionVerifier verifier;

        Searching(PartitionVerifier verifier, Kept kept) {
            this.verifier = verifier;
            verifier.expect(kept.promises());
        }

        @Override
        public void take(DeliveryLink link, Read read) {
            verifier.take(link, read);
        }

        @Override
        public void tick(long nowMillis) {
            verifier.tick(nowMillis);
        }

        @Override
        public void readOn() {
            verifier.readOn();
        }

        @Override
        public void holdAt(long offset) {
            verifier.holdAt(offset);
        }

        @Override
        public Optional<Question> next() {
            return verifier.nextAudit().map(this::question);
        }

        private Question question(LogQuery query) {
            return (log, auditor) -> {
                Consumer<PartitionVerifier> answer = LogReadJob.answer(auditor, OriginAudit.NONE, log, query);
                return () -> answer.accept(verifier);
            };
        }

        @Override
        public List<Finding> drainFindings() {
            return verifier.drainFindings();
        }

        @Override
        public void abandon() {
            verifier.abandon();
        }

        @Override
        public long progressOffset() {
            return verifier.progressOffset();
        }

        @Override
        public long judgedOffset() {
            return verifier.judgedOffset();
        }

        @Override
        public long nextOffset() {
            return verifier.nextOffset();
        }

        @Override
        public int progressEpoch() {
            return verifier.progressEpoch();
        }

        @Override
        public Leaders progressLeaders() {
            return verifier.progressLeaders();
        }

        @Override
        public Kept kept() {
            return new Kept(verifier.promises().named(MOST_PROMISES), SavedHeads.NOTHING);
        }

        @Override
        public boolean isReading() {
            return verifier.isReading();
        }

        @Override
        public int undecided() {
            return verifier.undecided();
        }

        @Override
        public int waiting() {
            return verifier.waitingAudits();
        }

        @Override
        public boolean keepsTo(Bounds bounds) {
            return verifier.sizeBytes() <= bounds.mostBytes()
                    && verifier.streams() <= bounds.streams()
                    && verifier.waitingAudits() <= bounds.audits();
        }
    }
}
