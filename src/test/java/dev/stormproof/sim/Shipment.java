package dev.stormproof.sim;

import dev.stormproof.proof.checkpoint.EventHeader;
import dev.stormproof.proof.checkpoint.Format1Expected;
import dev.stormproof.proof.checkpoint.Format2Checkpoint;
import org.jspecify.annotations.Nullable;

/**
 * Something on its way from an emitter to the log: a record as bytes, or the end of a transaction.
 *
 * @param kind what it is
 * @param emitter who sent it, also if it says otherwise
 * @param transaction the transaction that it belongs to or ends; 0 for none
 * @param header the value of its only record header; null if it has none
 * @param value its value
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes on their way; shipments are never compared.
record Shipment(Kind kind, long emitter, int transaction, byte @Nullable [] header, byte @Nullable [] value) {
    enum Kind {
        EVENT(EventHeader.NAME),
        CHECKPOINT(Format2Checkpoint.HEADER),
        PLAIN_EVENT(Format1Expected.HEADER),
        PLAIN_CHECKPOINT(""),
        STRANGE(""),
        OVERSIZED(""),
        COMMIT(""),
        ABORT("");

        final String headerName;

        Kind(String headerName) {
            this.headerName = headerName;
        }
    }

    boolean isEvent() {
        return kind == Kind.EVENT || kind == Kind.PLAIN_EVENT;
    }

    boolean isCheckpoint() {
        return kind == Kind.CHECKPOINT || kind == Kind.PLAIN_CHECKPOINT;
    }

    boolean isMarker() {
        return kind == Kind.COMMIT || kind == Kind.ABORT;
    }

    Shipment withHeader(byte[] newHeader) {
        return new Shipment(kind, emitter, transaction, newHeader, value);
    }

    Shipment withValue(byte[] newValue) {
        return new Shipment(kind, emitter, transaction, header, newValue);
    }
}
