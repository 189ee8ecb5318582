"""Reads what earlier emitters of a name left open in a topic, and has their ends stated: docs/FORMAT.md, rules 25 to 28."""

import logging
import threading
import time

from confluent_kafka import Consumer, IsolationLevel, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec

from stormproof_predecessors import Predecessors
from stormproof_stream import CHECKPOINT, EVENT

REACH = 100_000  # how many offsets before a partition's end are read
WAITS = 3  # how many times the longest silence that is waited for is watched for at most
TIMEOUT_SECONDS = 30
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.5, 60  # behind a failure; it doubles
PASSES_BY = (KafkaError._TRANSPORT, KafkaError._ALL_BROKERS_DOWN)  # The client connects again by itself.
LOG = logging.getLogger("stormproof")
# What of a producer's settings leads to the brokers; the rest means nothing to who reads.
CONNECTS = ("bootstrap.servers", "metadata.broker.list", "client.", "security.", "sasl.", "ssl.", "ssl_", "oauth_cb", "socket.", "broker.")


class Recovery(threading.Thread):
    """Watches each partition of a topic from some way before its end, until nothing is open there or whoever goes on has shown it.

    It needs the right to read the topic. `write` takes a partition and the header value that states an end. What fails begins anew, with
    nothing read. `settled` is set once it has ended, or has failed.
    """

    def __init__(self, settings, topic, partitions, name, promise_millis, is_own, write):
        super().__init__(daemon=True, name=f"stormproof-recovery-{topic}")
        self.settings = {key: value for key, value in settings.items() if key.startswith(CONNECTS)}
        self.delivery_millis = int(settings.get("delivery.timeout.ms", settings.get("message.timeout.ms", 300_000)))
        self.wait_millis = self.delivery_millis + max(promise_millis, 10_000)
        self.topic, self.name_of_emitters, self.write = topic, name, write
        self.nothing_read = lambda: {partition: Predecessors(topic, partition, name, is_own) for partition in range(partitions)}
        self.streams = self.nothing_read()
        self.stopped, self.settled, self.is_complete = threading.Event(), threading.Event(), False

    def run(self):
        pause, level = FIRST_PAUSE_SECONDS, logging.WARNING
        try:
            while not self.stopped.is_set():
                try:
                    self.is_complete = self._recover()
                    return
                except KafkaException as error:
                    what = "what earlier emitters left open is not recovered yet; this producer has to be allowed to read"
                    LOG.log(level, "%s: %s: %s", self.topic, what, error.args[0].str())
                self.settled.set()
                self.stopped.wait(pause)
                pause, level = min(2 * pause, LONGEST_PAUSE_SECONDS), logging.DEBUG
                self.streams = self.nothing_read()
        finally:
            self.settled.set()

    def stop(self):
        self.stopped.set()
        self.join()

    def _recover(self):
        """True if nothing is open any more."""
        admin = AdminClient(self.settings)
        consumer = Consumer(
            {
                **self.settings,
                "group.id": "stormproof-recovery",  # It joins no group, and commits nothing.
                "enable.auto.commit": False,
                "enable.partition.eof": True,
                "isolation.level": "read_committed",
                "auto.offset.reset": "earliest",
            }
        )
        try:
            ends = {partition: self._log_end(admin, partition) for partition in self.streams}
            self.positions = {partition: max(0, end - REACH) for partition, end in ends.items()}
            consumer.assign([TopicPartition(self.topic, partition, start) for partition, start in self.positions.items()])
            begin = millis()
            while not self.stopped.is_set():
                for message in consumer.consume(1_000, timeout=0.2):
                    self._take(message)
                if all(self.positions[partition] >= end for partition, end in ends.items()):
                    ends = {}
                    self._state(admin)
                    if not any(streams.is_any_open() for streams in self.streams.values()):
                        return True
                if millis() - begin > self.most_millis():
                    if ends or any(streams.asked_end is not None for streams in self.streams.values()):
                        raise KafkaException(KafkaError(KafkaError._TIMED_OUT, "the end of the log cannot be read"))
                    self._warn(
                        f"another emitter named {self.name_of_emitters} goes on, or promises more than is waited for: nothing more is recovered"
                    )
                    return False
            return False
        finally:
            consumer.close()

    def most_millis(self):
        """By then any emitter that lives has shown it, also one that promised more time than this one does."""
        return WAITS * max([self.wait_millis, *(streams.longest_silence(self.delivery_millis) for streams in self.streams.values())])

    def _take(self, message):
        partition, error = message.partition(), message.error()
        if error and error.code() == KafkaError._PARTITION_EOF:
            self.positions[partition] = message.offset()
        elif error and error.code() in PASSES_BY:
            LOG.info("%s: %s", self.topic, error.str())
        elif error:
            raise KafkaException(error)
        else:
            headers = dict(message.headers() or [])  # Of several of a name, the last one counts.
            self.streams[partition].take(message.offset(), headers.get(EVENT), headers.get(CHECKPOINT), millis())
            self.positions[partition] = message.offset() + 1

    def _state(self, admin):
        for partition, streams in self.streams.items():
            due = streams.due(millis(), self.delivery_millis, self.positions[partition], lambda: self._log_end(admin, partition))
            for emitter in due:
                end = streams.state(emitter, millis(), lambda: int(time.time() * 1000))
                if end is None:
                    self._warn(f"the end of stream {emitter:016x} in partition {partition} stays open: too much is missing, or it is of another kind")
                else:
                    self.write(partition, end)
                    LOG.info("%s-%d: stated the end of an earlier emitter named %s", self.topic, partition, self.name_of_emitters)

    def _log_end(self, admin, partition):
        """Where a log ends, whether or not a transaction is open there."""
        place = TopicPartition(self.topic, partition)
        found = admin.list_offsets(
            {place: OffsetSpec.latest()}, isolation_level=IsolationLevel.READ_UNCOMMITTED, request_timeout=TIMEOUT_SECONDS
        )
        return found[place].result().offset

    def _warn(self, what):
        LOG.warning("%s: %s", self.topic, what)


def millis():
    """Of a clock that nobody sets."""
    return time.monotonic_ns() // 1_000_000
