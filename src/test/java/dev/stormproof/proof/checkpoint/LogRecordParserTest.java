package dev.stormproof.proof.checkpoint;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stormproof.proof.checkpoint.UnattributedRecord.Kind;
import dev.stormproof.proof.sign.EventSigner;
import dev.stormproof.proof.sign.EventSigners;
import dev.stormproof.proof.sign.Sha256Signer;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.sign.Xxh3Signer;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.Leaves;
import dev.stormproof.proof.tree.TreeHash;
import dev.stormproof.testing.SimulatedEmitter;
import dev.stormproof.testing.StreamRecords;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a record is taken for. */
class LogRecordParserTest {
    private static final long WRITTEN_MILLIS = 1_700_000_000_000L;
    private static final byte[] VALUE = "a value".getBytes(StandardCharsets.UTF_8);
    private static final StreamId STREAM = new StreamId("orders", 2, 77);

    private static final byte[] MADE = "what was made of it".getBytes(StandardCharsets.UTF_8);

    private final LogRecordParser ofTransform = new LogRecordParser(
            new Origins(Map.of("made", "orders"), Map.of()),
            Format1Expected.everywhere(),
            List.of(),
            new CheckpointVerifier(TrustedKeys.none()));

    private final LogRecordParser parser = new LogRecordParser(
            Origins.NONE,
            Format1Expected.everywhere(),
            List.of(new Checksum()),
            new CheckpointVerifier(TrustedKeys.none()));

    /** A signature that an application supplies: the sum of the bytes. */
    private static final class Checksum implements EventSigner {
        @Override
        public byte id() {
            return (byte) 200;
        }

        @Override
        public int sizeBytes() {
            return 1;
        }

        @Override
        public void sign(byte[] value, byte[] out, int outBegin) {
            byte sum = 0;
            for (byte b : value) {
                sum += b;
            }
            out[outBegin] = sum;
        }
    }

    /** The time says nothing of what a record is: it is only carried along. */
    @Test
    void everyRecordSaysWhenItWasWritten() {
        byte[] event = header(200, Hash.copyOf(new byte[] {6})).encode();
        byte[] sha1 = "9e4647f796987297ce25c638aa6797954b40b730".getBytes(StandardCharsets.US_ASCII);
        List<Map<String, byte[]>> all = List.of(
                Map.of(),
                Map.of(EventHeader.NAME, event),
                Map.of(EventHeader.NAME, new byte[] {1}),
                Map.of("signature", sha1),
                Map.of("signature", new byte[0]),
                Map.of(Format2Checkpoint.HEADER, new byte[] {1}));
        for (Map<String, byte[]> headers : all) {
            assertThat(parse(VALUE, headers).writtenMillis()).isEqualTo(WRITTEN_MILLIS);
        }
    }

    private LogRecord parse(byte @Nullable [] value, Map<String, byte[]> headers) {
        return parser.parse("orders", 2, 5, WRITTEN_MILLIS, null, value, headers::get, null);
    }

    private static EventHeader header(int algorithm, Hash signature) {
        return new EventHeader(77, 3, TreeHash.XXH3, algorithm, signature);
    }

    private static Hash sha256(byte[] value) {
        return new Sha256Signer().sign(null, value);
    }

    private static UnattributedRecord unattributed(LogRecord record) {
        assertThat(record).isInstanceOf(UnattributedRecord.class);
        return (UnattributedRecord) record;
    }

    @Test
    void anEventIsObservedByItsValueAndNotByItsHeader() {
        byte[] header = header(EventSigners.SHA256_KEY_VALUE, sha256(VALUE)).encode();
        Event intact = (Event) parse(VALUE, Map.of(EventHeader.NAME, header));
        Event altered = (Event) parse(new byte[] {1}, Map.of(EventHeader.NAME, header));
        assertThat(intact.intact()).isTrue();
        assertThat(altered.intact()).isFalse();
        assertThat(altered.observed()).isEqualTo(sha256(new byte[] {1}));
    }

    @Test
    void anEmptyValueIsNotANullValue() {
        byte[] header =
                header(EventSigners.SHA256_KEY_VALUE, sha256(new byte[0])).encode();
        assertThat(((Event) parse(new byte[0], Map.of(EventHeader.NAME, header))).intact())
                .isTrue();
        LogRecord ofNull =
                parser.parse("orders", 2, 5, WRITTEN_MILLIS, null, null, Map.of(EventHeader.NAME, header)::get, null);
        assertThat(((Event) ofNull).intact()).isFalse();
    }

    @Test
    void anApplicationsOwnSignatureIsRecomputed() {
        byte[] header = header(200, Hash.copyOf(new byte[] {6})).encode();
        assertThat(((Event) parse(new byte[] {1, 2, 3}, Map.of(EventHeader.NAME, header))).intact())
                .isTrue();
    }

    @Test
    void anUnknownSignatureIsObservedAsNothing() {
        byte[] header = header(201, Hash.copyOf(new byte[] {6})).encode();
        assertThat(((Event) parse(VALUE, Map.of(EventHeader.NAME, header))).observed())
                .isEqualTo(Hash.empty());
    }

    @Test
    void aDamagedEventHeaderIsAStray() {
        UnattributedRecord stray = unattributed(parse(VALUE, Map.of(EventHeader.NAME, new byte[] {0x21, 4, 3})));
        assertThat(stray.kind()).isEqualTo(Kind.MALFORMED_EVENT);
        assertThat(stray.detail()).contains("at byte");
    }

    @Test
    void anEventHeaderOfAFutureVersionIsUnsupported() {
        byte[] header = header(EventSigners.SHA256_KEY_VALUE, sha256(VALUE)).encode();
        header[0] = 9;
        assertThat(unattributed(parse(VALUE, Map.of(EventHeader.NAME, header))).kind())
                .isEqualTo(Kind.UNSUPPORTED);
    }

    private static byte[] encoded(StreamId stream) {
        SimulatedEmitter emitter = new SimulatedEmitter(stream, TreeHash.XXH3, true);
        emitter.event();
        return CheckpointCodec.encode(
                (Format2Checkpoint) emitter.checkpoint().apply(0).checkpoint());
    }

    @Test
    void aCheckpointOfThisPartitionIsRead() {
        CheckpointRecord record = (CheckpointRecord) parse(null, Map.of(Format2Checkpoint.HEADER, encoded(STREAM)));
        assertThat(record.checkpoint().eventCount()).isEqualTo(1);
        assertThat(record.chainHash()).isEqualTo(CheckpointCodec.chainHash(TreeHash.XXH3, encoded(STREAM)));
    }

    @Test
    void aCheckpointWithAKeyOrAValueIsAStray() {
        Map<String, byte[]> headers = Map.of(Format2Checkpoint.HEADER, encoded(STREAM));
        byte[] empty = new byte[0];
        for (byte[][] filled :
                new byte[][][] {{VALUE, null}, {null, VALUE}, {VALUE, VALUE}, {empty, null}, {null, empty}}) {
            UnattributedRecord stray = unattributed(
                    parser.parse("orders", 2, 5, WRITTEN_MILLIS, filled[0], filled[1], headers::get, null));
            assertThat(stray.kind()).isEqualTo(Kind.FILLED_CHECKPOINT);
            assertThat(stray.detail())
                    .isEqualTo("a checkpoint of emitter " + STREAM.emitterHex() + " in a record with a key or a value");
        }
    }

    @Test
    void aCheckpointOfAnotherPartitionOrTopicIsMisplaced() {
        for (StreamId elsewhere : List.of(new StreamId("orders", 1, 77), new StreamId("payments", 2, 77))) {
            UnattributedRecord stray = unattributed(parse(VALUE, Map.of(Format2Checkpoint.HEADER, encoded(elsewhere))));
            assertThat(stray.kind()).isEqualTo(Kind.MISPLACED_CHECKPOINT);
        }
    }

    /** As a tool does that decodes headers as strings: StringConverter, a REST proxy, an export as JSON. */
    @Test
    void aHeaderThatWasRewrittenAsTextIsToldAsThat() {
        byte[] event = header(EventSigners.SHA256_KEY_VALUE, sha256(VALUE)).encode();
        Map<String, byte[]> headers = Map.of(EventHeader.NAME, event, Format2Checkpoint.HEADER, encoded(STREAM));
        headers.forEach((name, bytes) -> {
            for (byte[] text : List.of(
                    new String(bytes, UTF_8).getBytes(UTF_8),
                    new String(bytes, ISO_8859_1).getBytes(UTF_8),
                    Base64.getEncoder().encode(bytes),
                    HexFormat.of().formatHex(bytes).getBytes(UTF_8))) {
                UnattributedRecord stray = unattributed(parse(VALUE, Map.of(name, text)));
                assertThat(stray.kind()).isEqualTo(Kind.REWRITTEN_HEADERS);
                assertThat(stray.detail())
                        .startsWith("headers were rewritten as text (UTF-8/Base64) on the way")
                        .contains("header.converter=");
            }
        });
    }

    @Test
    void aDamagedCheckpointIsAStray() {
        byte[] bytes = encoded(STREAM);
        bytes[40] ^= 1;
        assertThat(unattributed(parse(VALUE, Map.of(Format2Checkpoint.HEADER, bytes)))
                        .kind())
                .isEqualTo(Kind.MALFORMED_CHECKPOINT);
    }

    @Test
    void anUnsignedCheckpointIsUntrustedWhereSignaturesAreDemanded() throws Exception {
        byte[] key = java.security.KeyPairGenerator.getInstance("Ed25519")
                .generateKeyPair()
                .getPublic()
                .getEncoded();
        LogRecordParser strict = StreamRecords.parser(TrustedKeys.none().withX509("k1", key));
        Map<String, byte[]> headers = Map.of(Format2Checkpoint.HEADER, encoded(STREAM));
        assertThat(unattributed(strict.parse("orders", 2, 5, WRITTEN_MILLIS, null, null, headers::get, null))
                        .kind())
                .isEqualTo(Kind.UNTRUSTED_CHECKPOINT);
    }

    @Test
    void aFormat1EventCarriesTheHexOfItsSha1() {
        byte[] sha1 = "9e4647f796987297ce25c638aa6797954b40b730".getBytes(StandardCharsets.US_ASCII);
        Event event = (Event) parse(VALUE, Map.of("signature", sha1));
        assertThat(event.emitter()).isEqualTo(StreamId.NO_EMITTER);
        assertThat(event.observed().sizeBytes()).isEqualTo(40);
        assertThat(event.intact()).isTrue();
        assertThat(((Event) parse(new byte[0], Map.of("signature", sha1))).intact())
                .isFalse();
    }

    @Test
    void aFormat1CheckpointIsTheValueOfARecordWithoutASignature() {
        Leaves leaves = Leaves.builder()
                .append(Hash.copyOf("a".repeat(40).getBytes(StandardCharsets.US_ASCII)))
                .append(Hash.copyOf("b".repeat(40).getBytes(StandardCharsets.US_ASCII)))
                .build();
        byte[] bytes = Format1Codec.encode(leaves);
        CheckpointRecord record = (CheckpointRecord) parse(bytes, Map.of());
        assertThat(record.checkpoint().eventCount()).isEqualTo(2);
        bytes[20] ^= 1;
        assertThat(unattributed(parse(bytes, Map.of())).kind()).isEqualTo(Kind.MALFORMED_CHECKPOINT);
    }

    @Test
    void aRecordWithNeitherIsUnsigned() {
        assertThat(unattributed(parse(VALUE, Map.of())).kind()).isEqualTo(Kind.UNSIGNED);
    }

    @Test
    void aRecordWhoseValueWasTransformedIsReadAsBeforeFromWhatWasObserved() {
        byte[] header = header(EventSigners.SHA256_KEY_VALUE, sha256(VALUE)).encode();
        byte[] format1 = "9e4647f796987297ce25c638aa6797954b40b730".getBytes(StandardCharsets.US_ASCII);
        List<Map<String, byte[]>> kinds = List.of(
                Map.of(EventHeader.NAME, header),
                Map.of(
                        EventHeader.NAME,
                        header(201, Hash.copyOf(new byte[] {6})).encode()),
                Map.of(EventHeader.NAME, new byte[] {0x21, 4, 3}),
                Map.of("signature", format1),
                Map.of());
        for (Map<String, byte[]> headers : kinds) {
            Hash observed = parse(VALUE, headers) instanceof Event event ? event.observed() : Hash.empty();
            byte[] transformed = "another value".getBytes(StandardCharsets.UTF_8);
            assertThat(parser.parse("orders", 2, 5, WRITTEN_MILLIS, null, transformed, headers::get, observed))
                    .isEqualTo(parse(VALUE, headers));
            assertThat(parser.isCheckpoint(null, VALUE, headers::get)).isFalse();
        }
    }

    @Test
    void whatSaysThatItIsACheckpointIsOneEvenIfItCannotBeRead() {
        byte[] magic = {(byte) 0xcd, (byte) 0xaa, (byte) 0xce, (byte) 0x99, 1};
        assertThat(parser.isCheckpoint(null, null, Map.of(Format2Checkpoint.HEADER, new byte[] {1})::get))
                .isTrue();
        for (byte[][] filled : new byte[][][] {{VALUE, null}, {null, VALUE}, {new byte[0], null}}) {
            assertThat(parser.isCheckpoint(filled[0], filled[1], Map.of(Format2Checkpoint.HEADER, new byte[] {1})::get))
                    .as("which consumers take for an event, so that a transform runs on it")
                    .isFalse();
        }
        assertThat(parser.isCheckpoint(null, magic, Map.<String, byte[]>of()::get))
                .isTrue();
        assertThat(parser.isCheckpoint(null, magic, Map.of("signature", new byte[] {1})::get))
                .isFalse();
    }

    @Test
    void whereFormat1IsNotExpectedNothingIsOfIt() {
        LogRecordParser strict = new LogRecordParser(
                Origins.NONE,
                new Format1Expected("signature", Optional.of(Set.of("old"))),
                List.of(),
                new CheckpointVerifier(TrustedKeys.none()));
        byte[] sha1 = "9e4647f796987297ce25c638aa6797954b40b730".getBytes(StandardCharsets.US_ASCII);
        Map<String, byte[]> signed = Map.of("signature", sha1);
        byte[] magic = {(byte) 0xcd, (byte) 0xaa, (byte) 0xce, (byte) 0x99, 1};

        UnattributedRecord event = unattributed(parse(strict, "orders", VALUE, signed));
        assertThat(event.kind()).isEqualTo(Kind.UNSIGNED);
        assertThat(event.detail()).contains("format1.topics does not name this topic");
        assertThat(unattributed(parse(strict, "orders", magic, Map.of())).kind())
                .isEqualTo(Kind.UNTRUSTED_CHECKPOINT);
        assertThat(unattributed(parse(strict, "orders", VALUE, Map.of())).detail())
                .isEqualTo("neither an event header nor a checkpoint");
        assertThat(parse(strict, "old", VALUE, signed)).isInstanceOf(Event.class);
    }

    @Test
    void aSignatureOfFormat1HasAtMost255Bytes() {
        assertThat(parse(VALUE, Map.of("signature", new byte[255]))).isInstanceOf(Event.class);
        assertThat(unattributed(parse(VALUE, Map.of("signature", new byte[256])))
                        .kind())
                .isEqualTo(Kind.MALFORMED_EVENT);
    }

    @Test
    void theStatementOfATransformIsBelievedInItsOutputAlone() {
        assertThat(ofTransform.isTransformed("made")).isTrue();
        assertThat(ofTransform.isTransformed("orders")).isFalse();
        Map<String, byte[]> headers = Map.of(
                EventHeader.NAME,
                header(EventSigners.XXH3_KEY_VALUE, xxh3(VALUE)).encode(),
                TransformedHeader.NAME,
                made(EventSigners.XXH3_KEY_VALUE, xxh3(MADE)));

        Event inItsOutput = (Event) parse(ofTransform, "made", MADE, headers);
        assertThat(inItsOutput.content()).isEqualTo(Event.Content.AS_MADE);
        assertThat(inItsOutput.intact()).isTrue();
        Event elsewhere = (Event) parse(ofTransform, "orders", MADE, headers);
        assertThat(elsewhere.content()).isEqualTo(Event.Content.UNTRANSFORMED);
        assertThat(elsewhere.intact()).isFalse();
    }

    @Test
    void whatATransformMadeIsCheckedByEitherAlgorithm() {
        byte[] header = header(EventSigners.XXH3_KEY_VALUE, xxh3(VALUE)).encode();
        Map<String, byte[]> bySha256 = Map.of(
                EventHeader.NAME, header, TransformedHeader.NAME, made(EventSigners.SHA256_KEY_VALUE, sha256(MADE)));
        Map<String, byte[]> diverted = Map.of(
                EventHeader.NAME,
                header,
                TransformedHeader.NAME,
                made(EventSigners.XXH3_KEY_VALUE, xxh3(MADE)),
                TransformedHeader.DIVERTED,
                new byte[] {1});

        assertThat(((Event) parse(ofTransform, "made", MADE, bySha256)).content())
                .isEqualTo(Event.Content.AS_MADE);
        assertThat(((Event) parse(ofTransform, "made", VALUE, bySha256)).content())
                .isEqualTo(Event.Content.ALTERED);
        assertThat(((Event) parse(ofTransform, "made", MADE, diverted)).content())
                .isEqualTo(Event.Content.DIVERTED);
    }

    @Test
    void anEventOfFormat1IsTransformedLikeOthersAndADamagedStatementIsMalformed() {
        byte[] sha1 = "9e4647f796987297ce25c638aa6797954b40b730".getBytes(StandardCharsets.US_ASCII);
        Map<String, byte[]> headers =
                Map.of("signature", sha1, TransformedHeader.NAME, made(EventSigners.XXH3_KEY_VALUE, xxh3(MADE)));

        assertThat(((Event) parse(ofTransform, "made", MADE, headers)).content())
                .isEqualTo(Event.Content.AS_MADE);
        assertThat(unattributed(parse(
                                ofTransform,
                                "made",
                                MADE,
                                Map.of("signature", sha1, TransformedHeader.NAME, new byte[] {1, 4})))
                        .kind())
                .isEqualTo(Kind.MALFORMED_EVENT);
    }

    @Test
    void aCheckpointOfTheOriginIsOneOfTheOutput() {
        Map<String, byte[]> headers = Map.of(Format2Checkpoint.HEADER, encoded(STREAM));

        CheckpointRecord record = (CheckpointRecord) parse(ofTransform, "made", null, headers);
        assertThat(record.checkpoint().stream()).isEqualTo(new StreamId("made", 2, 77));
    }

    private static LogRecord parse(
            LogRecordParser parser, String topic, byte @Nullable [] value, Map<String, byte[]> headers) {
        return parser.parse(topic, 2, 5, WRITTEN_MILLIS, null, value, headers::get, null);
    }

    private static Hash xxh3(byte[] value) {
        return new Xxh3Signer().sign(null, value);
    }

    private static byte[] made(int algorithm, Hash signature) {
        return new TransformedHeader(5, algorithm, signature, xxh3(VALUE)).encode();
    }

    @Test
    void theOriginsOfTransformedAndMirroredTopicsAreKnownTogether() {
        assertThat(new Origins(Map.of("made", "orders"), Map.of("copy", "orders")).byTopic())
                .containsExactlyInAnyOrderEntriesOf(Map.of("made", "orders", "copy", "orders"));
    }
}
