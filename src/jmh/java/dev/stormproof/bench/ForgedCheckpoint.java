package dev.stormproof.bench;

import dev.stormproof.proof.checkpoint.CheckpointCodec;
import dev.stormproof.proof.checkpoint.CheckpointVerifier;
import dev.stormproof.proof.checkpoint.Interval;
import dev.stormproof.proof.checkpoint.MalformedCheckpointException;
import dev.stormproof.proof.checkpoint.StreamId;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import dev.stormproof.proof.tree.TreeHash;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What a verifier with a trusted key spends on a checkpoint that a writer without it has forged, until it refuses it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ForgedCheckpoint {
    /** The key's id that the forger states: the trusted one costs a verified signature. */
    @Param({"trusted", "unknown"})
    public String keyId = "";

    private CheckpointVerifier verifier = new CheckpointVerifier(TrustedKeys.none());
    private byte[] forged = {};

    @Setup
    public void forge() throws Exception {
        KeyPairGenerator keys = KeyPairGenerator.getInstance("Ed25519");
        KeyPair trusted = keys.generateKeyPair();
        verifier = new CheckpointVerifier(
                TrustedKeys.none().withX509("trusted", trusted.getPublic().getEncoded()));
        forged = CheckpointCodec.encode(
                SignedStream.checkpoint(
                        new StreamId("orders", 0, 1),
                        1,
                        new Interval(TreeHash.XXH3, 0, false),
                        Hash.copyOf(new byte[TreeHash.XXH3.sizeBytes()]),
                        0,
                        false,
                        -1),
                CheckpointKey.ofPkcs8(keyId, keys.generateKeyPair().getPrivate().getEncoded()));
    }

    @Benchmark
    public MalformedCheckpointException refuse() {
        try {
            throw new IllegalStateException("accepted: " + verifier.decode(forged));
        } catch (MalformedCheckpointException refused) {
            return refused;
        }
    }
}
