package dev.stormproof.small;

import java.util.ArrayList;
import java.util.List;

/** What happens while a log is verified, and in which order the log answers. */
record Scenario(List<Step> steps, Answers answers, List<Integer> choices) {
    enum Answers {
        /** Each question is answered before the next record is delivered. */
        AT_ONCE,
        /** All are answered at the end, in the order in which they were asked. */
        FIRST_FIRST,
        /** All are answered at the end, the last one first. */
        LAST_FIRST,
        /** The same, but the log was read when they were asked. */
        READ_EARLY,
        /** All are answered at the end, by choice. */
        CHOSEN
    }

    enum Kind {
        /** The verifier dies, and another one begins at its progress with all heads. */
        RESTART,
        /** The same without any head. */
        FORGET,
        /** The same without the heads of the first stream. */
        FORGET_ONE,
        /** The progress and the heads are committed. */
        COMMIT,
        /** The verifier dies, and another one begins where they were committed last. */
        CRASH,
        /** No record comes for longer than any deadline. */
        SILENCE,
        /** An unclean election cuts off everything from an offset on. */
        CUT,
        /** Everything before an offset expires. */
        EXPIRE
    }

    /** What is written after a cut. */
    enum Again {
        /** What was cut off, and the rest. */
        ALL,
        /** The rest. */
        REST,
        /** Nothing. */
        NOTHING,
        /** All but the first record that was cut off. */
        ALL_BUT_ONE
    }

    /**
     * @param at after how many records it happens
     * @param to the offset that it concerns
     */
    record Step(Kind kind, int at, int to, Again again) {
        static Step of(Kind kind, int at) {
            return new Step(kind, at, 0, Again.ALL);
        }

        @Override
        public String toString() {
            return switch (kind) {
                case CUT -> "after " + at + " cut at " + to + ", then " + again;
                case EXPIRE -> "after " + at + " expire before " + to;
                default -> "after " + at + " " + kind;
            };
        }
    }

    static final Scenario PLAIN = new Scenario(List.of(), Answers.AT_ONCE, List.of());

    static Scenario of(Step... steps) {
        return new Scenario(List.of(steps), Answers.AT_ONCE, List.of());
    }

    Scenario answered(Answers order) {
        return new Scenario(steps, order, choices);
    }

    Scenario choosing(List<Integer> chosen) {
        return new Scenario(steps, Answers.CHOSEN, chosen);
    }

    /** A restart at every place, with and without heads, and from every earlier commit. */
    static List<Scenario> restarts(int size, boolean fromEarlier) {
        List<Scenario> all = new ArrayList<>();
        for (int at = 1; at <= size; at++) {
            all.add(of(Step.of(Kind.RESTART, at)));
            all.add(of(Step.of(Kind.FORGET, at)));
            for (int commit = 1; fromEarlier && commit < at; commit++) {
                all.add(of(Step.of(Kind.COMMIT, commit), Step.of(Kind.CRASH, at)));
            }
        }
        return all;
    }

    /** A silence at every place; and one with a restart after it, at every place. */
    static List<Scenario> silences(int size, boolean restarting) {
        List<Scenario> all = new ArrayList<>();
        for (int at = 1; at <= size; at++) {
            all.add(of(Step.of(Kind.SILENCE, at)));
            for (int then = at; restarting && then <= size; then++) {
                all.add(of(Step.of(Kind.SILENCE, at), Step.of(Kind.RESTART, then)));
                all.add(of(Step.of(Kind.SILENCE, at), Step.of(Kind.FORGET, then)));
            }
        }
        return all;
    }

    /** Every cut after every record; and each with a restart before it. */
    static List<Scenario> cuts(int size, boolean restarting) {
        List<Scenario> all = new ArrayList<>();
        for (int at = 1; at <= size; at++) {
            for (int to = 0; to < at; to++) {
                for (Again again : Again.values()) {
                    Step cut = new Step(Kind.CUT, at, to, again);
                    all.add(of(cut));
                    if (restarting) {
                        all.add(of(Step.of(Kind.RESTART, at), cut));
                        all.add(of(cut, Step.of(Kind.RESTART, at)));
                    }
                }
            }
        }
        return all;
    }

    /** Every expiry after every record, of what was read or of what was not. */
    static List<Scenario> expiries(int size, boolean restarting) {
        List<Scenario> all = new ArrayList<>();
        for (int at = 0; at <= size; at++) {
            for (int to = 1; to <= size; to++) {
                Step expire = new Step(Kind.EXPIRE, at, to, Again.ALL);
                all.add(of(expire));
                if (restarting) {
                    all.add(of(expire, Step.of(Kind.RESTART, at)));
                    all.add(of(expire, Step.of(Kind.RESTART, Math.min(size, at + 2))));
                }
            }
        }
        return all;
    }

    @Override
    public String toString() {
        return steps + " answers " + answers + (choices.isEmpty() ? "" : choices);
    }
}
