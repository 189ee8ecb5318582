package dev.stormproof.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One client of a server: reads a request, writes its answer, and waits for neither.
 *
 * <pre>
 *   HEAD ──whole, or refused──► ANSWERING ──written──► LEAVING ──the client ends, or a second passes──► OVER
 *        ──goes on────────────► FOLLOWING ──the client ends──► OVER
 *   any  ──deadline───────────► OVER
 * </pre>
 */
final class Connection {
    static final int MOST_HEAD_BYTES = 16 << 10;

    private static final int HEAD_TOO_LARGE = 431;
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};

    /** How long a client may go on sending whose answer is complete: else what is on its way could make it lose the answer. */
    private static final long LEAVE_MILLIS = 1_000;

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Function<Request, Answer> pages;
    private final Patience patience;
    private final ByteBuffer in = ByteBuffer.allocate(MOST_HEAD_BYTES);
    private final Deque<ByteBuffer> out = new ArrayDeque<>();
    private Answer.@Nullable Updates updates;
    private State state = State.HEAD;
    private long deadlineNanos;
    private boolean hasDeadline;

    private enum State {
        HEAD,
        ANSWERING,
        FOLLOWING,
        LEAVING,
        OVER
    }

    Connection(SocketChannel channel, SelectionKey key, Function<Request, Answer> pages, Patience patience) {
        this.channel = channel;
        this.key = key;
        this.pages = pages;
        this.patience = patience;
        within(patience.headMillis());
    }

    boolean isOver() {
        return state == State.OVER;
    }

    boolean follows() {
        return state == State.FOLLOWING;
    }

    /** How many bytes of its answer the client has not taken. */
    long waitingBytes() {
        return out.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    /** Reads and writes what is possible now. */
    void ready() throws IOException {
        if (key.isReadable()) {
            read();
        }
        if (state != State.OVER && key.isWritable()) {
            write();
        }
    }

    /** Notes that time passes. */
    void tick() throws IOException {
        if (hasDeadline && System.nanoTime() - deadlineNanos > 0) {
            state = State.OVER;
        } else if (updates != null && out.isEmpty()) {
            byte[] next = updates.next(System.currentTimeMillis());
            if (next != null) {
                out.add(ByteBuffer.wrap(next));
                within(patience.answerMillis());
                write();
            }
        }
    }

    /** Closes it, whatever its state. */
    void end() {
        state = State.OVER;
        if (updates != null) {
            updates.close();
            updates = null;
        }
        try {
            channel.close();
        } catch (IOException e) {
            key.cancel(); // It is gone all the same.
        }
    }

    private void read() throws IOException {
        int before = in.position();
        if (channel.read(in) < 0) {
            // Who only ends its sending gets its answer still.
            key.interestOpsAnd(~SelectionKey.OP_READ);
            state = state == State.ANSWERING ? state : State.OVER;
            return;
        }
        if (state != State.HEAD) {
            in.clear();
            return;
        }
        int end = headEnd(before);
        if (end >= 0) {
            answer(requested(Arrays.copyOf(in.array(), end)));
        } else if (!in.hasRemaining()) {
            answer(Answer.of(HEAD_TOO_LARGE, "a request has at most " + MOST_HEAD_BYTES + " bytes"));
        }
    }

    /** Where the head ends of which some bytes were looked at before; -1 if its end has not come. */
    private int headEnd(int lookedAt) {
        for (int i = Math.max(0, lookedAt - HEAD_END.length + 1); i + HEAD_END.length <= in.position(); i++) {
            if (Arrays.equals(in.array(), i, i + HEAD_END.length, HEAD_END, 0, HEAD_END.length)) {
                return i;
            }
        }
        return -1;
    }

    private Answer requested(byte[] head) {
        try {
            return pages.apply(Request.parse(head));
        } catch (Request.Refused e) {
            return Answer.of(e.status(), String.valueOf(e.getMessage()));
        }
    }

    private void answer(Answer answer) throws IOException {
        in.clear();
        out.add(ByteBuffer.wrap(answer.head()));
        out.add(ByteBuffer.wrap(answer.body()));
        updates = answer.updates();
        state = updates == null ? State.ANSWERING : State.FOLLOWING;
        within(patience.answerMillis());
        write();
    }

    private void write() throws IOException {
        while (!out.isEmpty()) {
            channel.write(out.getFirst());
            if (out.getFirst().hasRemaining()) {
                key.interestOpsOr(SelectionKey.OP_WRITE);
                return;
            }
            out.removeFirst();
        }
        key.interestOpsAnd(~SelectionKey.OP_WRITE);
        hasDeadline = false;
        if (state == State.ANSWERING) {
            channel.shutdownOutput();
            state = (key.interestOps() & SelectionKey.OP_READ) == 0 ? State.OVER : State.LEAVING;
            within(LEAVE_MILLIS);
        }
    }

    private void within(long millis) {
        hasDeadline = true;
        deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
