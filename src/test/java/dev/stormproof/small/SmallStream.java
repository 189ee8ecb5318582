package dev.stormproof.small;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A stream of a small log as its emitter writes it: checkpoint 0, then intervals, each with its events before its checkpoint.
 *
 * @param index 0 for the first stream of the log, 1 for the second
 * @param sizes how many events the intervals 1, 2, … hold
 */
record SmallStream(int index, List<Integer> sizes, Ending ending) {
    /** How a stream ends. */
    enum Ending {
        /** The emitter lives. */
        OPEN,
        /** Its last checkpoint closes the stream. */
        CLOSED,
        /** An end follows that leaves the last checkpoint in doubt. */
        IN_DOUBT
    }

    /** What a checkpoint states. */
    record Statement(
            int number, int first, int next, boolean replaced, boolean chained, boolean closing, boolean doubtful) {
        /** True if it names a checkpoint as its predecessor, and begins where that one ends. */
        boolean continues(Token other, Statement before) {
            return chained && other.kind() == Token.CHECKPOINT && before.number == number - 1 && before.next == first;
        }
    }

    // Variants of forged checkpoints

    static final int OTHER_PREDECESSOR = 1;
    static final int OTHER_EVENTS = 2;
    static final int BEGINS_LATER = 4;
    static final int ENDS_LATER = 8;

    static SmallStream of(int index, Ending ending, Integer... sizes) {
        return new SmallStream(index, List.of(sizes), ending);
    }

    /** All streams of three intervals of 0 to 2 events. */
    static List<List<Integer>> shapes() {
        List<List<Integer>> shapes = new ArrayList<>();
        for (int shape = 0; shape < 27; shape++) {
            shapes.add(Arrays.asList(shape / 9, shape / 3 % 3, shape % 3));
        }
        return shapes;
    }

    int last() {
        return sizes.size();
    }

    /** The first sequence of an interval. */
    int first(int number) {
        int first = 0;
        for (int before = 1; before < number; before++) {
            first += before <= last() ? sizes.get(before - 1) : 2;
        }
        return first;
    }

    /** False if the end would leave nothing in doubt. */
    boolean isPossible() {
        return ending != Ending.IN_DOUBT || sizes.get(last() - 1) > 0;
    }

    List<Token> tokens() {
        List<Token> tokens = new ArrayList<>();
        for (int number = 0; number <= last(); number++) {
            for (int sequence = first(number); number > 0 && sequence < first(number + 1); sequence++) {
                tokens.add(Token.of(Token.EVENT, index, sequence));
            }
            tokens.add(Token.of(Token.CHECKPOINT, index, number));
        }
        if (ending == Ending.IN_DOUBT) {
            tokens.add(Token.of(Token.END, index, last()));
        }
        return tokens;
    }

    Statement statement(Token checkpoint) {
        int number = checkpoint.number();
        int first = number == 0 ? 0 : first(number);
        int next = number == 0 ? 0 : first(number + 1);
        return switch (checkpoint.kind()) {
            case Token.CHECKPOINT ->
                new Statement(
                        number, first, next, false, number > 0, ending == Ending.CLOSED && number == last(), false);
            case Token.END -> new Statement(number, first, first(last() + 1), false, number > 0, true, true);
            default -> {
                int variant = checkpoint.variant();
                int begin = first + (number > 0 && (variant & BEGINS_LATER) != 0 ? 1 : 0);
                int end = Math.max(begin, next + (number > 0 && (variant & ENDS_LATER) != 0 ? 1 : 0));
                boolean chained = number > 0 && number <= last() + 1 && (variant & OTHER_PREDECESSOR) == 0;
                yield new Statement(number, begin, end, (variant & OTHER_EVENTS) != 0, chained, false, false);
            }
        };
    }
}
