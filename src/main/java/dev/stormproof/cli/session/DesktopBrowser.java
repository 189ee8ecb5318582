package dev.stormproof.cli.session;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;

/** A browser of the desktop shows a page, where this session has a desktop, and the desktop a program that knows its browser. */
final class DesktopBrowser {
    private static final boolean MAC = System.getProperty("os.name").startsWith("Mac");

    private DesktopBrowser() {}

    /** Has it open the page; true if a program was found that does. */
    static boolean open(URI page) {
        // Without a display, xdg-open looks for a browser that would draw into this terminal.
        if (!MAC && System.getenv("DISPLAY") == null && System.getenv("WAYLAND_DISPLAY") == null) {
            return false;
        }
        try {
            // A process: the desktop of the JVM is part of a window system that it cannot do without, and may die of
            // it.
            Process unused = new ProcessBuilder(MAC ? "open" : "xdg-open", page.toString())
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException e) {
            return false; // There is none; the caller prints the address.
        }
    }
}
