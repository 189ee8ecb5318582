"""A producer of confluent-kafka whose events Stormproof verifies.

    python3 stormproof.py --bootstrap-server localhost:9092 --topic events --input app.log
    python3 stormproof.py --bootstrap-server localhost:9092 --topic events --input - --name billing

It ends with one line of what was sent, and exits with 0 if all events have arrived and are sealed, with 64 if the topic or the file is not there, with
70 if Kafka does not answer, and with 130 after Ctrl-C.
"""

import argparse
import logging
import sys
import threading
import time
import zlib

from confluent_kafka import KafkaError, KafkaException, Producer

from stormproof_stream import CHECKPOINT, EVENT, Stream

MAX_EVENTS, MAX_MILLIS = 1_000, 1_000
# The answers of a broker that has appended nothing of the batch.
REFUSALS = {
    KafkaError.MSG_SIZE_TOO_LARGE,
    KafkaError.INVALID_RECORD,
    KafkaError.INVALID_TIMESTAMP,
    KafkaError.TOPIC_AUTHORIZATION_FAILED,
    KafkaError.POLICY_VIOLATION,
}
LOG = logging.getLogger("stormproof")


class UnknownTopic(LookupError):
    """The topic is not there, or the principal may not see it."""


class WrittenStream(Stream):
    """A stream whose records are on their way to Kafka."""

    def __init__(self, topic, partition, name, deadline_millis):
        super().__init__(topic, partition, name, deadline_millis)
        self.pending = 0  # records whose fate is not known
        self.has_begun, self.has_failed = False, False  # Number 0 has arrived; the stream has to end.
        self.why = ""  # the last failure of a checkpoint
        self.endings, self.not_before = 0, 0.0  # how often its end was stated; when to write its next checkpoint at the earliest


class CheckpointingProducer:
    """Signs events and adds checkpoints; close it, as `with` does, so that the last events are sealed too.

    `deadline_millis` is for how long at most it says nothing itself.
    """

    def __init__(self, settings, topic, name, deadline_millis=60_000, max_millis=MAX_MILLIS):
        # A checkpoint states what the log holds, once and in order: less than this cannot promise it.
        self.producer = Producer({**settings, "acks": "all", "enable.idempotence": True})
        self.topic, self.name, self.deadline_millis, self.max_millis = topic, name, deadline_millis, max_millis
        self.partitions = self._count_partitions()
        self.streams = {}
        self.lost, self.unsealed = 0, []  # how many events may not have arrived; the partitions in which the end of a stream did not
        # Nobody waits for Kafka while holding it, so that no partition has to wait for another one.
        self.lock, self.closed = threading.RLock(), threading.Event()
        self.timer = threading.Thread(target=self._tick, daemon=True)
        self.timer.start()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def send(self, key, value):
        """Writes an event; text as UTF-8. The partition is known before it is signed, since each has its own sequence."""
        key, value = (part.encode() if isinstance(part, str) else part for part in (key, value))
        partition = zlib.crc32(key or b"") % self.partitions
        while True:
            stream = None
            try:
                with self.lock:
                    if self.closed.is_set():
                        raise RuntimeError("the producer is closed")
                    stream = self.streams.get(partition) or self._begin(partition)
                    self._advance(stream)
                    if stream.has_begun and not stream.has_failed:
                        self._write_event(stream, key, value)
                        self._advance(stream)
                        self.producer.poll(0)
                        return
            except BufferError:
                pass  # As soon as something has been delivered, there is room.
            self.producer.poll(0.1)
            if stream and stream.has_failed and not stream.has_begun:
                raise ConnectionError(f"the first checkpoint of {self.topic}-{partition} did not arrive: {stream.why}")

    def _count_partitions(self):
        found = self.producer.list_topics(self.topic, timeout=15).topics.get(self.topic)
        if found is None or found.error or not found.partitions:
            why = f" ({found.error.str()})" if found is not None and found.error else ""
            raise UnknownTopic(f"topic {self.topic} is not there{why}: create it first, or check its name and the ACLs")
        return len(found.partitions)

    def close(self):
        """Seals the last events. Raises a ConnectionError, when all is done, if events may not have arrived, or are not sealed."""
        self.closed.set()
        self.timer.join()
        while self._end_all():
            self.producer.poll(0.1)
        self.producer.flush()
        troubles = [f"{self.lost} event{'s' if self.lost > 1 else ''} of {self.topic} may not have arrived"] if self.lost else []
        if self.unsealed:
            ends = ", ".join(f"{self.topic}-{partition}" for partition in sorted(set(self.unsealed)))
            troubles.append(f"the last events of {ends} are not sealed")
        if troubles:
            raise ConnectionError("; ".join(troubles))

    def _begin(self, partition):
        """Number 0 states nothing, and has arrived before the first event is sent."""
        stream = self.streams[partition] = WrittenStream(self.topic, partition, self.name, self.deadline_millis)
        try:
            self._seal(stream)
        except Exception:
            del self.streams[partition]
            raise
        return stream

    def _tick(self):
        while not self.closed.wait(0.1):
            with self.lock:
                for stream in list(self.streams.values()):
                    self._advance(stream)
                self.producer.poll(0)

    def _end_all(self):
        """True while a stream is left."""
        with self.lock:
            for stream in list(self.streams.values()):
                self._advance(stream, is_last=True)
            return bool(self.streams)

    def _advance(self, stream, is_last=False):
        """Writes the checkpoint that is due, if any, or the next statement of the end; waits for nothing."""
        if time.monotonic() < stream.not_before:
            return
        try:
            if stream.has_failed or is_last:
                self._end(stream)
            elif stream.has_begun and stream.is_due(MAX_EVENTS, self.max_millis):
                self._seal(stream)
        except BufferError:
            pass  # As soon as something has been delivered, there is room.
        except Exception as error:  # The events are in the log all the same, and the other streams go on.
            LOG.warning("%s-%d: a checkpoint is refused: %s", self.topic, stream.partition, error)
            stream.not_before = time.monotonic() + 1

    def _seal(self, stream):
        self._write(stream, stream.checkpoint)

    def _end(self, stream):
        """A stream ends when the fate of each of its records is known. Its end may be stated three times, if it may not have arrived."""
        if stream.pending and len(self.producer):
            return
        if not stream.is_sealed and stream.endings < 3:
            stream.endings += 1
            try:
                self._write(stream, stream.closing)
            except BufferError:
                stream.endings -= 1
            return
        del self.streams[stream.partition]
        if stream.sequence and not stream.is_sealed:
            self.unsealed.append(stream.partition)

    def _write_event(self, stream, key, value):
        """What Kafka's client has no room for, or refuses, has no sequence: a caller that is interrupted while waiting leaves nothing behind."""
        sequence = stream.sequence
        try:
            _, header = stream.event(key, value)
            self._produce(stream, key, value, (EVENT, header), lambda error: error and self._lose(stream, sequence, error.code() in REFUSALS))
        except Exception:
            stream.take_back(sequence)
            raise
        except BaseException:  # It came from outside, at any time: it is unknown whether Kafka's client has the event.
            self._lose(stream, sequence)
            raise

    def _write(self, stream, state):
        """Writes what the stream states. If it was not appended, the next one takes its place; one too large is stated again at once."""
        number, value = state()

        def delivered(error):
            if not error:
                stream.checkpoint_arrived(number)
                stream.has_begun = True
                return
            stream.why = "the topic is compacted" if error.code() == KafkaError.INVALID_RECORD else error.str()
            taken_back = error.code() in REFUSALS and stream.checkpoint_refused(number, is_too_large(error))
            stream.has_failed = stream.has_failed or not (taken_back and is_too_large(error))

        try:
            self._produce(stream, None, None, (CHECKPOINT, value), delivered)
        except Exception as refusal:
            too_large = isinstance(refusal, KafkaException) and is_too_large(refusal.args[0])
            taken_back = stream.checkpoint_refused(number, too_large)
            if not taken_back:
                stream.has_failed = True
            if not (taken_back and too_large):
                raise
            self._write(stream, state)
        except BaseException:  # It came from outside, at any time: it is unknown whether Kafka's client has the checkpoint.
            stream.has_failed = True
            raise

    def _lose(self, stream, sequence, refused=False):
        stream.event_failed(sequence, refused)
        stream.has_failed = True
        self.lost += 1

    def _produce(self, stream, key, value, header, then):
        def reported(error, _):
            with self.lock:
                stream.pending -= 1
                then(error)

        stream.pending += 1
        try:
            self.producer.produce(self.topic, value, key, stream.partition, reported, headers=[header])
        except Exception:
            stream.pending -= 1
            raise


def is_too_large(error):
    return error.code() == KafkaError.MSG_SIZE_TOO_LARGE


def main():
    arguments = argparse.ArgumentParser(description="Emits the lines of a file as signed events.")
    arguments.add_argument("--bootstrap-server", required=True)
    arguments.add_argument("--topic", required=True)
    arguments.add_argument("--input", required=True, help="a file; - is the standard input")
    arguments.add_argument("--name", default="python-example", help="the emitter's name in its checkpoints (default: python-example)")
    given = arguments.parse_args()
    sent, status = 0, 0
    try:
        with open(given.input, "rb") if given.input != "-" else sys.stdin.buffer as lines:
            settings = {"bootstrap.servers": given.bootstrap_server}
            with CheckpointingProducer(settings, given.topic, given.name) as producer:
                for line in lines:
                    producer.send(str(sent), line.rstrip(b"\n"))
                    sent += 1
    except KeyboardInterrupt:
        status = 130
    except (UnknownTopic, OSError) as error:
        print(f"stormproof-emit: {error}", file=sys.stderr)
        return 70 if isinstance(error, ConnectionError) else 64
    except KafkaException as error:
        print(f"stormproof-emit: {given.bootstrap_server} does not answer: {error.args[0].str()}", file=sys.stderr)
        return 70
    print(f"{sent} event{'' if sent == 1 else 's'} sent to {given.topic}, all of them sealed")
    return status


if __name__ == "__main__":
    sys.exit(main())
