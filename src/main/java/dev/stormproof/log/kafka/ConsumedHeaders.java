package dev.stormproof.log.kafka;

import dev.stormproof.proof.checkpoint.LogRecordParser;
import java.util.Iterator;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The headers of a record of Kafka's consumer. Most records have one, whose name is compared in place. */
final class ConsumedHeaders implements LogRecordParser.Headers {
    private final Headers headers;
    /** The only header; null if there is none, or more than one. */
    private final @Nullable Header only;

    private final String onlyName;

    ConsumedHeaders(Headers headers) {
        this.headers = headers;
        Iterator<Header> each = headers.iterator();
        Header first = each.hasNext() ? each.next() : null;
        this.only = each.hasNext() ? null : first;
        this.onlyName = only == null ? "" : only.key();
    }

    @Override
    public byte @Nullable [] last(String name) {
        Header header = only == null ? headers.lastHeader(name) : onlyName.equals(name) ? only : null;
        return header == null ? null : header.value();
    }
}
