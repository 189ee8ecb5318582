"""Checks the golden proofs with the example, and that it refuses each with a flipped bit in any byte.

python3 check_golden.py PROVEN REFUSED, two directories, with examples/python in PYTHONPATH. Prints a line for each proof: name and verdict.
"""
import hashlib
import pathlib
import sys

import check_proof

UPSTREAM = dict([check_proof.key("test-1:MCowBQYDK2VwAyEA9Z76+CjPm4Jk8l7lQct2DSRmgNTRnNAVBlxnQwrJlek=")])
VERIFIERS = dict([check_proof.key("auditor-1:MCowBQYDK2VwAyEAebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ=")])


def refuses(proof):
    """Why it is refused; empty if it is not."""
    try:
        check_proof.check(proof, UPSTREAM, VERIFIERS)
        return ""
    except (ValueError, IndexError, check_proof.struct.error) as reason:
        return repr(reason)


def repaired(proof):
    """The same with a last line that fits, so that hashes and signatures have to find the damage."""
    end = proof.rindex(b"\nlines ") + 1
    return proof[:end] + b"lines " + b"".join(
        hashlib.sha256(line).hexdigest()[:4].encode() for line in proof[:end - 1].split(b"\n")) + b"\n"


for file in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    proof = file.read_bytes()
    assert repaired(proof) == proof
    for at in range(len(proof)):
        flipped = bytearray(proof)
        flipped[at] ^= 1 << at % 8
        assert refuses(bytes(flipped)), (file, at)
        if at < proof.rindex(b"\nlines "):
            assert refuses(repaired(bytes(flipped))), (file, at, "repaired")
    assert refuses(check_proof.check.__doc__.encode()) and refuses(b"") and refuses(b"\n")
    print(file.name, check_proof.check(proof, UPSTREAM, VERIFIERS)[0])
for file in sorted(pathlib.Path(sys.argv[2]).iterdir()):
    proof = file.read_bytes()
    assert repaired(proof) == proof
    print(file.name, "refused" if refuses(proof) else "PROVEN")
for more in b"\n" * (check_proof.MOST_LINES + 1), bytes(check_proof.MOST_BYTES + 1):
    assert "a proof has at most" in refuses(more)
