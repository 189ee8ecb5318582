"""The streams of an emitter of format 2, as docs/FORMAT.md describes them: what to write into Kafka, and nothing of Kafka itself.

Tree hash sha256, signature algorithm 3 (SHA-256 over key and value), checkpoints with leaves and without a signature.
"""

import hashlib
import secrets
import struct
import time
from collections import namedtuple

from xxhash import xxh3_64_digest

FORMAT, SHA256_TREE, SHA256_KEY_VALUE = 2, 2, 3
CLOSING, LEAVES, REFUSED = 1, 2, 8
EVENT, CHECKPOINT = "sp-e", "stormproof-checkpoint"
MAX_LEAVES = 25_000  # of 32 bytes, so that a topic takes them whose max.message.bytes nobody has changed
MAX_RANGES = 1_000  # of what is uncertain, in one checkpoint
Checkpoint = namedtuple("Checkpoint", "number first_sequence previous_hash signatures leaves since stated_at")


def sha256(data):
    return hashlib.sha256(data).digest()


def sized(data):
    return struct.pack(">i", -1) if data is None else struct.pack(">i", len(data)) + data


def leb128(number):
    """Seven bits a byte, the lowest first."""
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def root(leaves):
    """RFC 6962, section 2.1."""
    if len(leaves) < 2:
        return sha256(b"\0" + leaves[0]) if leaves else sha256(b"")
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1" + root(leaves[:split]) + root(leaves[split:]))


class Stream:
    """What one emitter writes into one partition.

    Every record has a fate that its caller reports: `arrived` or `failed`, by the number or the sequence that came with it. After a
    failure the stream must be closed, when the fate of each of its records is known; another one begins with another Stream.
    """

    def __init__(self, topic, partition, name, deadline_millis=60_000, now=lambda: int(time.time() * 1000)):
        self.topic, self.partition, self.name = topic, partition, name
        self.deadline_millis, self.now = deadline_millis, now
        self.emitter = secrets.randbits(64) or 1
        self.sequence = 0  # of the next event
        self.number, self.first_sequence, self.previous_hash = 0, 0, b""
        self.open = []  # signatures of the events that no checkpoint states yet
        self.lost, self.in_doubt = set(), False  # sequences of events that may not have arrived; whether one of them may have
        self.since = None  # when the first of the open events was signed
        self.stated_at = None
        self.unconfirmed = []  # each Checkpoint that may not have arrived
        self.most_leaves = MAX_LEAVES  # that a checkpoint may have: more are stated by their root alone
        self.proven_leaves = 0  # the most that one had which arrived
        self.end, self.ended_at, self.is_sealed = None, 0, False  # what the closing checkpoint states, when, and whether it arrived

    def event(self, key, value):
        """The sequence and the header of an event that is written next."""
        signature = sha256(sized(key) + sized(value))
        sequence = self.sequence
        self.since = self.since or self.now()
        self.open.append(signature)
        self.sequence += 1
        head = struct.pack(">BBQ", FORMAT << 4 | SHA256_TREE, SHA256_KEY_VALUE, self.emitter)
        return sequence, head + leb128(sequence) + signature

    def take_back(self, sequence):
        """The event of the last sequence was not handed to Kafka: it is the next one's."""
        del self.open[sequence - self.first_sequence :]
        self.sequence = sequence

    def checkpoint(self):
        """The number and the header value of a checkpoint over the open events; it is written next, after them."""
        return self._state(0, self.deadline_millis, [], self.now())

    def closing(self):
        """The last checkpoint; what may not have arrived is uncertain. Every fate is known by now. It may be stated again."""
        self.end = self.end or self._end()
        self.number, self.first_sequence, self.previous_hash, self.open, ranges, refused = self.end
        self.unconfirmed, self.ended_at = [], max(self.now(), self.ended_at + 1)
        return self._state(CLOSING | refused, 0, ranges, self.ended_at)

    def _end(self):
        """Number, first sequence, previous hash, signatures, uncertain ranges, and the flag if all of these were refused."""
        place, numbered, ranges = (self.number, self.first_sequence, self.previous_hash), range(self.first_sequence, self.sequence), []
        for sequence in numbered:
            if sequence in self.lost and ranges and ranges[-1][1] == sequence:
                ranges[-1] = (ranges[-1][0], sequence + 1)
            elif sequence in self.lost:
                ranges.append((sequence, sequence + 1))
        if not self.unconfirmed and len(ranges) <= MAX_RANGES:
            certain = [s for sequence, s in zip(numbered, self.open) if sequence not in self.lost]
            return *place, certain, ranges, REFUSED if ranges and not self.in_doubt else 0
        # What it replaces stated events of which only that is known: they may lie in the log.
        place = self.unconfirmed[0][:3] if self.unconfirmed else place
        return *place, [], [(place[1], self.sequence)] if place[1] < self.sequence else [], 0

    def event_failed(self, sequence, refused=False):
        """It is not in the log if the broker refused it; otherwise it may be."""
        self.lost.add(sequence)
        self.in_doubt = self.in_doubt or not refused

    def checkpoint_arrived(self, number):
        self.proven_leaves = max([self.proven_leaves, *(each.leaves for each in self.unconfirmed if each.number == number)])
        self.unconfirmed = [each for each in self.unconfirmed if each.number > number]
        self.is_sealed = self.end is not None

    def checkpoint_refused(self, number, too_large):
        """True if the next one takes its place, with fewer leaves if it was too large: it was not appended, and none follows it."""
        refused = self.unconfirmed[-1] if self.unconfirmed else None
        if refused is None or refused.number != number or (too_large and not refused.leaves):
            return False
        self.unconfirmed.pop()
        self.number, self.first_sequence, self.previous_hash, signatures, _, self.since, self.stated_at = refused
        self.open = signatures + self.open
        if too_large:
            self.most_leaves = refused.leaves // 2
        return True

    def is_due(self, max_events, max_millis):
        """True if the open events, or the deadline, ask for a checkpoint, and none that may be refused for its size is on its way."""
        now = self.now()
        # After the clock was set back, what has passed counts from there.
        self.since = self.since and min(self.since, now)
        self.stated_at = self.stated_at and min(self.stated_at, now)
        return not any(each.leaves > self.proven_leaves for each in self.unconfirmed) and (
            len(self.open) >= max_events
            or (self.since is not None and now - self.since >= max_millis)
            or (self.stated_at is not None and now - self.stated_at >= self.deadline_millis // 2)
        )

    def _state(self, flags, deadline, uncertain, at, hint=-1):
        leaf_count = len(self.open)
        if leaf_count <= self.most_leaves:
            flags |= LEAVES
        else:
            leaf_count = 0
        topic, name = self.topic.encode(), self.name.encode()
        stated = set(range(self.first_sequence, self.sequence))
        for begin, end in uncertain:
            stated -= set(range(begin, end))
        body = b"SPCP" + struct.pack(
            ">BBBBBQiqqiqqqHBB",
            1,
            flags,
            SHA256_TREE,
            SHA256_KEY_VALUE,
            32,
            self.emitter,
            self.partition,
            self.number,
            self.first_sequence,
            len(self.open),
            at,
            deadline,
            hint,
            len(uncertain),
            len(topic),
            len(name),
        )
        body += topic + name + b"".join(struct.pack(">qq", *each) for each in uncertain)
        leaves = [struct.pack(">Q", sequence) + s for sequence, s in zip(sorted(stated), self.open)]
        body += root(leaves) + self.previous_hash + (b"".join(self.open) if flags & LEAVES else b"")
        number = self.number
        place = number, self.first_sequence, self.previous_hash
        self.unconfirmed.append(Checkpoint(*place, self.open, leaf_count, self.since, self.stated_at))
        self.number, self.first_sequence, self.previous_hash = number + 1, self.sequence, sha256(body)
        self.open, self.since, self.stated_at = [], None, at
        return number, body + xxh3_64_digest(body)
