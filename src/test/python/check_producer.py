"""Drives the producer of examples/python through what can fail, before a fake of confluent-kafka: check_producer.py [NAME OF A TEST ...]

What then lies in the log is judged by the second implementation of the formats.
"""

import contextlib
import io
import logging
import struct
import sys
import tempfile
import threading
import time
import types
import unittest

import stormproof_format
from stormproof_format import chain_hash, decode_event_header, decode_format2, numbered, root


class KafkaError:
    _TIMED_OUT, _UNKNOWN_TOPIC, _PARTITION_EOF, _TRANSPORT, _ALL_BROKERS_DOWN, MSG_SIZE_TOO_LARGE = -185, -188, -191, -195, -187, 10
    TOPIC_AUTHORIZATION_FAILED, INVALID_TIMESTAMP, POLICY_VIOLATION, INVALID_RECORD = 29, 32, 44, 87

    def __init__(self, code):
        self._code = code

    def code(self):
        return self._code

    def str(self):
        return f"error {self._code}"


class KafkaException(Exception):
    pass


class Record:
    def __init__(self, partition, headers, key, value, then):
        (self.name, self.header), self.partition, self.then = headers[0], partition, then
        self.key, self.value, self.is_served, self.error = key, value, False, None

    def is_checkpoint(self):
        return self.name == "stormproof-checkpoint"

    def is_closing(self):
        return self.is_checkpoint() and bool(self.header[5] & stormproof_format.CLOSING)

    def number(self):
        return struct.unpack_from(">q", self.header, 21)[0] if self.is_checkpoint() else None


class Broker:
    """A log, and what is wrong with the way to it. A test replaces the functions."""

    def __init__(self):
        self.log = {0: [], 1: [], 2: []}
        self.room = 1_000_000
        self.produced = self.polled = lambda *record: None  # what else happens then: both may raise
        self.fate = lambda record: None  # the error of a record that is not appended
        self.is_on_its_way = lambda record: False

    def checkpoints(self, partition):
        return [record for record in self.log[partition] if record.is_checkpoint()]

    def events(self, partition):
        return [record for record in self.log[partition] if not record.is_checkpoint()]


class Producer:
    def __init__(self, _):
        self.broker, self.queue, self.serving = broker, [], threading.Lock()

    def list_topics(self, topic, timeout):
        found = types.SimpleNamespace(error=None, partitions=self.broker.log)
        return types.SimpleNamespace(topics={topic: found})

    def produce(self, topic, value, key, partition, on_delivery, headers):
        record = Record(partition, headers, key, value, on_delivery)
        self.broker.produced(record)
        if len(self.queue) >= self.broker.room:
            raise BufferError("the queue is full")
        self.queue.append(record)

    def poll(self, timeout):
        self.broker.polled()
        with self.serving:
            served = [record for record in self.queue if not record.is_served and not self.broker.is_on_its_way(record)]
            for record in served:
                record.is_served, record.error = True, self.broker.fate(record)
                if not record.error:
                    self.broker.log[record.partition].append(record)
        for record in served:
            record.then(record.error, None)
            self.queue.remove(record)
        if timeout and not served:
            time.sleep(0.002)

    def flush(self):
        while self.queue:
            self.poll(0.1)

    def __len__(self):
        return len(self.queue)


sys.modules["confluent_kafka"] = fake = types.ModuleType("confluent_kafka")
fake.KafkaError, fake.KafkaException, fake.Producer = KafkaError, KafkaException, Producer

import stormproof  # noqa: E402
from stormproof import CheckpointingProducer  # noqa: E402
from stormproof_stream import Stream  # noqa: E402

KEYS = {0: b"a", 1: b"g", 2: b"b"}  # a key for each partition, by its CRC


class Judged:
    """One stream in the log: what its checkpoints say of its events."""

    def __init__(self):
        self.checkpoints, self.bytes, self.events, self.wrong = [], [], {}, []
        self.stated, self.uncertain = set(), set()

    def take_checkpoint(self, header):
        checkpoint = decode_format2(header)
        first, ranges = checkpoint["firstSequence"], checkpoint["uncertain"]
        uncertain = {sequence for begin, end in ranges for sequence in range(begin, end)}
        stated, sequence = set(), first
        while len(stated) < checkpoint["eventCount"]:
            stated |= {sequence} - uncertain
            sequence += 1
        if self.checkpoints:
            last = self.checkpoints[-1]
            if checkpoint["number"] != last["number"] + 1 or checkpoint["previousHash"] != chain_hash(2, self.bytes[-1]):
                self.wrong.append(f"{checkpoint['number']} does not continue {last['number']}")
            if last["closing"]:
                self.wrong.append("something follows the end")
        there = sorted(stated & self.events.keys())
        if len(there) == len(stated) and root(2, numbered(there, [self.events[each] for each in there])) != checkpoint["root"]:
            self.wrong.append(f"{checkpoint['number']} has another root")
        self.checkpoints.append(checkpoint)
        self.bytes.append(header)
        self.stated |= stated
        self.uncertain |= uncertain

    def lost(self):
        return sorted(self.stated - self.events.keys())

    def unsealed(self):
        return sorted(self.events.keys() - self.stated - self.uncertain)


def judged(partition):
    """The streams of a partition, in the order of their beginnings."""
    streams = {}
    for record in broker.log[partition]:
        if record.is_checkpoint():
            emitter = decode_format2(record.header)["emitter"]
            streams.setdefault(emitter, Judged()).take_checkpoint(record.header)
        else:
            event = decode_event_header(record.header)
            streams.setdefault(event["emitter"], Judged()).events[event["sequence"]] = event["signature"]
    return list(streams.values())


def until(condition, what, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.002)


def in_background(call):
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    return thread


def refused(code):
    return KafkaException(KafkaError(code))


class ProducerTest(unittest.TestCase):
    def setUp(self):
        global broker
        broker = Broker()
        logging.getLogger("stormproof").disabled = True

    def producer(self, deadline_millis=60_000, max_millis=60_000):
        return CheckpointingProducer({}, "orders", "billing", deadline_millis=deadline_millis, max_millis=max_millis)

    def assert_proven(self, partition, events, streams=1):
        found = judged(partition)
        self.assertEqual(streams, len(found))
        self.assertEqual(events, sum(len(stream.stated) for stream in found))
        for stream in found:
            self.assertEqual([], stream.wrong + stream.lost() + stream.unsealed() + sorted(stream.uncertain))
            self.assertTrue(stream.checkpoints[-1]["closing"])

    # An interrupted send

    def test_an_event_that_waits_for_room_when_it_is_interrupted_is_not_stated(self):
        producer = self.producer()
        producer.send(KEYS[0], b"arrives")
        producer.producer.flush()
        broker.room, sender = 0, threading.get_ident()

        def interrupt():
            if threading.get_ident() == sender and broker.room == 0:
                broker.room = 1_000
                raise KeyboardInterrupt

        broker.polled = interrupt
        with self.assertRaises(KeyboardInterrupt):
            producer.send(KEYS[0], b"waits")
        producer.close()
        self.assert_proven(0, 1)

    def test_an_event_of_which_nobody_knows_whether_it_was_taken_is_uncertain(self):
        for is_taken in (True, False):
            self.setUp()
            producer = self.producer()
            producer.send(KEYS[0], b"arrives")

            def interrupt(record):
                broker.produced = lambda record: None
                if is_taken:
                    producer.producer.queue.append(record)
                raise KeyboardInterrupt

            broker.produced = interrupt
            with self.assertRaises(KeyboardInterrupt):
                producer.send(KEYS[0], b"is interrupted")
            with contextlib.suppress(ConnectionError):
                producer.close()
            stream = judged(0)[0]
            self.assertEqual([], stream.wrong + stream.lost() + stream.unsealed())
            self.assertEqual({1}, stream.uncertain)
            self.assertTrue(stream.checkpoints[-1]["closing"])

    # A refused checkpoint

    def test_a_checkpoint_that_the_client_refuses_as_too_large_leaves_its_leaves_out(self):
        producer = self.producer()

        def limit(record):
            if len(record.header) > 20_000:
                raise refused(KafkaError.MSG_SIZE_TOO_LARGE)

        broker.produced = limit
        for i in range(2_500):
            producer.send(KEYS[0], b"%d" % i)
        producer.close()
        self.assert_proven(0, 2_500)
        self.assertNotIn("leaves", judged(0)[0].checkpoints[1])

    def test_a_checkpoint_that_the_broker_refuses_as_too_large_is_stated_again(self):
        broker.fate = lambda record: KafkaError(KafkaError.MSG_SIZE_TOO_LARGE) if len(record.header) > 20_000 else None
        broker.is_on_its_way = lambda record: is_held
        is_held = False
        producer = self.producer()
        producer.send(KEYS[0], b"first")
        is_held = True  # More events follow the checkpoint before it is known to have been refused.
        for i in range(1_300):
            producer.send(KEYS[0], b"%d" % i)
        is_held = False
        producer.close()
        self.assert_proven(0, 1_301)

    def test_no_checkpoint_follows_one_that_may_be_refused(self):
        producer = self.producer()
        producer.send(KEYS[0], b"first")
        producer.producer.flush()
        is_held = True
        broker.is_on_its_way = lambda record: is_held
        for i in range(2_500):
            producer.send(KEYS[0], b"%d" % i)
        self.assertEqual(1, sum(record.is_checkpoint() for record in producer.producer.queue))
        is_held = False
        producer.close()
        self.assert_proven(0, 2_501)

    def test_a_closing_checkpoint_that_is_refused_as_too_large_leaves_its_leaves_out(self):
        broker.fate = lambda record: KafkaError(KafkaError.MSG_SIZE_TOO_LARGE) if len(record.header) > 2_000 else None
        producer = self.producer()
        for i in range(100):
            producer.send(KEYS[0], b"%d" % i)
        producer.close()
        self.assert_proven(0, 100)

    def test_a_heartbeat_that_is_refused_for_a_while_breaks_nothing(self):
        producer = self.producer(deadline_millis=200)
        producer.send(KEYS[0], b"event")
        producer.send(KEYS[1], b"event")
        refusals = []

        def refuse(record):
            if record.is_checkpoint() and record.partition == 0 and len(refusals) < 2:
                refusals.append(record)
                raise refused(KafkaError._UNKNOWN_TOPIC)

        broker.produced = refuse
        until(lambda: len(refusals) == 2, "the refusals")
        seen = [len(broker.checkpoints(partition)) for partition in (0, 1)]
        until(lambda: len(broker.checkpoints(0)) > seen[0] and len(broker.checkpoints(1)) > seen[1], "another heartbeat of both")
        producer.close()
        self.assert_proven(0, 1)
        self.assert_proven(1, 1)

    def test_a_send_whose_event_was_taken_does_not_raise_because_of_a_checkpoint(self):
        producer = self.producer()

        def refuse(record):
            if record.number() == 1 and not record.is_closing():
                raise refused(KafkaError._UNKNOWN_TOPIC)

        broker.produced = refuse
        for i in range(1_001):
            producer.send(KEYS[0], b"%d" % i)
        producer.close()
        self.assert_proven(0, 1_001)

    def test_no_event_comes_without_the_first_checkpoint(self):
        producer = self.producer()

        def refuse(record):
            raise refused(KafkaError._UNKNOWN_TOPIC)

        broker.produced = refuse
        with self.assertRaises(KafkaException):
            producer.send(KEYS[0], b"refused")
        broker.produced = lambda record: None
        producer.send(KEYS[0], b"arrives")
        producer.close()
        self.assert_proven(0, 1)

    def test_an_event_that_is_refused_leaves_its_sequence_to_the_next_one(self):
        producer = self.producer()
        producer.send(KEYS[0], b"arrives")

        def refuse(record):
            raise refused(KafkaError.MSG_SIZE_TOO_LARGE)

        broker.produced = refuse
        with self.assertRaises(KafkaException):
            producer.send(KEYS[0], b"refused")
        broker.produced = lambda record: None
        producer.send(KEYS[0], b"arrives as well")
        producer.close()
        self.assert_proven(0, 2)

    # What close and the command tell

    def test_close_tells_of_events_that_may_not_have_arrived(self):
        producer = self.producer()
        broker.fate = lambda record: KafkaError(KafkaError._TIMED_OUT) if record.value == b"fails" else None
        for value in (b"arrives", b"fails"):
            producer.send(KEYS[0], value)
        with self.assertRaisesRegex(ConnectionError, "^1 event of orders may not have arrived$"):
            producer.close()
        self.assertEqual({1}, judged(0)[0].uncertain)
        self.assertEqual([], judged(0)[0].lost())

    def test_close_tells_of_ends_that_did_not_arrive_and_writes_the_others(self):
        producer = self.producer()
        broker.fate = lambda record: KafkaError(KafkaError._TIMED_OUT) if record.is_closing() and record.partition == 0 else None
        producer.send(KEYS[0], b"arrives")
        producer.send(KEYS[1], b"arrives")
        with self.assertRaisesRegex(ConnectionError, "the last events of orders-0 are not sealed"):
            producer.close()
        self.assert_proven(1, 1)

    def test_the_command_ends_with_70_if_kafka_dies(self):
        broker.fate = lambda record: KafkaError(KafkaError._TIMED_OUT) if broker.log[0] + broker.log[1] + broker.log[2] else None
        self.assertEqual((70, 1), self.run_command(b"one\n"))

    def test_the_command_ends_with_0_and_one_line_if_all_is_well(self):
        with contextlib.redirect_stdout(io.StringIO()) as told:
            self.assertEqual((0, 0), self.run_command(b"one\ntwo\n"))
        self.assertEqual("2 events sent to orders, all of them sealed\n", told.getvalue())

    def test_text_is_sent_as_utf_8_and_with_closes(self):
        with self.producer() as producer:
            producer.send("schlüssel", "größe")
        [(partition, event)] = [(partition, event) for partition in broker.log for event in broker.events(partition)]
        self.assertEqual(("schlüssel".encode(), "größe".encode()), (event.key, event.value))
        self.assert_proven(partition, 1)

    def test_the_command_seals_what_was_sent_before_it_is_interrupted(self):
        def interrupt(record):
            if record.value == b"two":
                raise KeyboardInterrupt

        broker.produced = interrupt
        with contextlib.suppress(KeyboardInterrupt):
            self.run_command(b"one\ntwo\n")
        streams = [stream for partition in broker.log for stream in judged(partition)]
        self.assertTrue(streams)
        for stream in streams:
            self.assertEqual([], stream.unsealed() + stream.lost())
            self.assertTrue(stream.checkpoints[-1]["closing"])

    def run_command(self, lines):
        """Its exit status, and how many lines it says."""
        with tempfile.NamedTemporaryFile() as file, contextlib.redirect_stderr(io.StringIO()) as said:
            file.write(lines)
            file.flush()
            arguments, sys.argv = sys.argv, ["stormproof-emit", "--bootstrap-server", "none:1", "--topic", "orders", "--input", file.name]
            try:
                return stormproof.main(), len(said.getvalue().splitlines())
            finally:
                sys.argv = arguments

    # Streams that go on, and those that end

    def test_a_failed_stream_ends_without_another_send(self):
        producer = self.producer()
        broker.fate = lambda record: KafkaError(KafkaError._TIMED_OUT) if record.value == b"fails" else None
        for value in (b"arrives", b"fails"):
            producer.send(KEYS[0], value)
        until(lambda: any(record.is_closing() for record in broker.log[0]), "the end")
        self.assertEqual({1}, judged(0)[0].uncertain)
        producer.send(KEYS[0], b"of another stream")
        with contextlib.suppress(ConnectionError):
            producer.close()
        self.assertEqual([[], []], [stream.wrong + stream.unsealed() for stream in judged(0)])

    def test_what_a_broker_refuses_is_not_in_doubt(self):
        producer = self.producer()
        broker.fate = lambda record: KafkaError(KafkaError.INVALID_TIMESTAMP) if record.value == b"too old" else None
        for value in (b"arrives", b"too old", b"arrives too"):
            producer.send(KEYS[0], value)
        with contextlib.suppress(ConnectionError):
            producer.close()
        streams = judged(0)
        self.assertTrue(streams[0].checkpoints[-1].get("refused"))
        self.assertEqual({1}, streams[0].uncertain)
        self.assertEqual([[]] * len(streams), [stream.wrong + stream.unsealed() + stream.lost() for stream in streams])

    def test_an_end_that_has_to_be_stated_again_harms_nothing_else(self):
        producer = self.producer()
        failed = []

        def fate(record):
            if record.value == b"fails" or record.is_closing() and len(failed) < 2:
                failed.append(record)
                return KafkaError(KafkaError._TIMED_OUT)

        broker.fate = fate
        for value in (b"arrives", b"fails", b"of another stream", b"of this one too"):
            producer.send(KEYS[0], value)
            if value == b"fails":
                producer.producer.flush()
        with contextlib.suppress(ConnectionError):
            producer.close()
        streams = judged(0)
        self.assertEqual([1, 2], [len(stream.stated) for stream in streams])
        self.assertEqual([{1}, set()], [stream.uncertain for stream in streams])
        self.assertEqual([[], []], [stream.wrong + stream.unsealed() + stream.lost() for stream in streams])

    def test_an_end_that_is_stated_again_has_a_later_time(self):
        producer = self.producer()
        ends = []
        broker.produced = lambda record: ends.append(record) if record.is_closing() else None
        broker.fate = lambda record: KafkaError(KafkaError._TIMED_OUT) if record in ends[:1] else None
        producer.send(KEYS[0], b"event")
        producer.close()
        first, second = (decode_format2(record.header) for record in ends)
        self.assertLess(first.pop("createdAtMillis"), second.pop("createdAtMillis"))
        self.assertEqual(first, second)
        self.assert_proven(0, 1)

    def test_an_end_that_takes_the_place_of_two_checkpoints_is_stated_once(self):
        stream = Stream("orders", 0, "billing")
        stream.checkpoint()
        stream.checkpoint()
        number, _ = stream.closing()
        stream.checkpoint_arrived(number)
        self.assertEqual((0, []), (number, stream.unconfirmed))

    def test_a_first_checkpoint_that_may_have_arrived_is_closed(self):
        producer = self.producer()
        broker.fate = lambda record: None if record.is_closing() else KafkaError(KafkaError._TIMED_OUT)
        with self.assertRaisesRegex(ConnectionError, "the first checkpoint of orders-0 did not arrive"):
            producer.send(KEYS[0], b"event")
        producer.close()
        self.assert_proven(0, 0)

    def test_a_partition_that_is_not_there_silences_no_other(self):
        producer = self.producer(deadline_millis=200)
        for partition in (0, 1):
            producer.send(KEYS[partition], b"event")
        producer.producer.flush()
        down = {0, 2}
        broker.is_on_its_way = lambda record: record.partition in down
        producer.send(KEYS[0], b"waits")
        # One begins a stream, the other one waits for the end of a failed one.
        producer.streams[0].event_failed(1)
        producer._lose(producer.streams[0], 1)
        senders = [in_background(lambda partition=partition: producer.send(KEYS[partition], b"waits as well")) for partition in (0, 2)]
        for _ in range(3):
            seen = len(broker.checkpoints(1))
            until(lambda: len(broker.checkpoints(1)) > seen, "a heartbeat")
            producer.send(KEYS[1], b"event")
        self.assertTrue(all(sender.is_alive() for sender in senders))
        down.clear()
        for sender in senders:
            sender.join(10)
            self.assertFalse(sender.is_alive())
        with contextlib.suppress(ConnectionError):
            producer.close()
        self.assert_proven(1, 4)
        self.assert_proven(2, 1)
        self.assertEqual([[], []], [stream.wrong + stream.unsealed() + stream.lost() for stream in judged(0)])

    def test_a_full_buffer_delays_what_is_sent_and_loses_nothing(self):
        broker.room = 3
        producer = self.producer(deadline_millis=200, max_millis=10)

        def send():
            for i in range(300):
                producer.send(KEYS[i % 3], b"%d" % i)

        senders = [in_background(send) for _ in range(3)]
        for sender in senders:
            sender.join(30)
            self.assertFalse(sender.is_alive())
        producer.close()
        for partition in range(3):
            self.assert_proven(partition, 300)

    def test_nothing_is_sent_after_the_end(self):
        producer = self.producer()
        producer.send(KEYS[0], b"event")
        producer.close()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            producer.send(KEYS[0], b"too late")
        producer.close()
        self.assert_proven(0, 1)

    def test_a_clock_that_is_set_back_delays_nothing_for_long(self):
        clock = 1_000_000
        stream = Stream("orders", 0, "billing", 1_000, lambda: clock)
        number, _ = stream.checkpoint()
        stream.checkpoint_arrived(number)
        clock = 0
        self.assertFalse(stream.is_due(1_000, 1_000))
        clock = 500
        self.assertTrue(stream.is_due(1_000, 1_000))
        clock = 1_000_000
        number, _ = stream.checkpoint()
        stream.checkpoint_arrived(number)
        stream.event(b"key", b"value")
        clock = 0
        self.assertFalse(stream.is_due(1_000, 400))
        clock = 400
        self.assertTrue(stream.is_due(1_000, 400))

    def test_more_uncertain_ranges_than_a_checkpoint_takes_are_one(self):
        stream = Stream("orders", 0, "billing")
        number, _ = stream.checkpoint()
        stream.checkpoint_arrived(number)
        for i in range(2_100):
            sequence, _ = stream.event(b"key", b"%d" % i)
            if i % 2:
                stream.event_failed(sequence)
        self.assertEqual([(0, 2_100)], decode_format2(stream.closing()[1])["uncertain"])


if __name__ == "__main__":
    unittest.main()
