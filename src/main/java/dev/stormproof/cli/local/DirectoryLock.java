package dev.stormproof.cli.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.kafka.common.KafkaException;

/**
 * A lock keeps a directory for one broker, until it is closed or its process ends.
 *
 * <p>Kafka's own comes too late: by then a second broker has bound ports and begun to replace the first one's state.
 */
record DirectoryLock(FileChannel channel) implements AutoCloseable {
    private static final String NAME = "stormproof.lock";

    /** Locks a directory; throws {@link KafkaException} that says who holds it. */
    static DirectoryLock take(Path dir) throws IOException {
        Path file = dir.resolve(NAME);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean taken = false;
        try {
            // After the text, so that others can read it wherever locks are more than advice.
            FileLock lock = channel.tryLock(Long.MAX_VALUE - 1, 1, false);
            taken = lock != null;
        } catch (OverlappingFileLockException e) { // It is this process that holds it.
            taken = false;
        } finally {
            if (!taken) {
                channel.close();
            }
        }
        if (!taken) {
            throw new KafkaException("directory " + dir + " is in use by the broker of process "
                    + Files.readString(file).strip());
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
        return new DirectoryLock(channel);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
