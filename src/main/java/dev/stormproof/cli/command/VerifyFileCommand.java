package dev.stormproof.cli.command;

import dev.stormproof.cli.input.InputFiles;
import dev.stormproof.cli.local.CloseStack;
import dev.stormproof.cli.session.NotesSource;
import dev.stormproof.cli.terminal.Failure;
import dev.stormproof.cli.text.CheckedText;
import dev.stormproof.cli.text.ExitCode;
import dev.stormproof.cli.text.ProofJson;
import dev.stormproof.evidence.CheckPage;
import dev.stormproof.evidence.Checked;
import dev.stormproof.evidence.ProofCheck;
import dev.stormproof.evidence.RefusedProofException;
import dev.stormproof.evidence.notary.Consistency;
import dev.stormproof.evidence.notary.Extension;
import dev.stormproof.evidence.notary.MalformedNoteException;
import dev.stormproof.evidence.notary.NoteKey;
import dev.stormproof.evidence.notary.NotedRecord;
import dev.stormproof.evidence.notary.SignedNote;
import dev.stormproof.evidence.notary.TlogProof;
import dev.stormproof.evidence.notary.TreeHead;
import dev.stormproof.proof.sign.TrustedKeys;
import dev.stormproof.proof.tree.Hash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code verify} decides on a proof. */
@Command(
        name = "verify",
        description = {
            "Checks a proof that 'prove' wrote, from public keys alone, without Kafka or a network.",
            "",
            "It prints what is proven, and whose key vouches for it. If anything is wrong with the file, "
                    + "it names the line and ends with 65. Otherwise it ends with the verdict of the proof; a "
                    + "receipt without a verdict proves its event, and ends with 0."
        },
        footer = {
            "",
            "Examples:",
            "  stormproof verify order.proof --producer-key billing-1:MCowBQYDK2VwAyEA9Z76+CjPm4Jk8l7lQct2DSRmgNTRnNAVBlxnQwrJlek=",
            "  stormproof verify q3.proof --verifier-key auditor-1:MCowBQYDK2VwAyEA9Z76+CjPm4Jk8l7lQct2DSRmgNTRnNAVBlxnQwrJlek=",
            "  stormproof verify order.tlog-proof --notary-key notary-1:MCowBQYDK2VwAyEA9Z76+CjPm4Jk8l7lQct2DSRmgNTRnNAVBlxnQwrJlek=",
            "  stormproof verify --html check.html",
            "",
            ExitCode.BEGIN
                    + "0 verified, or the event is proven, 1 violated, 2 inconclusive, 65 the file proves nothing"
                    + ExitCode.END
        })
public final class VerifyFileCommand extends Subcommand {
    @Parameters(paramLabel = "FILE", arity = "0..1", description = "The proof; '-' for standard input.")
    private @Nullable Path file;

    @Option(
            names = "--producer-key",
            paramLabel = "ID:KEY",
            description = "A trusted public key of a producer, as in checkpoint.keys. May be repeated.")
    private List<String> keys = List.of();

    @Option(
            names = "--verifier-key",
            paramLabel = "ID:KEY",
            description = "A trusted public key of a verifier. May be repeated.")
    private List<String> verifierKeys = List.of();

    @Option(
            names = "--notary-key",
            paramLabel = "ID:KEY",
            description = "A notary's public key, for proofs that 'notary prove' and 'notary consistency' wrote.")
    private @Nullable String notaryKey;

    @Option(
            names = "--earlier",
            paramLabel = "NOTE",
            description = "For a proof of consistency: the earlier note, as 'notary notes' prints it.")
    private @Nullable Path earlier;

    @Option(
            names = "--extra",
            paramLabel = "FILE",
            description = "For a proof that 'notary prove --without-content' wrote: the bytes of the record's leaf "
                    + "(docs/FORMAT.md, 10.1).")
    private @Nullable Path extra;

    @Option(
            names = "--html",
            paramLabel = "PAGE",
            description = "Write a page that does the same in a browser, without a network.")
    private @Nullable Path html;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    int run(CloseStack resources) throws Exception {
        if (file == null && html == null) {
            throw Failure.usage("name a proof, or --html PAGE");
        }
        if (html != null) {
            writePage(html);
        }
        return file == null ? ExitCode.VERIFIED : check(file);
    }

    private int check(Path proof) throws IOException {
        byte[] bytes = read(proof);
        if (TlogProof.isIn(bytes) || Extension.isIn(bytes)) {
            return checkNoted(proof, bytes);
        }
        demandNoEarlierNote();
        demandNoExtra();
        TrustedKeys upstream = keys("--producer-key", keys);
        TrustedKeys verifiers = keys("--verifier-key", verifierKeys);
        if (upstream.isEmpty() && verifiers.isEmpty()) {
            throw Failure.usage(
                    "without a key nothing is proven: --producer-key for receipts, --verifier-key for verdicts");
        }
        try {
            Checked checked = new ProofCheck(upstream, verifiers).check(bytes);
            if (json) {
                out().println(ProofJson.of(checked));
            } else {
                CheckedText.print(checked, out());
            }
            return CheckedText.exitCode(checked);
        } catch (RefusedProofException e) {
            throw Failure.damaged(InputFiles.title(proof) + " is refused: " + e.getMessage(), e);
        }
    }

    private static Failure refused(Path proof, String why) {
        return Failure.damaged(InputFiles.title(proof) + " is refused: " + why, null);
    }

    private void demandNoEarlierNote() {
        if (earlier != null) {
            throw Failure.usage("--earlier goes with a proof of consistency, and this is none");
        }
    }

    private void demandNoExtra() {
        if (extra != null) {
            throw Failure.usage("--extra goes with a proof of a record that leaves it out, and this is none");
        }
    }

    private int checkNoted(Path proof, byte[] bytes) throws IOException {
        if (notaryKey == null) {
            throw Failure.usage("without a key nothing is proven: --notary-key for what a notary noted");
        }
        NotesSource.Request trusted = NotesSource.Request.of("", null, notaryKey);
        try {
            if (TlogProof.isIn(bytes)) {
                demandNoEarlierNote();
                TlogProof inclusion = TlogProof.parse(bytes);
                byte[] leaf = leaf(inclusion.extra());
                TreeHead head = named(trusted, inclusion.check(leaf, trusted.key()));
                NotedRecord record = NotedRecord.parse(leaf);
                if (json) {
                    out().println(ProofJson.inclusion(inclusion.index(), record, head, trusted.notary()));
                } else {
                    CheckedText.print(inclusion.index(), record, head, trusted.notary(), out());
                }
                return ExitCode.VERIFIED;
            }
            demandNoExtra();
            if (earlier == null) {
                throw Failure.usage("a proof of consistency needs --earlier, the note that the later one continues");
            }
            Extension extension = Extension.parse(bytes);
            TreeHead first = signed(trusted, SignedNote.parse(read(earlier)));
            TreeHead later = signed(trusted, extension.note());
            if (!first.origin().equals(later.origin())
                    || first.size() != extension.oldSize()
                    || !new Consistency().holds(first, later, extension.proof())) {
                throw new MalformedNoteException("it does not show that the later tree begins with the earlier one");
            }
            if (json) {
                out().println(ProofJson.consistency(first, later, trusted.notary()));
            } else {
                CheckedText.print(first, later, trusted.notary(), out());
            }
            return ExitCode.VERIFIED;
        } catch (MalformedNoteException e) {
            throw Failure.damaged(InputFiles.title(proof) + " is refused: " + e.getMessage(), e);
        }
    }

    /** The bytes of the record's leaf: the proof holds them, or a file beside it. */
    private byte[] leaf(@Nullable Hash held) throws IOException {
        if (held != null) {
            demandNoExtra();
            return held.toByteArray();
        }
        if (extra == null) {
            throw Failure.usage("the proof leaves its record out: --extra FILE has to hold its bytes");
        }
        return read(extra);
    }

    private static TreeHead signed(NotesSource.Request trusted, SignedNote note) throws MalformedNoteException {
        TreeHead head = named(trusted, TreeHead.parse(note.text()));
        if (!note.isSignedForAllBy(NoteKey.of(head.origin(), trusted.key()))) {
            throw new MalformedNoteException("the note of '" + head.origin() + "' is not signed by this key");
        }
        return head;
    }

    private static TreeHead named(NotesSource.Request trusted, TreeHead head) throws MalformedNoteException {
        if (!head.origin().startsWith(trusted.notary() + "/")) {
            throw new MalformedNoteException("the tree '" + head.origin() + "' is none of '" + trusted.notary() + "'");
        }
        return head;
    }

    private static byte[] read(Path proof) throws IOException {
        try (InputStream in = InputFiles.open(proof)) {
            if (in.available() > ProofCheck.MAX_SIZE_BYTES) {
                throw tooLarge(proof);
            }
            byte[] bytes = in.readNBytes(ProofCheck.MAX_SIZE_BYTES + 1);
            if (bytes.length > ProofCheck.MAX_SIZE_BYTES) {
                throw tooLarge(proof);
            }
            return bytes;
        }
    }

    private static Failure tooLarge(Path proof) {
        return refused(proof, "it has more than " + ProofCheck.MAX_SIZE_BYTES + " bytes");
    }

    private static TrustedKeys keys(String option, List<String> texts) {
        Map<String, String> byId = new LinkedHashMap<>();
        for (String text : texts) {
            int colon = text.indexOf(':');
            if (colon < 1 || byId.put(text.substring(0, colon), text.substring(colon + 1)) != null) {
                throw Failure.usage(option + " " + text + ": it is ID:KEY, and each id once");
            }
        }
        try {
            return TrustedKeys.ofTexts(byId);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(option + ": " + e.getMessage(), e);
        }
    }

    private static void writePage(Path page) {
        try {
            Files.write(page, CheckPage.bytes());
        } catch (IOException e) {
            throw Failure.usage("--html " + page + " cannot be written: " + e, e);
        }
    }
}
