"""Has examples/python answer the vectors of recovery: python3 check_recovery.py FILE, with examples/python in PYTHONPATH."""

import json
import sys
from unittest.mock import MagicMock

from stormproof_predecessors import Predecessors
from stormproof_stream import LEAVES, MAX_LEAVES, Stream


def header(step, name):
    return bytes.fromhex(step[name]) if name in step else None


def answer(streams, case, step):
    """What the module says at a step, in the words of the vectors; a record that is read has no answer."""
    if "due" in step:
        return {"due": [f"{each:016x}" for each in streams.due(step["at"], case["deliveryMillis"], step["position"], lambda: step["logEnd"])]}
    if "longestSilence" in step:
        return {"longestSilence": streams.longest_silence(case["deliveryMillis"])}
    if "state" in step:
        end = streams.state(int(step["state"], 16), step["at"], lambda: case["createdAtMillis"])
        return {"end": end.hex()} if end else {}
    streams.take(step["offset"], header(step, "event"), header(step, "checkpoint"), step["at"])
    return {}


def check_size():
    """An end of many events is one that a topic takes all the same."""
    _, last = Stream("orders", 0, "billing").checkpoint()
    most = Stream.recovered(last, {sequence: bytes(32) for sequence in range(MAX_LEAVES)})
    more = Stream.recovered(last, {sequence: bytes(32) for sequence in range(MAX_LEAVES + 1)})
    assert most[5] & LEAVES and len(most) < 900_000, len(most)
    assert not more[5] & LEAVES and len(more) < 200, len(more)


def check_wait():
    """Who promised more than its successor is waited for by its own promise. Kafka's package may be missing here."""
    for package in ("confluent_kafka", "confluent_kafka.admin"):
        sys.modules[package] = MagicMock()
    from stormproof_recovery import WAITS, Recovery

    recovery = Recovery({"delivery.timeout.ms": 2_000}, "orders", 2, "billing", 60_000, lambda emitter: False, None)
    assert recovery.most_millis() == WAITS * 62_000, recovery.most_millis()
    _, last = Stream("orders", 1, "billing", promise_millis=900_000).checkpoint()
    recovery.streams[1].take(0, None, last, 0)
    assert recovery.most_millis() == WAITS * 902_000, recovery.most_millis()


cases = json.load(open(sys.argv[1], encoding="utf-8"))["cases"]
asked = 0
for case in cases:
    streams = Predecessors("orders", 3, "billing", lambda emitter: emitter == int(case["own"], 16))
    for at, step in enumerate(case["steps"]):
        said = answer(streams, case, step)
        wanted = {name: step[name] for name in ("due", "end", "longestSilence") if name in step}
        assert said == wanted, (case["name"], at, said, wanted)
        asked += "offset" not in step
check_size()
check_wait()
print(f"{len(cases)} cases, {asked} answers")
