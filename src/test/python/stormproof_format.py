"""A second implementation of Stormproof's formats, written from docs/FORMAT.md. For tests only."""

import hashlib
import re
import struct
import zlib

import ed25519
from xxh3 import xxh3

XXH3, SHA256, ADLER32 = 1, 2, 3
HASHES = {
    XXH3: xxh3,
    SHA256: lambda data: hashlib.sha256(data).digest(),
    ADLER32: lambda data: struct.pack(">Q", zlib.adler32(data)),
}
HASH_SIZES = {XXH3: 8, SHA256: 32, ADLER32: 8}
SIGNATURE_SIZES = {3: 32, 4: 16}
CLOSING, LEAVES, SIGNED, REFUSED = 1, 2, 4, 8
WORD = re.compile(rb"[A-Za-z0-9._-]+\Z")


class Malformed(Exception):
    """Bytes that a reader must refuse: the reason, and the position of the first wrong field."""

    def __init__(self, reason, position):
        super().__init__(f"{reason} at byte {position}")
        self.reason, self.position = reason, position


def damaged(position):
    return Malformed("DAMAGED", position)


def demand(condition, position):
    if not condition:
        raise damaged(position)


def unsupported(position):
    return Malformed("UNSUPPORTED", position)


# Trees


def root(tree_hash, leaves):
    """The root as RFC 6962, section 2.1, defines it; adler32 has no prefixes, and a leaf is its own hash."""
    digest = HASHES[tree_hash]
    leaf, node = (b"", b"") if tree_hash == ADLER32 else (b"\0", b"\1")
    if not leaves:
        return digest(b"")
    if len(leaves) == 1:
        return leaves[0] if tree_hash == ADLER32 else digest(leaf + leaves[0])
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return digest(node + root(tree_hash, leaves[:split]) + root(tree_hash, leaves[split:]))


def numbered(sequences, signatures):
    return [struct.pack(">Q", sequence) + signature for sequence, signature in zip(sequences, signatures)]


# Event header


def encode_event_header(header):
    head = struct.pack(">BBQ", 2 << 4 | header["treeHash"], header["signatureAlgorithm"], header["emitter"])
    return head + leb128(header["sequence"]) + header["signature"]


def leb128(number):
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def known_algorithm(algorithm):
    return algorithm in SIGNATURE_SIZES or algorithm >= 128


def known_size(algorithm, size):
    return size == SIGNATURE_SIZES[algorithm] if algorithm in SIGNATURE_SIZES else 1 <= size <= 255


def decode_event_header(data):
    source = Source(data, len(data))
    first = source.integer(1)
    if first >> 4 != 2:
        raise unsupported(0)
    header = {"treeHash": first & 15}
    if header["treeHash"] not in (XXH3, SHA256):
        raise unsupported(0)
    read_header_algorithm(source, header)
    read_emitter(source, header)
    header["sequence"] = source.leb128()
    header["signature"] = data[source.at :]
    demand(known_size(header["signatureAlgorithm"], len(header["signature"])), source.at)
    return header


def read_emitter(source, header):
    begin = source.at
    header["emitter"] = source.integer(8)
    demand(header["emitter"] != 0, begin)


def read_header_algorithm(source, header):
    header["signatureAlgorithm"] = source.integer(1)
    if not known_algorithm(header["signatureAlgorithm"]):
        raise unsupported(source.at - 1)


class Source:
    """Big-endian fields of data[0, end)."""

    def __init__(self, data, end):
        self.data, self.end, self.at = data, end, 0

    def take(self, size):
        demand(self.at + size <= self.end, self.end)
        self.at += size
        return self.data[self.at - size : self.at]

    def integer(self, size):
        return int.from_bytes(self.take(size), "big")

    def natural(self, size, least=0, most=None):
        begin = self.at
        value = int.from_bytes(self.take(size), "big", signed=size != 1 and size != 2)
        demand(value >= least and (most is None or value <= most), begin)
        return value

    def leb128(self):
        """A number below 2^63 in its shortest form."""
        begin = self.at
        number = 0
        for shift in range(0, 63, 7):
            byte = self.integer(1)
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                demand(byte or not shift, begin)
                return number
        raise damaged(begin)


# Format 1


def levels(leaf_count):
    """The sizes of all levels, leaves first."""
    sizes = [leaf_count]
    while sizes[-1] > 1:
        sizes.append((sizes[-1] + 1) // 2)
    return sizes


def encode_format1(signatures):
    tree = [list(signatures)]
    while len(tree[-1]) > 1:
        below = tree[-1]
        pairs = [below[i : i + 2] for i in range(0, len(below), 2)]
        tree.append([HASHES[ADLER32](b"".join(pair)) if len(pair) == 2 else pair[0] for pair in pairs])
    out = struct.pack(">II", 0xCDAACE99, sum(map(len, tree)))
    for height in range(len(tree) - 1, -1, -1):
        for signature in tree[height]:
            out += struct.pack(">BI", 1 if height else 0, len(signature)) + signature
    return out


def decode_format1(data):
    """Returns the leaves. Children are read in order; each parent is checked as soon as its children are there."""
    source = Source(data, len(data))
    demand(source.integer(4) == 0xCDAACE99, 0)
    count = source.natural(4, -(1 << 31))
    demand(0 <= count <= (len(data) - 8) // 6, 4)
    leaf_count = next((n for n in range(2, count) if sum(levels(n)) >= count), 0)
    demand(leaf_count and sum(levels(leaf_count)) == count, 4)
    sizes = levels(leaf_count)
    nodes = [read_node(source, 1, 8, 8)]
    parent = 0
    for height in range(len(sizes) - 2, -1, -1):
        children = []
        for i in range(sizes[height]):
            free = height == 0 or (i == sizes[height] - 1 and sizes[height - 1] % 2)
            child = read_node(source, 1 if height else 0, *((1, 255) if free else (8, 8)))
            nodes.append(child)
            children.append(child[1])
            if len(children) == 2 or i == sizes[height] - 1:
                wanted = HASHES[ADLER32](b"".join(children)) if len(children) == 2 else children[0]
                demand(nodes[parent][1] == wanted, nodes[parent][0])
                parent += 1
                children = []
    demand(source.at == source.end, source.at)
    return [signature for _, signature in nodes[-leaf_count:]]


def read_node(source, node_type, least, most):
    source.natural(1, node_type, node_type)
    size = source.natural(4, least, most)
    begin = source.at
    return begin, source.take(size)


# Format 2


def encode_body(checkpoint, signed=False):
    topic, name = checkpoint["topic"].encode(), checkpoint["emitterName"].encode()
    leaves = checkpoint.get("leaves")
    flags = CLOSING * checkpoint["closing"] | LEAVES * (leaves is not None) | SIGNED * signed | REFUSED * checkpoint.get("refused", False)
    out = b"SPCP" + struct.pack(
        ">BBBBBQiqqiqqqHBB",
        1,
        flags,
        checkpoint["treeHash"],
        checkpoint["signatureAlgorithm"],
        checkpoint["signatureSizeBytes"],
        checkpoint["emitter"],
        checkpoint["partition"],
        checkpoint["number"],
        checkpoint["firstSequence"],
        checkpoint["eventCount"],
        checkpoint["createdAtMillis"],
        checkpoint["deadlineMillis"],
        checkpoint["previousOffsetHint"],
        len(checkpoint["uncertain"]),
        len(topic),
        len(name),
    )
    out += topic + name
    for begin, end in checkpoint["uncertain"]:
        out += struct.pack(">qq", begin, end)
    return out + checkpoint["root"] + checkpoint["previousHash"] + b"".join(leaves or [])


def with_checksum(content):
    return content + xxh3(content)


def encode_format2(checkpoint, key_id=None, seed=None):
    if key_id is None:
        return with_checksum(encode_body(checkpoint))
    content = encode_body(checkpoint, signed=True) + key_id.encode() + bytes([len(key_id)])
    return with_checksum(content + ed25519.sign(seed, content))


def body_of(data):
    """What the chain hash covers."""
    if not data[5] & SIGNED:
        return data[:-8]
    return data[: -8 - 64 - 1 - data[-8 - 64 - 1]]


def chain_hash(tree_hash, data):
    return HASHES[tree_hash](body_of(data))


def decode_format2(data, keys=None):
    """Reads a checkpoint; keys, by id, if given, are the only ones that may have signed it."""
    intact = len(data) >= 8 and xxh3(data[:-8]) == data[-8:]
    source = Source(data, max(0, len(data) - 8))
    try:
        if keys is not None and intact:
            check_signature(data, keys)
        checkpoint = read_fields(data, source)
    except Malformed as e:
        raise damaged(e.position) if e.reason == "UNSUPPORTED" and not intact else e
    demand(intact, len(data) - 8)
    return checkpoint


def read_flags(source):
    demand(source.take(4) == b"SPCP", 0)
    if source.integer(1) != 1:
        raise unsupported(4)
    return source.natural(1, 0, CLOSING | LEAVES | SIGNED | REFUSED)


def read_trailer(data):
    """Where the body ends, the key id, and where the signature begins."""
    size_at = len(data) - 8 - 64 - 1
    demand(size_at >= 69, len(data))
    size = data[size_at]
    demand(1 <= size <= 64 and size_at - size >= 69, size_at)
    key_id = data[size_at - size : size_at]
    demand(WORD.match(key_id), size_at - size)
    return size_at - size, key_id.decode(), size_at + 1


def check_signature(data, keys):
    if not read_flags(Source(data, len(data) - 8)) & SIGNED:
        raise Malformed("UNTRUSTED", 5)
    begin, key_id, signature_at = read_trailer(data)
    if key_id not in keys:
        raise Malformed("UNTRUSTED", begin)
    if not ed25519.verify(keys[key_id], data[:signature_at], data[signature_at:-8]):
        raise Malformed("UNTRUSTED", signature_at)


def read_fields(data, source):
    flags = read_flags(source)
    key_id = None
    if flags & SIGNED:
        source.end, key_id, _ = read_trailer(data)
    tree_hash = source.integer(1)
    if tree_hash not in (XXH3, SHA256):
        raise unsupported(6)
    algorithm = source.integer(1)
    if not known_algorithm(algorithm):
        raise unsupported(7)
    signature_size = source.integer(1)
    demand(known_size(algorithm, signature_size), 8)
    emitter = source.integer(8)
    demand(emitter != 0, 9)
    checkpoint = {
        "treeHash": tree_hash,
        "signatureAlgorithm": algorithm,
        "signatureSizeBytes": signature_size,
        "emitter": emitter,
        "partition": source.natural(4),
        "number": source.natural(8),
        "firstSequence": source.natural(8),
        "closing": bool(flags & CLOSING),
        "keyId": key_id,
    }
    if flags & REFUSED:
        checkpoint["refused"] = True
    demand(checkpoint["number"] > 0 or checkpoint["firstSequence"] == 0, 29)
    checkpoint["eventCount"] = source.natural(4)
    checkpoint["createdAtMillis"] = source.natural(8)
    checkpoint["deadlineMillis"] = source.natural(8)
    checkpoint["previousOffsetHint"] = source.natural(8, -1)
    uncertain_count = source.natural(2, 0, 1000)
    topic_size = source.natural(1, 1, 249)
    name_size = source.natural(1)
    checkpoint["topic"] = read_topic(source, topic_size)
    checkpoint["emitterName"] = read_name(source, name_size)
    checkpoint["uncertain"] = read_uncertain(source, uncertain_count, checkpoint)
    size = HASH_SIZES[tree_hash]
    checkpoint["root"] = source.take(size)
    checkpoint["previousHash"] = source.take(size if checkpoint["number"] else 0)
    if flags & LEAVES:
        packed = source.take(checkpoint["eventCount"] * signature_size)
        checkpoint["leaves"] = [packed[i : i + signature_size] for i in range(0, len(packed), signature_size)]
    demand(source.at == source.end, source.at)
    return checkpoint


def read_text(source, size):
    begin = source.at
    data = source.take(size)
    try:
        return begin, data, data.decode("utf-8")
    except UnicodeDecodeError as e:
        raise damaged(begin + e.start)


def read_topic(source, size):
    begin, data, topic = read_text(source, size)
    demand(WORD.match(data) and topic not in (".", ".."), begin)
    return topic


def read_name(source, size):
    begin, _, name = read_text(source, size)
    demand(not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in name), begin)
    return name


def read_uncertain(source, count, checkpoint):
    position, first = source.at, checkpoint["firstSequence"]
    demand(source.at + 16 * count <= source.end, source.end)
    ranges = []
    demand(count or "refused" not in checkpoint, position)
    for _ in range(count):
        begin = source.natural(8, first)
        ranges.append((begin, source.natural(8, begin + 1)))
    for (_, end), (begin, _) in zip(ranges, ranges[1:]):
        demand(begin > end, position)
    next_sequence = first + checkpoint["eventCount"] + sum(end - begin for begin, end in ranges)
    demand(next_sequence < 1 << 63, position)
    demand(not ranges or ranges[-1][1] <= next_sequence, position)
    return ranges
