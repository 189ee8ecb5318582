"""Has sigstore, of PyPI, check proofs that 'notary prove' wrote: the note's signature, its tree head, and the path from the record to its root.

python3 verify.py DIR…, each with vkey and proof.tlog-proof, as scripts/check notary lays them out and as the golden vectors are. Exits with
1 if it refuses one, or if it takes one that differs in a bit of the record, the path, the note's text or its signature.
"""
import base64
import pathlib
import sys
import types

from sigstore._internal.merkle import verify_merkle_inclusion
from sigstore._internal.rekor.checkpoint import SignedCheckpoint, verify_checkpoint
from sigstore._internal.trust import Keyring
from sigstore.errors import VerificationError
from sigstore_models.common.v1 import PublicKey, PublicKeyDetails

ED25519 = bytes.fromhex("302a300506032b6570032100")  # What an X.509 key begins with.


def check(keyring, key_id, leaf, index, path, note):
    """What sigstore does with an entry of its own log; the size is the one that the note states."""
    head = SignedCheckpoint.from_text(note).checkpoint
    proof = types.SimpleNamespace(
        log_index=index, tree_size=head.log_size, root_hash=bytes.fromhex(head.log_hash), hashes=path,
        checkpoint=types.SimpleNamespace(envelope=note))
    entry = types.SimpleNamespace(_inner=types.SimpleNamespace(
        inclusion_proof=proof, canonicalized_body=leaf, log_id=types.SimpleNamespace(key_id=key_id)))
    verify_checkpoint(keyring, entry)
    verify_merkle_inclusion(entry)
    return head


def flipped(data):
    """Data with one bit flipped, for each bit."""
    for bit in range(8 * len(data)):
        yield data[:bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1:]


def others(leaf, index, path, note):
    """What differs from a proof in one bit."""
    text, signature = note.rsplit(" ", 1)
    for other in flipped(leaf):
        yield other, index, path, note
    for at, node in enumerate(path):
        for other in flipped(node):
            yield leaf, index, [*path[:at], other, *path[at + 1:]], note
    for other in flipped(text[:text.index("\n\n")].encode()):
        yield leaf, index, path, other.decode("latin-1") + note[text.index("\n\n"):]
    for other in flipped(base64.b64decode(signature)):
        yield leaf, index, path, text + " " + base64.b64encode(other).decode() + "\n"


for directory in map(pathlib.Path, sys.argv[1:]):
    name, key_id, key = (directory / "vkey").read_text().strip().split("+", 2)
    keyring = Keyring([PublicKey(
        raw_bytes=base64.b64encode(ED25519 + base64.b64decode(key)[1:]), key_details=PublicKeyDetails.PKIX_ED25519)])
    lines, note = (directory / "proof.tlog-proof").read_text().split("\n\n", 1)
    version, extra, index, *path = lines.split("\n")
    assert version == "c2sp.org/tlog-proof@v1" and extra.startswith("extra ") and index.startswith("index ")
    proof = (base64.b64decode(extra[6:]), int(index[6:]), [base64.b64decode(node) for node in path], note)
    head = check(keyring, bytes.fromhex(key_id), *proof)
    assert head.origin == name
    tried = 0
    for other in others(*proof):
        try:
            check(keyring, bytes.fromhex(key_id), *other)
        except (VerificationError, ValueError):
            tried += 1
            continue
        sys.exit(f"sigstore takes another proof than {directory}'s: {other}")
    print(f"sigstore: record number {proof[1]} of {head.origin} is in its tree of {head.log_size}; it refuses {tried} proofs that differ in a bit")
