"""Has examples/python answer the vectors of recovery: python3 check_recovery.py FILE, with examples/python in PYTHONPATH."""

import json
import sys

from stormproof_predecessors import Predecessors
from stormproof_stream import LEAVES, MAX_LEAVES, Stream


def header(step, name):
    return bytes.fromhex(step[name]) if name in step else None


def answer(streams, case, step):
    """What the module says at a step, in the words of the vectors; a record that is read has no answer."""
    if "due" in step:
        return {"due": [f"{each:016x}" for each in streams.due(step["at"], case["deliveryMillis"], step["position"], lambda: step["logEnd"])]}
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


cases = json.load(open(sys.argv[1], encoding="utf-8"))["cases"]
asked = 0
for case in cases:
    streams = Predecessors("orders", 3, "billing", lambda emitter: emitter == int(case["own"], 16))
    for at, step in enumerate(case["steps"]):
        said = answer(streams, case, step)
        wanted = {name: step[name] for name in ("due", "end") if name in step}
        assert said == wanted, (case["name"], at, said, wanted)
        asked += "due" in step or "state" in step
check_size()
print(f"{len(cases)} cases, {asked} answers")
