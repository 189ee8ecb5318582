"""Makes records with examples/python: all that an emitter can be made to show to `stormproof dev conformance`.

    conformance_stream.py TOPIC              prints them, one JSON object a line
    conformance_stream.py TOPIC BROKERS      sends them, with the package confluent-kafka
"""

import json
import sys

from stormproof_stream import CHECKPOINT, EVENT, Stream

TOPIC = sys.argv[1]
BROKERS = sys.argv[2] if len(sys.argv) > 2 else None


def hexadecimal(data):
    return None if data is None else data.hex()


class Sender:
    """Sends one record after the other, so that they lie in the log in the order in which they were made."""

    def __init__(self, brokers):
        from confluent_kafka import Producer

        self.producer = Producer({"bootstrap.servers": brokers, "enable.idempotence": True, "linger.ms": 0})
        self.arrived = False

    def send(self, partition, key, value, headers):
        self.arrived = False
        self.producer.produce(
            TOPIC, partition=partition, key=key, value=value, headers=list(headers), on_delivery=self._delivered
        )
        self.producer.flush()
        if not self.arrived:
            raise SystemExit(f"a record for {TOPIC}-{partition} did not arrive at {BROKERS}")

    def _delivered(self, error, _):
        self.arrived = error is None


sender = Sender(BROKERS) if BROKERS else None


def show(partition, key, value, headers):
    if sender:
        sender.send(partition, key, value, headers)
        return
    record = {"partition": partition, "key": hexadecimal(key), "value": hexadecimal(value)}
    print(json.dumps({**record, "headers": [[name, data.hex()] for name, data in headers]}))


class Emitter:
    """A stream whose records arrive as soon as they are made, by a clock of its own."""

    clock = 1_700_000_000_000

    def __init__(self, partition, name):
        self.stream = Stream(TOPIC, partition, name, deadline_millis=1_000, now=lambda: Emitter.clock)
        self.seal()

    def send(self, key, value, headers=()):
        _, header = self.stream.event(key, value)
        show(self.stream.partition, key, value, [*headers, (EVENT, header)])

    def seal(self):
        self._write(self.stream.checkpoint())

    def close(self):
        self._write(self.stream.closing())

    def _write(self, stated):
        number, checkpoint = stated
        Emitter.clock += 100
        show(self.stream.partition, None, None, [(CHECKPOINT, checkpoint)])
        self.stream.checkpoint_arrived(number)


first = Emitter(0, "python")
first.send(b"key", b"value")
first.send(None, b"value")
first.send(b"", b"value")
first.send(b"key", None)
first.send(b"key", b"")
first.send(b"key", b"x" * 65_536)
first.send(b"key", b"value", [("trace", b"1"), ("trace", b"2")])
first.seal()
for _ in range(3):  # Idle for longer than the deadline.
    Emitter.clock += 500
    first.seal()
for i in range(130):
    first.send(b"key", b"value-%d" % i)
first.seal()
second = Emitter(0, "other")
for i in range(5):
    first.send(b"key", b"first-%d" % i)
    second.send(b"key", b"second-%d" % i)
first.seal()
second.seal()
sequence, _ = second.stream.event(b"key", b"lost")
second.stream.event_failed(sequence)
second.close()
first.close()

restarted = Emitter(0, "python")
restarted.send(b"key", b"value")
restarted.close()

elsewhere = Emitter(1, "python")
elsewhere.send(b"key", b"value")
elsewhere.close()
