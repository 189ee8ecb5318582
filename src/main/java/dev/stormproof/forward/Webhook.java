package dev.stormproof.forward;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.stormproof.alert.AlertJson;
import java.io.IOException;
import java.util.List;

/**
 * A receiver that takes each change of an alert as a CloudEvent in JSON, structured mode: the record as it stands in the alerts topic, and in
 * its data what follows if it is not told for good ({@code next}).
 *
 * <p>Source: CloudEvents 1.0.2, HTTP protocol binding, structured content mode.
 */
final class Webhook implements Receiver {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Post post;

    Webhook(Post post) {
        this.post = post;
    }

    @Override
    public int mostAtOnce() {
        return 1;
    }

    @Override
    public boolean forgets() {
        return false;
    }

    @Override
    public void send(List<Change> alerts) throws IOException, InterruptedException {
        for (Change change : alerts) {
            ObjectNode event = change.written().deepCopy();
            boolean more =
                    change.acceptance().isEmpty() && !change.alert().next().isEmpty();
            if (more && event.get("data") instanceof ObjectNode data) {
                data.put("next", change.alert().next());
            }
            post.send(AlertJson.CONTENT_TYPE, JSON.writeValueAsBytes(event));
        }
    }
}
