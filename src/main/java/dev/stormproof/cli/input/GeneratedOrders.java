package dev.stormproof.cli.input;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Generated orders come from a made-up shop, one JSON object each; the same seed makes the same orders. */
public record GeneratedOrders(long count, long seed) implements EventSource.Counted {
    private static final List<String> ARTICLES =
            List.of("kettle", "teapot", "cup", "saucer", "spoon", "tray", "strainer", "tin", "towel", "lamp");
    private static final Instant OPENING = Instant.parse("2026-01-05T08:00:00Z");

    @Override
    public void forEach(Visitor visitor) {
        SplittableRandom random = new SplittableRandom(seed);
        Instant at = OPENING;
        for (long i = 0; i < count; i++) {
            at = at.plusMillis(random.nextInt(1, 4_000));
            String order = String.format(
                    Locale.ROOT,
                    "{\"order\":%d,\"at\":\"%s\",\"customer\":%d,\"article\":\"%s\",\"quantity\":%d,\"cents\":%d}",
                    100_000 + i,
                    at,
                    random.nextInt(1, 1_000),
                    ARTICLES.get(random.nextInt(ARTICLES.size())),
                    random.nextInt(1, 9),
                    random.nextInt(100, 20_000));
            if (!visitor.visit(i, order.getBytes(StandardCharsets.UTF_8))) {
                return;
            }
        }
    }

    @Override
    public String title() {
        return "generated orders";
    }

    @Override
    public String unit() {
        return "order";
    }
}
