// Store: everything that the page knows. Partitions hold streams, streams hold intervals in the order of their offsets.

/** The fields of an interval, in the order in which they come. */
const FIELDS = ["key", "emitter", "name", "number", "state", "offset", "first", "count", "found", "sealed", "anomalies", "what", "strength", "keyId", "root", "checkpointHash", "tail", "accepted"];

/** From the least alarming to the most. */
const STATES = ["verified", "open", "inconclusive", "violated"];

/** Findings on records that belong to no stream have no emitter. */
const NO_STREAM = "";

class Store {
  constructor() {
    this.clear();
  }

  clear() {
    this.partitions = new Map();
    this.byKey = new Map();
    this.proofs = new Map();
    this.alarms = new Map();
    this.about = {};
    this.version = 0;
  }

  /** Takes everything there is, or what changed since. */
  take(update) {
    if (update.whole) {
      this.clear();
    }
    const { partitions, ...about } = update;
    Object.assign(this.about, about);
    for (const summary of partitions || []) {
      const partition = this.partition(summary.topic, summary.partition);
      const { intervals, ...numbers } = summary;
      Object.assign(partition, numbers);
      for (const values of intervals || []) {
        this.put(partition, Object.fromEntries(FIELDS.map((field, i) => [field, values[i]])));
      }
      partition.version = ++this.version;
    }
    while (this.proofs.size > this.about.mostProofs) {
      this.remove(this.proofs.values().next().value);
    }
    while (this.alarms.size > this.about.mostAlarms) {
      this.remove(this.alarms.values().next().value);
    }
    this.version++;
  }

  partition(topic, number) {
    const id = topic + "-" + number;
    let partition = this.partitions.get(id);
    if (!partition) {
      partition = { id, topic, partition: number, streams: new Map(), version: 0 };
      this.partitions.set(id, partition);
    }
    return partition;
  }

  put(partition, interval) {
    let stream = partition.streams.get(interval.emitter);
    if (!stream) {
      stream = { emitter: interval.emitter, name: interval.name, partition, intervals: [] };
      partition.streams.set(interval.emitter, stream);
    }
    interval.stream = stream;
    const before = this.byKey.get(interval.key);
    if (before) {
      this.remove(before);
    }
    partition.streams.set(interval.emitter, stream);
    const list = stream.intervals;
    let at = list.length;
    while (at > 0 && list[at - 1].offset > interval.offset) {
      at--;
    }
    list.splice(at, 0, interval);
    this.byKey.set(interval.key, interval);
    (interval.state === "verified" ? this.proofs : this.alarms).set(interval.key, interval);
  }

  remove(interval) {
    const { stream } = interval;
    stream.intervals.splice(stream.intervals.indexOf(interval), 1);
    if (stream.intervals.length === 0) {
      stream.partition.streams.delete(stream.emitter);
    }
    stream.partition.version = ++this.version;
    this.byKey.delete(interval.key);
    this.proofs.delete(interval.key);
    this.alarms.delete(interval.key);
  }

  /** The partitions: violated ones first, then those in doubt, and among their like by topic and number. */
  sorted() {
    const alarm = ({ violated, inconclusive, records }) => (violated + records > 0 ? 0 : inconclusive > 0 ? 1 : 2);
    return [...this.partitions.values()].sort((a, b) => alarm(a) - alarm(b) || (a.topic < b.topic ? -1 : a.topic > b.topic ? 1 : a.partition - b.partition));
  }

  /** The streams of a partition in the same order, by their emitters. */
  streamsOf(partition) {
    const alarm = ({ intervals }) => -intervals.reduce((worst, { state }) => Math.max(worst, STATES.indexOf(state)), 0);
    return [...partition.streams.values()].map(stream => [alarm(stream), stream]).sort(([a, one], [b, other]) => a - b || (one.emitter < other.emitter ? -1 : 1)).map(([, stream]) => stream);
  }
}

/** When an interval was sealed, as far as that is known; else when its verdict was written; 0 if neither is known. */
function timeOf(interval) {
  return interval.sealed || interval.found || 0;
}

function worse(one, other) {
  return STATES.indexOf(one) > STATES.indexOf(other) ? one : other;
}

const WHOLE = new Intl.NumberFormat("en-US");

/** A count; one that came as text, for it is too large to be exact here, stays as it is. */
function count(number) {
  return typeof number === "string" ? number : WHOLE.format(number);
}

function plural(number, one, many) {
  return count(number) + " " + (number === 1 ? one : many);
}

function rate(perSecond) {
  return perSecond >= 10 ? count(Math.round(perSecond)) : perSecond > 0 ? perSecond.toFixed(1) : "0";
}

function duration(millis) {
  if (millis < 1000) {
    return Math.max(0, Math.round(millis)) + " ms";
  }
  const seconds = millis / 1000;
  return seconds < 10 ? seconds.toFixed(1) + " s"
    : seconds < 120 ? Math.round(seconds) + " s"
    : seconds < 7200 ? Math.round(seconds / 60) + " min"
    : seconds < 172800 ? Math.round(seconds / 3600) + " h"
    : Math.round(seconds / 86400) + " d";
}

function clock(millis, withDate) {
  const time = new Date(millis);
  const two = number => String(number).padStart(2, "0");
  const hours = two(time.getHours()) + ":" + two(time.getMinutes()) + ":" + two(time.getSeconds());
  return withDate ? time.getFullYear() + "-" + two(time.getMonth() + 1) + "-" + two(time.getDate()) + " " + hours : hours;
}

/** The sequences or offsets [begin, end) for people. */
function range(begin, end) {
  return Number(end) - Number(begin) <= 1 ? count(begin) : count(begin) + " to " + count(typeof end === "string" ? end : end - 1);
}
