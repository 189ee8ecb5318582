"""Whose end an emitter states after that one was killed: docs/FORMAT.md, rules 25 to 28. Nothing of Kafka itself."""

import struct

from xxhash import xxh3_64_digest

from stormproof_stream import CLOSING, FORMAT, RECOVERED, SHA256_KEY_VALUE, SHA256_TREE, Stream, sha256

MOST_EVENTS = MOST_MISSING = 1_000_000  # behind a last checkpoint; a header that claims more was damaged
MOST_PROMISE_MILLIS = 86_400_000  # of a promise, what is waited for
MOST_RANGES = 1_000  # of what is missing, in one checkpoint
FIXED = struct.Struct(">4sBBBBBQiqqiqqqHBB")  # docs/FORMAT.md, section 4


class Followed:
    """A stream behind its last checkpoint."""

    def __init__(self):
        self.number, self.tail, self.recovered_to, self.stated, self.given_up = -1, {}, -1, None, False

    def set_last(self, offset, header, number, next_sequence, promise_millis):
        self.offset, self.header, self.number, self.next_sequence = offset, header, number, next_sequence
        self.promise_millis, self.closed = promise_millis, bool(header[5] & CLOSING)
        self.tail = {sequence: s for sequence, s in self.tail.items() if sequence >= next_sequence}
        self.recovered_to = -1

    def give_up(self):
        """What was dropped would look missing: no end of this stream is stated any more."""
        self.given_up, self.tail = True, {}

    def is_open(self):
        end = max(self.tail, default=self.next_sequence - 1) + 1
        return not self.closed and not self.given_up and self.recovered_to < end


class Predecessors:
    """The streams of other emitters of one name in one partition, as far as it was read.

    `is_own` is true of the emitters of this producer. Times are milliseconds of a clock that nobody sets.
    """

    def __init__(self, topic, partition, name, is_own):
        self.topic, self.partition, self.name, self.is_own = topic, partition, name, is_own
        self.streams, self.asked_end, self.silent_then = {}, None, set()

    def take(self, offset, event, checkpoint, now):
        """The next record, by the values of its two headers, None if it has none."""
        try:
            if checkpoint is not None:
                self._take_checkpoint(offset, checkpoint, now)
            elif event is not None:
                self._take_event(event, now)
        except (ValueError, IndexError, struct.error):
            pass  # Verifiers tell of it.

    def due(self, now, delivery_millis, position, log_end):
        """The emitters whose ends are to be stated now: the log was read up to where it ended when they had been silent for so long.

        `delivery_millis` is how long a record may be on its way, `position` where reading stands, `log_end` asks where the log ends.
        """
        silent = [emitter for emitter, stream in self.streams.items() if self._is_silent(stream, now, delivery_millis)]
        if not silent:
            self.asked_end = None
            return []
        if self.asked_end is None:
            self.asked_end, self.silent_then = log_end(), set(silent)
        if position < self.asked_end:
            return []
        self.asked_end = None
        return [emitter for emitter in silent if emitter in self.silent_then]

    def state(self, emitter, now, clock):
        """The header value that states an end, which is sent next; None if too much is missing, or the stream is no kind of this module's."""
        stream = self.streams[emitter]
        found = sorted(stream.tail)
        gaps = [after - before - 1 for before, after in zip([stream.next_sequence - 1, *found], found) if after > before + 1]
        try:
            if sum(gaps) > MOST_MISSING or len(gaps) > MOST_RANGES:
                raise ValueError("too much is missing")
            end = Stream.recovered(stream.header, stream.tail, clock, stream.offset)
        except (ValueError, struct.error):  # The latter: nothing follows the last number, or sequence, that there is.
            stream.give_up()
            return None
        stream.stated = now
        return end

    def is_any_open(self):
        return any(stream.is_open() for stream in self.streams.values())

    def longest_silence(self, delivery_millis):
        """How long nothing may come of an open stream at most until its end is stated, as far as that is waited for; 0 if none is open."""
        promises = [min(MOST_PROMISE_MILLIS, stream.promise_millis) for stream in self.streams.values() if stream.is_open()]
        return delivery_millis + max(promises) if promises else 0

    @staticmethod
    def _is_silent(stream, now, delivery_millis):
        stating = stream.stated is not None and now - stream.stated < delivery_millis
        return stream.is_open() and not stating and now - stream.heard >= delivery_millis + stream.promise_millis

    def _take_checkpoint(self, offset, header, now):
        magic, version, flags, *_ = FIXED.unpack_from(header)
        if (magic, version) != (b"SPCP", 1) or xxh3_64_digest(header[:-8]) != header[-8:]:
            return
        *_, emitter, partition, number, first, count, _, promise, _, ranges, topic_size, name_size = FIXED.unpack_from(header)
        at = FIXED.size + topic_size
        place = (header[FIXED.size : at].decode(), partition, header[at : at + name_size].decode())
        if self.is_own(emitter) or place != (self.topic, self.partition, self.name):
            return
        at += name_size
        uncertain = list(struct.iter_unpack(">qq", header[at : at + 16 * ranges]))
        if min(number, first, count, promise) < 0 or not all(first <= begin < end for begin, end in uncertain):
            raise ValueError("less than nothing")
        missing = sum(end - begin for begin, end in uncertain)
        known = self.streams.get(emitter)
        if flags & RECOVERED:
            previous = header[at + 16 * ranges + 32 :][:32]
            if known and previous == sha256(known.header[:-8]):
                known.recovered_to = max(known.recovered_to, first + count + missing)
            return
        known = self.streams.setdefault(emitter, Followed())
        known.heard = now
        if number > known.number:
            known.set_last(offset, header, number, first + count + missing, promise)

    def _take_event(self, header, now):
        kind, algorithm, emitter = struct.unpack_from(">BBQ", header)
        sequence, at = unleb128(header, 10)
        known = self.streams.get(emitter)
        if kind >> 4 != FORMAT or not known:
            return
        known.heard = now
        fits = (kind & 15, algorithm, len(header) - at) == (SHA256_TREE, SHA256_KEY_VALUE, 32)
        if not fits or sequence < known.next_sequence or known.given_up:
            return
        known.tail.setdefault(sequence, header[at:])
        if len(known.tail) > MOST_EVENTS or sequence - known.next_sequence > MOST_EVENTS + MOST_MISSING:
            known.give_up()


def unleb128(data, at):
    """The number, in its shortest form below 2^63, and where it ends."""
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if shift > 63 or (byte == 0 and shift > 7):
            raise ValueError("no sequence")
        if byte < 0x80:
            return number, at
