package dev.stormproof.alert.dashboard.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A browser is a headless Chromium, steered over the DevTools protocol, with a profile of its own.
 *
 * <p>{@code CHROMIUM} names the program; else it is {@code chromium} of the path. A test that needs one fails without.
 */
public final class Browser implements AutoCloseable, WebSocket.Listener {
    private static final long PATIENCE_SECONDS = 30;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final Path profile;
    private final StringBuilder message = new StringBuilder();
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final Map<String, Tab> tabs = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();

    private Browser(Process process, Path profile) {
        this.process = process;
        this.profile = profile;
    }

    /** Starts one. */
    public static Browser start() throws Exception {
        Path profile = Files.createTempDirectory("stormproof-browser-");
        String program = System.getenv().getOrDefault("CHROMIUM", "chromium");
        Process process = new ProcessBuilder(
                        program,
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .start();
        Browser browser = new Browser(process, profile);
        try {
            String address = browser.address();
            browser.socket.complete(HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(URI.create(address), browser)
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            return browser;
        } catch (Exception e) {
            browser.close();
            throw e;
        }
    }

    private String address() throws IOException {
        StringBuilder said = new StringBuilder();
        BufferedReader reader = process.inputReader(UTF_8);
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            said.append(line).append('\n');
            if (line.startsWith("DevTools listening on ")) {
                Thread rest = new Thread(() -> passOver(reader), "browser-output");
                rest.setDaemon(true);
                rest.start();
                return line.substring("DevTools listening on ".length()).strip();
            }
        }
        throw new AssertionError("the browser did not start:\n" + said);
    }

    private static void passOver(BufferedReader reader) {
        try {
            reader.transferTo(Writer.nullWriter());
        } catch (IOException e) { // The browser was closed.
            return;
        }
    }

    /** Opens a page in a tab of its own, of this size. */
    public Tab open(URI uri, int width, int height) {
        String target = ask("", "Target.createTarget", Map.of("url", "about:blank"))
                .required("targetId")
                .asText();
        String session = ask("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .required("sessionId")
                .asText();
        Tab tab = new Tab(session);
        tabs.put(session, tab);
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            tab.ask(domain + ".enable", Map.of());
        }
        tab.size(width, height);
        tab.ask("Page.navigate", Map.of("url", uri.toString()));
        tab.await("location.href !== 'about:blank' && document.readyState === 'complete'");
        return tab;
    }

    private JsonNode ask(String session, String method, Map<String, ?> parameters) {
        int id = next.incrementAndGet();
        ObjectNode question = JSON.createObjectNode().put("id", id).put("method", method);
        if (!session.isEmpty()) {
            question.put("sessionId", session);
        }
        question.set("params", JSON.valueToTree(parameters));
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        try {
            synchronized (this) {
                socket.get().sendText(question.toString(), true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(method + ": " + e, e);
        }
    }

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
        message.append(data);
        if (last) {
            String text = message.toString();
            message.setLength(0);
            try {
                take(JSON.readTree(text));
            } catch (IOException e) {
                throw new AssertionError(text, e);
            }
        }
        webSocket.request(1);
        return CompletableFuture.completedStage(null);
    }

    private void take(JsonNode said) {
        CompletableFuture<JsonNode> answer = asked.remove(said.path("id").asInt(-1));
        if (answer != null) {
            if (said.has("error")) {
                answer.completeExceptionally(
                        new AssertionError(said.get("error").toString()));
            } else {
                answer.complete(said.path("result"));
            }
            return;
        }
        Tab tab = tabs.get(said.path("sessionId").asText());
        if (tab != null) {
            tab.happened(said.path("method").asText(), said.path("params"));
        }
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        List<Path> files;
        try (Stream<Path> all = Files.walk(profile)) {
            files = new ArrayList<>(all.toList());
        }
        Collections.reverse(files);
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    /** One page. */
    public final class Tab {
        private final String session;
        private final List<String> errors = new CopyOnWriteArrayList<>();
        private final List<String> requests = new CopyOnWriteArrayList<>();

        private Tab(String session) {
            this.session = session;
        }

        private JsonNode ask(String method, Map<String, ?> parameters) {
            return Browser.this.ask(session, method, parameters);
        }

        private void happened(String event, JsonNode what) {
            boolean console = event.equals("Runtime.consoleAPICalled")
                    && List.of("error", "warning", "assert")
                            .contains(what.path("type").asText());
            boolean log = event.equals("Log.entryAdded")
                    && List.of("error", "warning")
                            .contains(what.path("entry").path("level").asText());
            if (console || log || event.equals("Runtime.exceptionThrown")) {
                errors.add(what.toString());
            }
            if (event.equals("Network.requestWillBeSent")) {
                requests.add(what.path("request").path("url").asText());
            }
        }

        /** What the page complained of: errors, warnings and exceptions. */
        public List<String> errors() {
            return List.copyOf(errors);
        }

        /** Every address that was asked for. */
        public List<String> requests() {
            return List.copyOf(requests);
        }

        /** The value of an expression, or of what it promises. */
        public JsonNode eval(String expression) {
            JsonNode answer = ask(
                    "Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
            if (answer.has("exceptionDetails")) {
                throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
            }
            return answer.path("result").path("value");
        }

        /** The text of the first element that a selector finds. */
        public String text(String selector) {
            return eval("document.querySelector('" + selector + "').innerText").asText();
        }

        /** Waits until an expression is true. */
        public void await(String expression) {
            JsonNode met = eval("new Promise(done => { const end = Date.now() + " + PATIENCE_SECONDS * 900
                    + "; const look = () => { let met = false; try { met = Boolean(" + expression
                    + "); } catch (e) { met = false; } if (met || Date.now() > end) { done(met); }"
                    + " else { setTimeout(look, 20); } }; look(); })");
            if (!met.asBoolean()) {
                throw new AssertionError("never true: " + expression + "\nerrors: " + errors);
            }
        }

        /** Presses a key and lets it go. */
        public void press(String key) {
            boolean character = key.length() == 1;
            Map<String, Integer> codes = Map.of(
                    "Enter", 13,
                    "Escape", 27,
                    "End", 35,
                    "Home", 36,
                    "ArrowLeft", 37,
                    "ArrowUp", 38,
                    "ArrowRight", 39,
                    "ArrowDown", 40,
                    "Tab", 9);
            int code = character ? Character.toUpperCase(key.charAt(0)) : codes.get(key);
            String text = key.equals("Enter") ? "\r" : character ? key : "";
            ask(
                    "Input.dispatchKeyEvent",
                    Map.of(
                            "type", text.isEmpty() ? "rawKeyDown" : "keyDown",
                            "key", key,
                            "code", key,
                            "text", text,
                            "windowsVirtualKeyCode", code));
            ask("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", code));
        }

        private void size(int width, int height) {
            ask(
                    "Emulation.setDeviceMetricsOverride",
                    Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        }

        /** Has the page believe that it is shown on this medium, such as {@code print}; on a screen if it is empty. */
        public void media(String medium) {
            ask("Emulation.setEmulatedMedia", Map.of("media", medium));
        }
    }
}
