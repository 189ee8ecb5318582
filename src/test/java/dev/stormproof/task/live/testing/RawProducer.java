package dev.stormproof.task.live.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;

/**
 * A producer sends batches of records to a broker byte by byte as they are: KafkaProducer refuses what another client may send,
 * a timestamp of -1 among it.
 *
 * <p>For one thread.
 */
public final class RawProducer implements AutoCloseable {
    /** The last version that names topics instead of giving their ids. */
    private static final short VERSION = 12;

    private static final int TIMEOUT_MILLIS = 30_000;

    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;
    private int correlation;

    public RawProducer(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(2 * TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        out = new DataOutputStream(socket.getOutputStream());
        in = new DataInputStream(socket.getInputStream());
    }

    /** Sends a batch and waits for what the broker says of it. */
    public Errors send(String topic, int partition, MemoryRecords batch) throws IOException {
        ProduceRequestData data = new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(TIMEOUT_MILLIS)
                .setTopicData(new TopicProduceDataCollection(List.of(new TopicProduceData()
                                .setName(topic)
                                .setPartitionData(List.of(new PartitionProduceData()
                                        .setIndex(partition)
                                        .setRecords(batch))))
                        .iterator()));
        RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, VERSION, "raw", correlation++);
        ByteBuffer request = new ProduceRequest(data, VERSION).serializeWithHeader(header);
        out.writeInt(request.remaining());
        out.write(request.array(), request.arrayOffset() + request.position(), request.remaining());
        out.flush();
        ByteBuffer response = ByteBuffer.wrap(in.readNBytes(in.readInt()));
        ResponseHeader.parse(response, ApiKeys.PRODUCE.responseHeaderVersion(VERSION));
        ProduceResponse answer = ProduceResponse.parse(new ByteBufferAccessor(response), VERSION);
        return Errors.forCode(answer.data()
                .responses()
                .iterator()
                .next()
                .partitionResponses()
                .get(0)
                .errorCode());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
