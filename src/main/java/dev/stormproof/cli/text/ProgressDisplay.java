package dev.stormproof.cli.text;

import dev.stormproof.alert.Printable;
import dev.stormproof.cli.terminal.Terminal;

/**
 * A display shows how far a run has come: on a terminal a bar that is drawn over itself, elsewhere a line now and then. Of what has no
 * end it shows the state alone, elsewhere a line a minute.
 *
 * <p>Not safe for threads. Time comes from the caller.
 */
public final class ProgressDisplay {
    private static final int BAR_WIDTH = 24;
    private static final long REDRAW_MILLIS = 100;
    private static final long LINE_MILLIS = 10_000;
    private static final long STATUS_MILLIS = 60_000;

    private final Terminal err;
    private final int columns;
    private boolean drawn;
    private long lastMillis = Long.MIN_VALUE / 2;
    private String last = "";

    /** A display on a terminal of so many columns, or on something else if that is 0. */
    ProgressDisplay(Terminal err, int columns) {
        this.err = err;
        this.columns = columns;
    }

    /** A display on standard error, a bar if the launcher said how wide a terminal it is. */
    public static ProgressDisplay on(Terminal err) {
        return new ProgressDisplay(err, Integer.getInteger("stormproof.terminal", 0));
    }

    /** Says what happens now, before anything can be counted. */
    public void stage(String what) {
        clear();
        err.println("stormproof: " + what);
        last = what;
    }

    /** Shows how much of the whole is done, with {@code text} beside it. */
    public void update(long done, long total, String text, long nowMillis) {
        if (!isDue(nowMillis)) {
            return;
        }
        if (columns > 0) {
            err.redraw(line(bar(done, total), Printable.line(text)));
            drawn = true;
        } else if (lastMillis > 0 && !text.equals(last)) {
            err.println("stormproof: " + text);
        }
        last = text;
        lastMillis = nowMillis;
    }

    /** Shows the state of what has no end. The first line is due a minute after the first call, and comes whatever it says. */
    public void status(String text, long nowMillis) {
        boolean first = lastMillis < 0;
        if (columns > 0) {
            String line = Printable.line(text);
            err.redraw(line.length() < columns ? line : line.substring(0, columns - 1));
            drawn = true;
        } else if (first || nowMillis - lastMillis < STATUS_MILLIS) {
            lastMillis = first ? nowMillis : lastMillis;
            return;
        } else {
            err.println("stormproof: " + text);
        }
        lastMillis = nowMillis;
    }

    /** True if an update would be shown now. */
    public boolean isDue(long nowMillis) {
        return nowMillis - lastMillis >= (columns > 0 ? REDRAW_MILLIS : LINE_MILLIS);
    }

    /** Takes the bar away, so that something else can be printed; the next update draws it again. */
    public void clear() {
        if (drawn) {
            err.redraw("");
            drawn = false;
            lastMillis = Long.MIN_VALUE / 2;
        }
    }

    /** As much as one line of the terminal holds: what wraps cannot be drawn over. */
    private String line(String bar, String text) {
        int most = columns - 1;
        String both = bar + " " + text;
        if (both.length() <= most) {
            return both;
        }
        return text.length() <= most ? text : text.substring(0, most);
    }

    private static String bar(long done, long total) {
        int filled = total <= 0 ? 0 : (int) (BAR_WIDTH * Math.min(done, total) / total);
        return "[" + "#".repeat(filled) + ".".repeat(BAR_WIDTH - filled) + "]";
    }
}
