"""Writes or checks the golden vectors.

    python3 src/test/python/vectors.py write src/test/resources/vectors
    python3 src/test/python/vectors.py check src/test/resources/vectors
"""

import hashlib
import json
import pathlib
import struct
import sys

import ed25519
import stormproof_format as f
from xxh3 import own_hash, own_hash128, package_hash, package_hash128, xxh3_128

REGENERATE = "python3 src/test/python/vectors.py write src/test/resources/vectors"
LABELS = {f.XXH3: "xxh3", f.SHA256: "sha256", f.ADLER32: "adler32"}
SEED = hashlib.sha256(b"a key for test vectors, known to everybody").digest()
KEY_ID = "test-1"
KEYS = {KEY_ID: ed25519.public_key(SEED)}
COUNTS = sorted(set(range(21)) | {2**k + d for k in range(5, 14) for d in (-1, 0, 1)} | {10_000})


def value(i):
    return f"event-{i}".encode()


def sha1_hex(i):
    return hashlib.sha1(value(i)).hexdigest().encode()


def sha256(i):
    return sha256_key_value(None, value(i))


def sized(data):
    return struct.pack(">i", -1) if data is None else struct.pack(">i", len(data)) + data


def sha256_key_value(key, data):
    return hashlib.sha256(sized(key) + sized(data)).digest()


def xxh3_key_value(key, data):
    return xxh3_128(sized(key) + sized(data))


def xxh3_value(i):
    return xxh3_key_value(None, value(i))


def event_signatures():
    """Sizes on both sides of each step of XXH3, of which the two sizes take 8 bytes."""
    cases = []
    for size in (0, 1, 8, 9, 56, 119, 120, 121, 152, 183, 231, 232, 233, 1015, 1016, 1017, 5000):
        cases.append((None, hashlib.shake_128(b"value" + str(size).encode()).digest(size)))
    data = hashlib.shake_128(b"both").digest(400)
    pairs = [(None, None), (b"", None), (None, b""), (b"", b""), (b"key-0", None), (b"key-0", b"event-0")]
    pairs += [(data[:3], data[3:9]), (data[:4], data[4:9]), (data[:200], data[200:]), (data, None)]
    return [
        {"key": key, "value": data, "sha256": sha256_key_value(key, data), "xxh3": xxh3_key_value(key, data)}
        for key, data in cases + pairs
    ]


def roots():
    cases = []
    for tree_hash in LABELS:
        for count in COUNTS:
            if tree_hash == f.ADLER32:
                leaves = [sha1_hex(i) for i in range(count)]
            else:
                leaves = f.numbered(range(count), [sha256(i) for i in range(count)])
            cases.append({"treeHash": tree_hash, "leafCount": count, "root": f.root(tree_hash, leaves)})
    return cases


def event_headers():
    header = {
        "emitter": 0x0123456789ABCDEF,
        "sequence": 0,
        "treeHash": f.XXH3,
        "signatureAlgorithm": 4,
        "signature": xxh3_value(0),
    }
    plain = {"signatureAlgorithm": 3, "signature": sha256(0)}
    variants = {
        "first event, XXH3": {},
        "XXH3, with a key": {"signature": xxh3_key_value(b"key-0", value(0))},
        "XXH3, null value": {"signature": xxh3_key_value(b"key-0", None)},
        "first event, SHA-256": plain,
        "SHA-256, with a key": plain | {"signature": sha256_key_value(b"key-0", value(0))},
        "SHA-256, null value": plain | {"signature": sha256_key_value(b"key-0", None)},
        "tree hash sha256": plain | {"treeHash": f.SHA256},
        "last sequence, highest emitter": {"sequence": (1 << 63) - 1, "emitter": (1 << 64) - 1},
        "supplied algorithm, shortest": {"signatureAlgorithm": 128, "signature": b"\x80"},
        "supplied algorithm, longest": {"signatureAlgorithm": 255, "signature": b"\xff" * 255},
    }
    for sequence in (127, 128, 255, 256, 16383, 16384, (1 << 49) - 1, 1 << 49, (1 << 56) - 1, 1 << 56):
        variants[f"sequence {sequence}"] = {"sequence": sequence}
    cases = []
    for name, changes in variants.items():
        fields = header | changes
        cases.append({"name": name, "fields": fields, "bytes": f.encode_event_header(fields)})
    return cases


def patched(data, at, patch):
    return data[:at] + patch + data[at + len(patch) :]


def damaged_event_headers():
    by_name = {case["name"]: case["bytes"] for case in event_headers()}
    good = by_name["first event, XXH3"]
    supplied = by_name["supplied algorithm, longest"]
    damages = {
        "nothing": b"",
        "format 0": patched(good, 0, b"\0"),
        "format 1": patched(good, 0, b"\x11"),
        "format 3": patched(good, 0, b"\x31"),
        "tree hash 0": patched(good, 0, b"\x20"),
        "tree hash adler32": patched(good, 0, b"\x23"),
        "no signature algorithm": good[:1],
        "signature algorithm 0": patched(good, 1, b"\0"),
        "signature algorithm 2": patched(good, 1, b"\2"),
        "signature algorithm 5": patched(good, 1, b"\5"),
        "signature algorithm 127": patched(good, 1, b"\x7f"),
        "cut in the emitter id": good[:9],
        "emitter id 0": patched(good, 2, bytes(8)),
        "no sequence": good[:10],
        "sequence cut": good[:10] + b"\x80",
        "sequence longer than need be": good[:10] + b"\x80\0" + good[11:],
        "sequence 1 longer than need be": good[:10] + b"\x81\x80\0" + good[11:],
        "sequence beyond 63 bits": good[:10] + b"\xff" * 9 + b"\1" + good[11:],
        "no signature": good[:11],
        "signature cut": good[:-1],
        "signature with a byte too many": good + b"\0",
        "SHA-256 with 16 bytes": patched(good, 1, b"\3"),
        "supplied algorithm without signature": supplied[:11],
        "supplied algorithm with 256 bytes": supplied + b"\0",
    }
    return refused(damages, f.decode_event_header)


def refused(damages, decode):
    cases = []
    for name, data in damages.items():
        try:
            decode(data)
        except f.Malformed as e:
            cases.append({"name": name, "reason": e.reason, "position": e.position, "bytes": data})
        else:
            raise AssertionError(f"{name} is not refused")
    return cases


def leaf_like_its_parent():
    """Two leaves of 8 bytes, the first of which is the Adler-32 over both: promotion cannot be told by equality."""
    first = struct.pack(">Q", 0x00000000_1C8D_0401)
    high, low = 0x1C8D, 0x0401
    # Adler's sums over the first leaf are known; choose the second leaf's bytes so that the sums come out as stated.
    a = b = 0
    for weight, byte in zip(range(16, 8, -1), first):
        a, b = a + byte, b + weight * byte
    rest, weighted = low - 1 - a, high - 16 - b
    second = [rest // 8] * 8
    second[7] += rest - sum(second)
    excess = weighted - sum(w * x for w, x in zip(range(8, 0, -1), second))
    while excess:
        step = 1 if excess > 0 else -1
        for i in range(7):
            up, down = (i, i + 1) if step > 0 else (i + 1, i)
            if excess and second[up] < 255 and second[down] > 0:
                second[up], second[down], excess = second[up] + 1, second[down] - 1, excess - step
    pair = [first, bytes(second)]
    assert f.root(f.ADLER32, pair) == first
    return pair


def format1():
    cases = {
        "2 leaves": [sha1_hex(i) for i in range(2)],
        "3 leaves, one promoted": [sha1_hex(i) for i in range(3)],
        "5 leaves, one promoted twice": [sha1_hex(i) for i in range(5)],
        "64 leaves": [sha1_hex(i) for i in range(64)],
        "equal leaves": [b"a"] * 7,
        "leaves of 1 to 255 bytes": [bytes([i]) * i for i in (1, 255, 8, 20, 9)],
        "a leaf that equals its parent": leaf_like_its_parent(),
    }
    return [
        {"name": name, "leaves": leaves, "root": f.root(f.ADLER32, leaves), "bytes": f.encode_format1(leaves)}
        for name, leaves in cases.items()
    ]


def damaged_format1():
    good = f.encode_format1([sha1_hex(i) for i in range(5)])
    odd = good.rindex(b"\1\0\0\0\x28")  # The promoted inner node just above the leaves.
    leaf = good.index(b"\0\0\0\0\x28", 8)
    word = struct.Struct(">i").pack
    bomb = struct.pack(">II", 0xCDAACE99, 3) + b"\1\0\0\0\x08" + bytes(8) + b"\0" + word(0x7FFFFFFF)
    damages = {
        "nothing": b"",
        "other magic": patched(good, 3, b"\x98"),
        "magic alone": good[:4],
        "node count 0": patched(good, 4, word(0)),
        "node count of one leaf": patched(good, 4, word(1)),
        "node count of no tree": patched(good, 4, word(10)),
        "node count of another tree": patched(good, 4, word(7)),
        "node count of 6 leaves": patched(good, 4, word(12)),
        "node count beyond the bytes": patched(good, 4, word(63)),
        "node count -1": patched(good, 4, word(-1)),
        "node count of 2 billion in 26 bytes": patched(bomb, 4, word(0x7FFFFFFF)),
        "signature of 2 billion bytes in 26 bytes": bomb,
        "root is a leaf": patched(good, 8, b"\0"),
        "root of 40 bytes": patched(good, 9, word(40)),
        "inner node of type 0": patched(good, 21, b"\0"),
        "node of type 2": patched(good, 21, b"\2"),
        "inner node of 7 bytes": patched(good, 22, word(7)),
        "leaf of type 1": patched(good, leaf, b"\1"),
        "leaf of 0 bytes": patched(good, leaf + 1, word(0)),
        "leaf of 256 bytes": patched(good, leaf + 1, word(256)),
        "leaf of -1 bytes": patched(good, leaf + 1, word(-1)),
        "root not of its children": patched(good, 20, bytes([good[20] ^ 1])),
        "root beyond 32 bits": patched(good, 13, b"\1"),
        "promoted node unlike its child": patched(good, odd + 5, b"x"),
        "first leaf altered": patched(good, leaf + 5, b"x"),
        "last leaf altered": patched(good, len(good) - 1, b"x"),
        "last byte missing": good[:-1],
        "one byte more": good + b"\0",
        "two leaves swapped": good[: leaf + 5] + good[leaf + 50 : leaf + 90] + good[leaf + 45 : leaf + 50]
        + good[leaf + 5 : leaf + 45] + good[leaf + 90 :],
    }
    return refused(damages, f.decode_format1)


def checkpoint(count=5, **changes):
    """A checkpoint over events of the stream; its root and leaves follow from its other fields."""
    fields = {
        "emitter": 0x0123456789ABCDEF,
        "topic": "orders",
        "partition": 3,
        "emitterName": "billing",
        "number": 7,
        "firstSequence": 100,
        "eventCount": count,
        "treeHash": f.XXH3,
        "signatureAlgorithm": 3,
        "createdAtMillis": 1_700_000_000_000,
        "deadlineMillis": 10_000,
        "closing": False,
        "uncertain": [],
        "previousOffsetHint": 4711,
    } | changes
    with_leaves = fields.pop("withLeaves", True)
    signer = fields.pop("signer", sha256)
    sequences = []
    sequence = fields["firstSequence"]
    while len(sequences) < count:
        if not any(begin <= sequence < end for begin, end in fields["uncertain"]):
            sequences.append(sequence)
        sequence += 1
    signatures = [signer(i) for i in sequences]
    fields["signatureSizeBytes"] = len(signer(0))
    fields["root"] = f.root(fields["treeHash"], f.numbered(sequences, signatures))
    hash_size = f.HASH_SIZES[fields["treeHash"]]
    fields.setdefault("previousHash", bytes(range(hash_size)) if fields["number"] else b"")
    if with_leaves:
        fields["leaves"] = signatures
    return fields


def format2():
    fast = {"signatureAlgorithm": 4, "signer": xxh3_value}
    supplied = {"signatureAlgorithm": 200, "signer": lambda i: struct.pack(">I", i)[1:]}
    first = {"number": 0, "firstSequence": 0, "previousOffsetHint": -1}
    last = (1 << 63) - 1
    cases = {
        "first, no events": (checkpoint(0, **first), None),
        "first, no events, no leaves": (checkpoint(0, **first, withLeaves=False), None),
        "one event": (checkpoint(1), None),
        "XXH3": (checkpoint(**fast), None),
        "XXH3, 64 events": (checkpoint(64, **fast), None),
        "XXH3, root only": (checkpoint(**fast, withLeaves=False), None),
        "five events, xxh3": (checkpoint(), None),
        "five events, sha256": (checkpoint(treeHash=f.SHA256), None),
        "five events, root only": (checkpoint(withLeaves=False), None),
        "five events, sha256, root only": (checkpoint(treeHash=f.SHA256, withLeaves=False), None),
        "supplied signatures of 3 bytes": (checkpoint(**supplied), None),
        "closing": (checkpoint(closing=True, deadlineMillis=0), None),
        "uncertain at both edges and within": (checkpoint(4, uncertain=[(100, 102), (103, 104), (107, 110)]), None),
        "refused within, closing": (checkpoint(4, closing=True, deadlineMillis=0, uncertain=[(102, 103)], refused=True), None),
        "nothing but uncertain": (checkpoint(0, uncertain=[(100, 101)]), None),
        "name of many scripts": (checkpoint(emitterName="Lager Süd – 倉庫 🏭"), None),
        "no name": (checkpoint(emitterName=""), None),
        "longest names": (checkpoint(emitterName="n" * 255, topic="t" * 249), None),
        "highest numbers": (
            checkpoint(
                2,
                emitter=(1 << 64) - 1,
                partition=(1 << 31) - 1,
                number=last,
                firstSequence=last - 2,
                createdAtMillis=last,
                deadlineMillis=last,
                previousOffsetHint=last,
            ),
            None,
        ),
        "64 events": (checkpoint(64), None),
        "signed": (checkpoint(), KEY_ID),
        "signed, sha256, closing, root only": (checkpoint(treeHash=f.SHA256, closing=True, withLeaves=False), KEY_ID),
    }
    before = b""
    for number in range(3):
        fields = checkpoint(
            2 * number,
            number=number,
            firstSequence=number * (number - 1),
            previousHash=f.chain_hash(f.SHA256, before) if number else b"",
            treeHash=f.SHA256,
            previousOffsetHint=-1,
        )
        cases[f"chain, number {number}"] = (fields, KEY_ID if number == 1 else None)
        before = f.encode_format2(fields, *((KEY_ID, SEED) if number == 1 else ()))
    vectors = []
    for name, (fields, key_id) in cases.items():
        data = f.encode_format2(fields, key_id, SEED)
        vectors.append(
            {
                "name": name,
                "fields": fields,
                "keyId": key_id,
                "chainHash": f.chain_hash(fields["treeHash"], data),
                "bytes": data,
            }
        )
    return vectors


def damaged_format2():
    """Each with a checksum that fits, unless its name says otherwise: what the checksum finds is not shown again."""
    good = f.encode_body(checkpoint())
    no_leaves = f.encode_body(checkpoint(withLeaves=False))
    ranges = f.encode_body(checkpoint(4, uncertain=[(100, 102), (103, 104)]))
    at = 69 + len("orders") + len("billing")
    long = struct.Struct(">q").pack
    named = f.encode_body(checkpoint(emitterName="Süd 🏭"))
    patches = {
        "other magic": patched(good, 0, b"X"),
        "version 0": patched(good, 4, b"\0"),
        "version 2": patched(good, 4, b"\2"),
        "reserved flag": patched(good, 5, b"\x22"),
        "nothing refused, with the flag": patched(good, 5, b"\x0a"),
        "reserved flag 16": patched(good, 5, b"\x12"),
        "tree hash 0": patched(good, 6, b"\0"),
        "tree hash adler32": patched(good, 6, b"\3"),
        "signature algorithm 0": patched(good, 7, b"\0"),
        "signature algorithm 2": patched(good, 7, b"\2"),
        "signature algorithm 127": patched(good, 7, b"\x7f"),
        "signatures of 0 bytes": patched(good, 7, b"\x80\0"),
        "SHA-256 of 31 bytes": patched(good, 8, b"\x1f"),
        "XXH3 of 32 bytes": patched(good, 7, b"\4"),
        "signature algorithm 5": patched(good, 7, b"\5"),
        "emitter id 0": patched(good, 9, bytes(8)),
        "partition -1": patched(good, 17, b"\xff" * 4),
        "number -1": patched(good, 21, long(-1)),
        "number 0 that does not begin at 0": patched(good, 21, long(0)),
        "first sequence -1": patched(good, 29, long(-1)),
        "sequences beyond 63 bits": patched(good, 29, long((1 << 63) - 5)),
        "event count -1": patched(good, 37, b"\xff" * 4),
        "event count of 2 billion": patched(good, 37, b"\x7f\xff\xff\xff"),
        "event count too high by one": patched(good, 37, b"\0\0\0\6"),
        "event count too low by one": patched(good, 37, b"\0\0\0\4"),
        "leaves without the flag": patched(good, 5, b"\0"),
        "flag without leaves": patched(no_leaves, 5, b"\2"),
        "created before 1970": patched(good, 41, long(-1)),
        "negative deadline": patched(good, 49, long(-1)),
        "hint -2": patched(good, 57, long(-2)),
        "1001 uncertain ranges": patched(good, 65, b"\x03\xe9"),
        "uncertain ranges that are not there": patched(no_leaves, 65, b"\x03\xe8"),
        "topic of 0 bytes": patched(good, 67, b"\0"),
        "topic of 250 bytes": patched(good, 67, b"\xfa"),
        "topic with a slash": patched(good, 69, b"/"),
        "topic beyond ASCII": patched(good, 69, "ü".encode()),
        "topic that is no UTF-8": patched(good, 70, b"\xff"),
        "topic of one dot": good[:67] + b"\1" + good[68:69] + b"." + good[75:],
        "topic of two dots": good[:67] + b"\2" + good[68:69] + b".." + good[75:],
        "name with a tab": patched(good, 76, b"\t"),
        "name with a control character of two bytes": patched(good, 76, b"\xc2\x85"),
        "name cut in a character": patched(named, 68, b"\3") [: 69 + 8] + named[69 + 6 + 10 :],
        "name in overlong form": patched(good, 77, b"\xc0\x80"),
        "name with half a surrogate pair": patched(good, 77, b"\xed\xa0\x80"),
        "name beyond the bytes": patched(good, 68, b"\xff")[: 69 + 100],
        "uncertain range of no sequence": patched(ranges, at + 8, long(100)),
        "uncertain range before the interval": patched(ranges, at, long(99)),
        "uncertain range that ends before it begins": patched(ranges, at + 8, long(99)),
        "uncertain range at the end of all sequences": patched(ranges, at, long((1 << 63) - 1) * 2),
        "uncertain ranges in another order": patched(ranges, at, ranges[at + 16 : at + 32] + ranges[at : at + 16]),
        "uncertain ranges that overlap": patched(ranges, at + 16, long(101)),
        "uncertain ranges that touch": patched(ranges, at + 16, long(102)),
        "uncertain range beyond the interval": patched(ranges, at + 16, long(108) + long(109)),
        "first number with a previous hash": patched(no_leaves, 21, bytes(16)),
        "one byte more": no_leaves + b"\0",
        "root cut": no_leaves[:-9],
        "previous hash cut": no_leaves[:-1],
        "cut within the fixed fields": good[:40],
        "signed without a trailer": patched(no_leaves[:80], 5, b"\4"),
        "key id of 0 bytes": patched(no_leaves, 5, b"\4") + b"\0" + bytes(64),
        "key id of 65 bytes": patched(no_leaves, 5, b"\4") + b"k" * 65 + b"\x41" + bytes(64),
        "key id beyond the bytes": patched(no_leaves, 5, b"\4")[:80] + b"\x14" + bytes(64),
        "key id with a space": patched(no_leaves, 5, b"\4") + b"k k\3" + bytes(64),
    }
    damages = {name: f.with_checksum(body) for name, body in patches.items()}
    whole = f.with_checksum(good)
    damages |= {
        "nothing": b"",
        "magic alone": whole[:4],
        "shorter than a checksum": whole[:7],
        "last byte missing": whole[:-1],
        "wrong checksum": patched(whole, len(whole) - 1, bytes([whole[-1] ^ 1])),
        "leaf altered, checksum kept": patched(whole, len(whole) - 20, b"x"),
        "version 2, checksum kept": patched(whole, 4, b"\2"),
        "tree hash 9, checksum kept": patched(whole, 6, b"\x09"),
    }
    return refused(damages, f.decode_format2)


def untrusted_format2():
    """What is refused where a signature of the test key is demanded."""
    signed = f.encode_format2(checkpoint(), KEY_ID, SEED)

    def refit(data):
        return f.with_checksum(data[:-8])

    damages = {
        "unsigned": f.encode_format2(checkpoint()),
        "flag signed removed, trailer kept": refit(patched(signed, 5, b"\2")),
        "by another key": f.encode_format2(checkpoint(), "other", SEED),
        "by another key under the trusted id": f.encode_format2(checkpoint(), KEY_ID, bytes(32)),
        "partition changed": refit(patched(signed, 20, b"\4")),
        "topic changed": refit(patched(signed, 69, b"0")),
        "leaf changed": refit(patched(signed, 120, b"x")),
        "signature changed": refit(patched(signed, len(signed) - 9, bytes([signed[-9] ^ 1]))),
        "signature of zeros": refit(patched(signed, len(signed) - 72, bytes(64))),
        "damaged": patched(signed, len(signed) - 1, bytes([signed[-1] ^ 1])),
    }
    return refused(damages, lambda data: f.decode_format2(data, KEYS))


FILES = {
    "roots.json": (
        "Roots of every tree hash. The value of event i is the UTF-8 text 'event-' and i. xxh3 and sha256: leaf i is "
        "sequence i and the signature of the value by algorithm 3, without a key; adler32: leaf i is the SHA-1 of the value as 40 hexadecimal digits.",
        roots,
    ),
    "event-signatures.json": ("Signatures of key and value, by algorithms 3 (sha256) and 4 (xxh3).", event_signatures),
    "event-headers.json": ("Event headers and their fields.", event_headers),
    "event-headers-damaged.json": ("Event headers that a reader must refuse, and where.", damaged_event_headers),
    "format1.json": ("Checkpoints of format 1 and their leaves.", format1),
    "format1-damaged.json": ("Checkpoints of format 1 that a reader must refuse, and where.", damaged_format1),
    "format2.json": ("Checkpoints of format 2 and their fields; the key is in keys.json.", format2),
    "format2-damaged.json": ("Checkpoints of format 2 that a reader must refuse, and where.", damaged_format2),
    "format2-untrusted.json": (
        "Checkpoints of format 2 that a reader must refuse who demands the signature of the key in keys.json.",
        untrusted_format2,
    ),
    "keys.json": (
        "The test key: PKCS #8 and X.509 forms, DER.",
        lambda: [
            {
                "id": KEY_ID,
                "private": bytes.fromhex("302e020100300506032b657004220420") + SEED,
                "public": bytes.fromhex("302a300506032b6570032100") + KEYS[KEY_ID],
            }
        ],
    ),
}


def plain(item):
    """The item as JSON knows it: bytes as hexadecimal digits; emitter ids, which exceed 63 bits, as 16 of them."""
    if isinstance(item, bytes):
        return item.hex()
    if isinstance(item, dict):
        return {key: f"{x:016x}" if key == "emitter" else plain(x) for key, x in item.items() if x is not None}
    if isinstance(item, (list, tuple)):
        return [plain(x) for x in item]
    return item


def text_of(about, cases):
    lines = ",\n".join("    " + json.dumps(plain(case), ensure_ascii=False) for case in cases)
    head = json.dumps(about, ensure_ascii=False)
    return f'{{\n  "about": {head},\n  "regenerate": "{REGENERATE}",\n  "cases": [\n{lines}\n  ]\n}}\n'


def check_reading():
    """Reads every valid vector back."""
    for case in event_headers():
        assert f.decode_event_header(case["bytes"]) == case["fields"], case["name"]
    for case in format1():
        assert f.decode_format1(case["bytes"]) == case["leaves"], case["name"]
    for case in format2():
        read = f.decode_format2(case["bytes"], KEYS if case["keyId"] else None)
        assert {key: read.get(key) for key in case["fields"]} == case["fields"], case["name"]
        assert read["keyId"] == case["keyId"], case["name"]


def check_2015(directory):
    figures = json.loads((directory / "format1-2015.json").read_text())
    for figure in figures:
        data = f.encode_format1([sha1_hex(i) for i in range(figure["leafCount"])])
        assert hashlib.sha256(data).hexdigest() == figure["serializedSha256"], figure["leafCount"]


def check_xxh3():
    """Where the package is there, holds it against the implementation beside this file."""
    if package_hash:
        for size in [*range(300), 1023, 1024, 1025, 5000]:
            data = hashlib.shake_128(str(size).encode()).digest(size)
            assert own_hash(data) == package_hash(data), size
            assert own_hash128(data) == package_hash128(data), size


def main(command, directory):
    if command not in ("write", "check"):
        sys.exit(__doc__)
    directory = pathlib.Path(directory)
    check_xxh3()
    check_2015(directory)
    check_reading()
    wrong = []
    for name, (about, cases) in FILES.items():
        wanted = text_of(about, cases())
        path = directory / name
        if command == "write":
            path.write_text(wanted, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != wanted:
            wrong.append(name)
    if wrong:
        sys.exit("not as this implementation makes them: " + ", ".join(wrong))
    print(f"{len(FILES)} files of vectors, xxh3 by {'the package' if package_hash else 'the script beside this one'}")


if __name__ == "__main__":
    main(*(sys.argv[1:] if len(sys.argv) == 3 else ("help", "")))
