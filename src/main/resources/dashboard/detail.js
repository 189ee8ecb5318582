// Detail: one interval or record, opened.

class Detail {
  constructor(store, load, words, read) {
    this.store = store;
    this.load = load;
    this.read = read;
    this.endReading = () => {};
    this.words = words;
    this.dialog = byId("detail");
    this.body = byId("detail-body");
    byId("close").addEventListener("click", () => this.dialog.close());
    byId("earlier").addEventListener("click", () => this.step(-1));
    byId("later").addEventListener("click", () => this.step(1));
    this.dialog.addEventListener("close", () => {
      this.endReading();
      document.body.classList.remove("opened");
      putInAddress("");
    });
    this.dialog.addEventListener("click", event => event.target === this.dialog && this.dialog.close());
  }

  async open(interval) {
    this.endReading();
    this.interval = interval;
    byId("detail-title").replaceChildren(tag(interval.state), " ", titleOf(interval));
    byId("earlier").disabled = !this.neighbour(-1);
    byId("later").disabled = !this.neighbour(1);
    this.body.replaceChildren(facts(interval));
    byId("link").href = addressOf(interval.key);
    putInAddress(addressOf(interval.key));
    document.body.classList.add("opened");
    if (!this.dialog.open) {
      this.dialog.showModal();
    }
    this.dialog.scrollTop = 0;
    if (interval.state === "verified") {
      this.body.append(make("p", {}, "Every event of this interval is in the log once, in order, with key and value unaltered: the root over what was read is the one that its checkpoint states."));
      return;
    }
    try {
      const finding = await this.load(interval.key);
      if (this.interval === interval) {
        const place = this.body.querySelector("[data-place]");
        place.replaceChildren(linked(finding.data.checkpointUrl || finding.data.url, place.textContent));
        this.body.append(...this.parts(interval, finding));
        const figure = this.body.querySelector(".drawing");
        if (figure) {
          figure.scrollLeft = Number(figure.dataset.begin);
        }
      }
    } catch (e) {
      this.body.append(make("p", {}, "Nothing more is kept of it (" + e.message + ")."));
    }
  }

  neighbour(step) {
    const { stream } = this.interval;
    return stream.intervals[stream.intervals.indexOf(this.interval) + step];
  }

  step(by) {
    const to = this.neighbour(by);
    if (to) {
      this.open(to);
    }
  }

  parts(interval, finding) {
    const { data } = finding;
    const parts = [make("p", {}, data.summary)];
    const anomalies = data.anomalies || [];
    const before = this.neighbour(-1);
    const checkpointBefore = before && before.number === interval.number - 1 ? before.offset : null;
    const drawn = anomalies.length > 0 ? drawOrder(interval, anomalies, checkpointBefore, this.words.hops) : null;
    if (drawn) {
      const caption = drawn.caption ? [make("figcaption", {}, drawn.caption)] : [];
      parts.push(make("h3", {}, "Expected against actual order"), make("figure", { class: "drawing", tabindex: "0", "data-begin": drawn.begin }, drawn.drawing, ...caption));
    }
    parts.push(...this.reported(finding));
    if (anomalies.length > 0) {
      const unnamed = data.anomalyCount - anomalies.length;
      parts.push(make("h3", {}, plural(data.anomalyCount, "anomaly", "anomalies") + (unnamed > 0 ? ", of which " + count(anomalies.length) + " are named" : "")), this.table(anomalies));
    }
    if (finding.records || finding.content) {
      parts.push(...this.records(interval, finding.records));
    }
    if (data.audit) {
      parts.push(make("h3", {}, "Prove it again"), make("code", { class: "command" }, data.audit));
    }
    return parts;
  }

  /** What happened and what to do, in the words of the runbook. */
  reported(finding) {
    const words = finding.words.map(word => [word, this.words.alerts[word]]).filter(([, words]) => words);
    if (words.length === 0) {
      return [];
    }
    const sections = words.map(([word, { what, todo }]) => make("section", { class: finding.state }, make("h4", {}, word), make("p", {}, what), make("p", {}, todo)));
    return [make("h3", {}, "What happened, and what to do"), make("div", { class: "words" }, ...sections)];
  }

  /** What lies at the finding's places: as the page has it, or as it is read now. */
  records(interval, read) {
    const body = make("tbody", {});
    const heads = ["Offset", "Written", "Key", "Headers", "Value"].map((head, i) => make("th", { scope: "col", class: i === 0 ? "number" : "" }, head));
    const state = make("p", { class: "more", id: "reading", role: "status" }, read ? "" : "Reading the records…");
    const take = record => body.append(recordRow(record));
    if (read) {
      read.forEach(take);
    } else {
      this.endReading = this.read(interval.key, take, text => {
        state.textContent = text || (body.rows.length === 0 ? "None of it lies anywhere." : "");
      });
    }
    return [make("h3", {}, "Records at these places"), make("div", { class: "scroll", tabindex: "0" }, make("table", { id: "records" }, make("thead", {}, make("tr", {}, ...heads)), body)), state];
  }

  table(anomalies) {
    const rows = anomalies.map(anomaly => make("tr", {},
      make("td", {}, anomaly.kind),
      make("td", { class: "number" }, range(anomaly.begin, anomaly.end)),
      make("td", { class: "number" }, anomaly.offset < 0 ? "nowhere" : linked(anomaly.url, count(anomaly.offset))),
      make("td", {}, ...besides(anomaly)),
      make("td", { class: "mono" }, signature(anomaly.expected)),
      make("td", { class: "mono" }, signature(anomaly.observed)),
      make("td", {}, this.words.hops[anomaly.hop || "log"] || anomaly.hop)));
    const heads = ["Kind", "Sequence", "Offset", "Besides", "Signed", "Found", "On which hop"].map((head, i) => make("th", { scope: "col", class: i === 1 || i === 2 ? "number" : "" }, head));
    return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows)));
  }
}

/** What follows the page's address if a finding is open. */
function addressOf(key) {
  return "#finding=" + encodeURIComponent(key);
}

/** The key of the finding that the address names; empty if it names none. */
function namedKey() {
  const [, key] = location.hash.match(/^#finding=(.+)$/) || [];
  try {
    return key ? decodeURIComponent(key) : "";
  } catch {
    return key;
  }
}

/** Has the address name a finding, or none, without a step in the history. */
function putInAddress(address) {
  if (location.hash !== address) {
    history.replaceState(history.state, "", address || location.pathname + location.search);
  }
}

/** A text that leads to a page which shows the record; one that leads elsewhere than to the web stays a text. */
function linked(url, text) {
  return /^https?:/i.test(url || "") ? make("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text) : text;
}

/** A part of a record: text as it is, other bytes as hexadecimal digits, and how much was left out. */
function part(bytes) {
  if (!bytes) {
    return "none";
  }
  const shown = bytes.text === undefined ? "0x" + bytes.hex : bytes.text;
  const whole = bytes.text === undefined ? bytes.hex.length / 2 === bytes.size : new TextEncoder().encode(bytes.text).length === bytes.size;
  return shown + (whole ? "" : "… (" + plural(bytes.size, "byte", "bytes") + ")");
}

function recordRow({ offset, fault, time, key, headers, headerCount, value }) {
  const where = make("td", { class: "number" }, count(offset));
  if (fault) {
    return make("tr", {}, where, make("td", { colspan: "4" }, fault));
  }
  const named = headers.map(header => make("div", {}, part(header.name) + ": " + part(header.value)));
  if (headerCount > headers.length) {
    named.push(make("div", {}, "and " + count(headerCount - headers.length) + " more"));
  }
  return make("tr", {}, where, make("td", {}, time < 0 ? "–" : clock(time, true)), make("td", { class: "mono" }, part(key)), make("td", { class: "mono" }, ...named), make("td", { class: "mono content" }, part(value)));
}

/** How often it is there, what differs, or, of what was lost, which events lie on both sides of the gap. */
function besides(anomaly) {
  const neighbours = [["after", anomaly.before], ["before", anomaly.after]].filter(([, place]) => place);
  if (neighbours.length === 0) {
    return [anomaly.copies > 1 ? count(anomaly.copies) + " copies" : (anomaly.differs || []).map((part) => part.replaceAll("-", " ")).join(" and ")];
  }
  return neighbours.map(([side, place]) => make("div", { class: "neighbour" }, side + " " + count(place.sequence) + " at offset ", linked(place.url, count(place.offset)), place.time ? ", " + clock(Date.parse(place.time), true) : ""));
}

function signature(hex) {
  return hex ? (hex.length > 20 ? hex.slice(0, 20) + "…" : hex) : "–";
}

function facts(interval) {
  const pairs = [];
  const add = (term, text, attributes = {}) => pairs.push(make("div", {}, make("dt", {}, term), make("dd", attributes, text)));
  if (interval.tail) {
    add("After the last checkpoint", interval.tail);
  } else if (interval.emitter) {
    add("Sequences", interval.count > 0 ? range(interval.first, Number(interval.first) + Number(interval.count)) : "none");
    add("Events", count(interval.count));
  }
  add(interval.emitter ? "Checkpoint at offset" : "Offset", count(interval.offset), { "data-place": "" });
  if (interval.emitter) {
    add("Emitter", emitterOf(interval.stream));
  }
  if (interval.root) {
    add("Protected against", interval.strength);
    add("Signed with key", interval.keyId || "none that was verified");
    add("Root", make("span", { class: "mono" }, interval.root));
    add("Checkpoint hash", make("span", { class: "mono" }, interval.checkpointHash || "none in format 1"));
  }
  if (interval.accepted) {
    add("Accepted by", interval.accepted);
  }
  if (interval.sealed > 0) {
    add("Sealed", clock(interval.sealed, true));
  }
  if (interval.found > 0) {
    add("Found", clock(interval.found, true) + (interval.sealed > 0 ? ", " + duration(interval.found - interval.sealed) + " later" : ""));
  }
  return make("dl", { class: "facts" }, ...pairs);
}
