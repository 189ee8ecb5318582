"""An emitter of examples/python with confluent-kafka that does what its standard input says, a command a line, and answers each with one.

    python3 recovery_emitter.py SERVERS TOPIC NAME RECOVER PROMISE_MILLIS DELIVERY_MILLIS

send COUNT                 writes events; answers 'watching' or 'off', and with its emitter id, when they have arrived
die COUNT [INDEX ...]      seals an event, writes others but for some that get lost, and kills itself with SIGKILL when they have arrived
recovered SECONDS          answers 'recovered' or 'open', once nothing is open or the time is over
close                      closes; the end of the input does not
"""

import os
import signal
import sys

from checkpointing_producer import CheckpointingProducer

servers, topic, name, recover, promise_millis, delivery_millis = sys.argv[1:]
producer = CheckpointingProducer(
    {"bootstrap.servers": servers, "delivery.timeout.ms": int(delivery_millis), "request.timeout.ms": 1_000, "linger.ms": 0},
    topic,
    name,
    recover == "true",
    int(promise_millis),
    max_millis=600_000,
)
count = 0


def send(events, lost=()):
    global count
    for event in range(events):
        key, value = b"key", b"%s %d" % (name.encode(), count)
        if event in lost:
            producer.streams[0].event(key, value)
        else:
            producer.send(key, value)
        count += 1
    producer.producer.flush()


def die(events, *lost):
    with producer.lock:  # Nobody else seals meanwhile.
        send(1)
        producer._seal(producer.streams[0])
        send(events, lost)
        os.kill(os.getpid(), signal.SIGKILL)


def answer(command, *numbers):
    if command == "send":
        send(*numbers)
        stream = producer.streams.get(0)
        return f"{'watching' if producer.recovery else 'off'} {stream.emitter:016x}" if stream else "nothing sent"
    if command == "recovered":
        return "recovered" if producer.await_recovery(*numbers) else "open"
    if command == "close":
        producer.close()
        return "closed"
    return die(*numbers)


for line in sys.stdin:
    command, *numbers = line.split()
    print(answer(command, *map(int, numbers)), flush=True)
