package dev.stormproof.cli.command;

import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.proof.sign.CheckpointKey;
import dev.stormproof.proof.sign.TrustedKeys;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code key} makes keys. */
@Command(
        name = "key",
        description = "Makes keys that sign checkpoints, or proofs.",
        subcommands = KeyCommand.Create.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "Examples:", "  stormproof key create -o auditor-1.pem"})
public final class KeyCommand {
    @Command(
            name = "create",
            description = {
                "Makes an Ed25519 key: writes the private one to a new file NAME.pem that only its owner can read, and the public "
                        + "one to NAME.pub. NAME is the key's id. The public one is printed too, as checkpoint.keys and "
                        + "'verify' take it.",
                "",
                "Use each key for one purpose: one for a producer's checkpoints, another for a verifier's " + "proofs."
            },
            footer = {"", "Examples:", "  stormproof key create -o auditor-1.pem"})
    static final class Create extends Subcommand {
        private static final String PEM = ".pem";
        private static final FileAttribute<?> OWNER_ONLY =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

        @Option(
                names = {"-o", "--output"},
                paramLabel = "NAME.pem",
                required = true,
                description = "The new file for the private key, PEM of PKCS #8. Its name is the key's id: 1 to 64 "
                        + "letters, digits, dots, underscores and hyphens.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private Path file;

        @Override
        int run(CloseStack resources) throws Exception {
            String id = CheckpointKey.idOf(file.toString());
            if (!file.toString().endsWith(PEM) || !TrustedKeys.isId(id)) {
                throw Failure.usage("--output " + file
                        + ": NAME.pem, where NAME is the key's id: 1 to 64 letters, digits, '.', '_' and '-'");
            }
            Path published = file.resolveSibling(id + ".pub");
            if (Files.exists(published)) {
                throw Failure.usage(published + " exists, and is not overwritten");
            }
            KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            String pem = "-----BEGIN PRIVATE KEY-----\n"
                    + Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded())
                    + "\n-----END PRIVATE KEY-----\n";
            write(pem);
            String made = TrustedKeys.none()
                    .withX509(id, pair.getPublic().getEncoded())
                    .texts()
                    .get(0);
            Files.writeString(published, made + "\n");
            out().println(made);
            return ExitCode.VERIFIED;
        }

        private void write(String pem) {
            boolean posix = file.toAbsolutePath()
                    .getFileSystem()
                    .supportedFileAttributeViews()
                    .contains("posix");
            FileAttribute<?>[] attributes = posix ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0];
            try (var out = Channels.newOutputStream(Files.newByteChannel(
                    file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes))) {
                out.write(pem.getBytes(StandardCharsets.US_ASCII));
            } catch (FileAlreadyExistsException e) {
                throw Failure.usage("--output " + file + " exists, and is not overwritten", e);
            } catch (IOException e) {
                throw Failure.usage("--output " + file + " cannot be written: " + e, e);
            }
        }
    }
}
