"""Prints the records that examples/python makes of events, one JSON object a line: streams that end well, and one with a doubt."""

import json
import sys

from stormproof_stream import CHECKPOINT, EVENT, Stream


def show(partition, key, value, name, header):
    def text(data):
        return None if data is None else data.decode()

    print(json.dumps({"partition": partition, "key": text(key), "value": text(value), "header": name, "bytes": header.hex()}))


topic, events = sys.argv[1], int(sys.argv[2])
for partition in range(3):
    stream = Stream(topic, partition, "python-example")
    number, checkpoint = stream.checkpoint()
    show(partition, None, None, CHECKPOINT, checkpoint)
    stream.checkpoint_arrived(number)
    for i in range(events):
        key, value = f"key-{i}".encode(), f"value-{i}".encode()
        sequence, header = stream.event(key, value)
        if partition == 1 and i == events - 2:
            stream.event_failed(sequence)  # It is not in the log, which nothing but the closing checkpoint says.
        else:
            show(partition, key, value, EVENT, header)
        if stream.is_due(16, 60_000):
            number, checkpoint = stream.checkpoint()
            show(partition, None, None, CHECKPOINT, checkpoint)
            stream.checkpoint_arrived(number)
    number, checkpoint = stream.closing()
    show(partition, None, None, CHECKPOINT, checkpoint)
