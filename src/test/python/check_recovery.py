"""Has examples/python answer the vectors of recovery: python3 check_recovery.py FILE, with examples/python in PYTHONPATH."""

import json
import logging
import sys
import unittest
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


class KafkaException(Exception):
    """Of Kafka's package, which may be missing here."""


def recovery_module():
    for package in ("confluent_kafka", "confluent_kafka.admin"):
        sys.modules[package] = MagicMock(KafkaException=KafkaException)
    import stormproof_recovery

    return stormproof_recovery


def recovering():
    return recovery_module().Recovery({"delivery.timeout.ms": 2_000}, "orders", 2, "billing", 60_000, lambda emitter: False, None)


def check_wait():
    """Who promised more than its successor is waited for by its own promise."""
    waits, recovery = recovery_module().WAITS, recovering()
    assert recovery.most_millis() == waits * 62_000, recovery.most_millis()
    _, last = Stream("orders", 1, "billing", promise_millis=900_000).checkpoint()
    recovery.streams[1].take(0, None, last, 0)
    assert recovery.most_millis() == waits * 902_000, recovery.most_millis()


def check_again():
    """What fails begins anew, with nothing read, until the producer closes; meanwhile nobody waits for it."""
    recovery, answers, read, pauses = recovering(), [KafkaException(MagicMock()), KafkaException(MagicMock()), True], [], []

    def recover():
        read.append(recovery.streams[0])
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    recovery._recover = recover
    recovery.stopped.wait = lambda seconds: pauses.append((seconds, recovery.settled.is_set()))
    with unittest.TestCase().assertLogs("stormproof", "WARNING") as said:
        recovery.run()
    assert recovery.is_complete and not answers, answers
    assert pauses == [(0.5, True), (1.0, True)], pauses
    assert len(set(map(id, read))) == 3, read
    assert len(said.output) == 1, said.output


def check_stop():
    """Who closes waits for no recovery that is to be tried again."""
    recovery = recovering()
    recovery._recover = MagicMock(side_effect=KafkaException(MagicMock()))
    with unittest.TestCase().assertLogs("stormproof", "WARNING"):
        recovery.start()
        assert recovery.settled.wait(10) and recovery.is_alive()
        recovery.stop()
    assert not recovery.is_complete and not recovery.is_alive()


def check_unread():
    """A log whose end cannot be read is a failure; who lives is none."""
    logging.disable()
    _, last = Stream("orders", 0, "billing").checkpoint()
    for ends, heard, fails in (([5, 5], 0, True), ([0, 0, 5], -1_000_000_000, True), ([0, 0], 1 << 60, False)):
        recovery = recovering()
        recovery.streams[0].take(0, None, last, heard)
        recovery.most_millis = lambda: -1
        recovery._log_end = lambda *_: ends.pop(0)
        failed = False
        try:
            assert not recovery._recover()
        except KafkaException:
            failed = True
        assert failed == fails, (heard, failed)


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
check_again()
check_stop()
check_unread()
print(f"{len(cases)} cases, {asked} answers")
