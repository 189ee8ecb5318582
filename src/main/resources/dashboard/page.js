// Page: what is shown around the grid, and where everything comes from. Nothing that was read is ever markup: all text goes
// through make(), which makes text nodes.

/** How many findings are listed; the grid shows them all. */
const MOST_LISTED = 200;
const GLYPHS = { verified: "✓", violated: "✕", inconclusive: "?", open: "…", accepted: "!" };

function byId(id) {
  return document.getElementById(id);
}

/** An element with attributes and children; strings become text. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children.map(child => (child instanceof Node ? child : String(child ?? ""))));
  return element;
}

/** A cell that stays one where the table is laid out as a list. */
function cell(...children) {
  return make("td", { role: "cell" }, ...children);
}

function tag(state) {
  return make("span", { class: "tag " + state }, GLYPHS[state] + " " + state);
}

/** An emitter's name, with the beginning of its id if the partition has another stream of that name. */
function emitterOf(stream) {
  const { emitter, name, partition } = stream;
  if (emitter === NO_STREAM || !name) {
    return emitter === NO_STREAM ? "records of no stream" : /^0*$/.test(emitter) ? "format 1" : emitter;
  }
  const shared = [...partition.streams.values()].some(other => other.name === name && other.emitter !== emitter);
  return shared ? name + " " + emitter.slice(0, 6) : name;
}

function titleOf(interval) {
  const { stream } = interval;
  return stream.partition.id + ", " + (interval.emitter ? (interval.number < 0 ? "interval without a checkpoint" : "checkpoint " + count(interval.number)) + " of " + emitterOf(stream) : interval.what + " at offset " + count(interval.offset));
}

function stateOf(interval) {
  const anomalies = interval.anomalies > 0 ? ", " + plural(interval.anomalies, "anomaly", "anomalies") : "";
  const events = interval.emitter && interval.count > 0 ? ", sequences " + range(interval.first, Number(interval.first) + Number(interval.count)) : "";
  return interval.state + (interval.accepted ? " (accepted)" : "") + anomalies + events + (interval.found > 0 ? ", found " + clock(interval.found) : "");
}

let skew = 0;

/** The server's time. */
function serverNow() {
  return Date.now() + skew;
}

/** The topology that the address asks for: its group, or nothing for the first. */
const wanted = new URLSearchParams(location.search).get("topology");
/** What a request says of it. */
const asked = (path, parameters = {}) => {
  const all = new URLSearchParams(wanted === null ? parameters : { ...parameters, topology: wanted });
  return path + (all.size > 0 ? "?" + all : "");
};
const words = JSON.parse(byId("words").textContent);
const embedded = JSON.parse(byId("data").textContent);
const store = new Store();
const detail = new Detail(store, embedded.live ? fetchFinding : key => Promise.resolve(embedded.findings[key]), words, readRecords);
const grid = new Grid(store, interval => detail.open(interval), text => {
  byId("hint").textContent = text;
});
let lastHeard = 0;
let connected = false;

async function fetchFinding(key) {
  const answer = await fetch(asked("finding", { key }));
  if (!answer.ok) {
    throw new Error("the server answers " + answer.status);
  }
  return answer.json();
}

/** Has records read, one after the other; returns what ends that. */
function readRecords(key, take, end) {
  const source = new EventSource(asked("records", { key }));
  source.onmessage = event => {
    const reported = JSON.parse(event.data);
    if (reported.over) {
      source.close();
      end("");
    } else {
      take(reported);
    }
  };
  source.onerror = () => {
    source.close();
    end("The server does not answer: open it again.");
  };
  return () => source.close();
}

function refresh() {
  const { about } = store;
  document.title = about.title + " – Stormproof";
  byId("sentence").textContent = about.sentence;
  byId("verdict").className = "verdict " + about.verdict;
  byId("mark").textContent = GLYPHS[about.verdict] || "…";
  byId("reservation").textContent = about.reservation;
  byId("scope").textContent = about.scope;
  showTopologies();
  showNumbers();
  showFindings();
  showOpenEnds();
  showFacts();
  showState();
  grid.refresh();
}

/** The other topologies that the findings name, by their groups. */
function showTopologies() {
  const groups = store.about.topologies || [];
  const signature = groups.join("\n");
  if (signature === showTopologies.signature) {
    return;
  }
  showTopologies.signature = signature;
  byId("topologies").hidden = groups.length < 2;
  byId("topologies").replaceChildren(...groups.map((group, i) => make("a", group === wanted || (wanted === null && i === 0)
    ? { href: "?topology=" + encodeURIComponent(group), "aria-current": "page" }
    : { href: "?topology=" + encodeURIComponent(group) }, group || "first")));
}

function showNumbers() {
  const all = [...store.partitions.values()];
  const sum = field => all.reduce((total, partition) => total + Math.max(0, partition[field] || 0), 0);
  const lags = all.map(lagOf).filter(lag => lag >= 0);
  const last = Math.max(0, ...all.map(partition => partition.last || 0));
  const tiles = [["Verified", count(sum("verified")), ""], ["Violated", count(sum("violated")), "alarm"], ["Inconclusive", count(sum("inconclusive")), "doubt"]];
  if (sum("records") > 0) {
    tiles.push(["Strays", count(sum("records")), "alarm"]);
  }
  if (store.about.live) {
    tiles.push(["Events/s", rate(sum("rate")), ""]);
    tiles.push(["Lag in records", lags.length > 0 ? count(lags.reduce((total, lag) => total + lag, 0)) : "–", ""]);
    const delay = Math.max(0, ...all.map(partition => partition.delay || 0));
    tiles.push(["Detection delay", delay > 0 ? duration(delay) : "–", ""]);
    tiles.push(["Last verdict", last > 0 ? duration(serverNow() - last) + " ago" : "–", ""]);
  } else {
    tiles.push(["Partitions", count(all.length), ""], ["Open streams", count(sum("open")), "doubt"]);
  }
  byId("numbers").replaceChildren(...tiles.map(([term, text, kind]) => make("div", { class: text === "0" ? "" : kind }, make("dt", {}, term), make("dd", {}, text))));
}

function showFindings() {
  const alarms = [...store.alarms.values()].sort((a, b) => b.found - a.found || b.offset - a.offset);
  byId("findings").hidden = alarms.length === 0;
  // An audit finds everything at once.
  byId("findings").className = store.about.live ? "" : "undated";
  byId("none").hidden = alarms.length > 0;
  byId("more").textContent = alarms.length > MOST_LISTED ? "The latest " + MOST_LISTED + " of " + count(alarms.length) + "; the grid shows the others." : "";
  const shown = alarms.slice(0, MOST_LISTED);
  const signature = shown.map(alarm => alarm.key + alarm.state + alarm.anomalies + alarm.accepted).join("\n");
  if (signature === showFindings.signature) {
    return;
  }
  showFindings.signature = signature;
  const focused = document.activeElement?.dataset?.key;
  byId("findings").tBodies[0].replaceChildren(...shown.map(alarm => {
    const button = make("button", { type: "button", "data-key": alarm.key }, alarm.what);
    button.addEventListener("click", () => detail.open(alarm));
    const { partition } = alarm.stream;
    return make("tr", { role: "row" },
      cell(alarm.found > 0 ? clock(alarm.found) : "–"),
      cell(tag(alarm.state), alarm.accepted ? " accepted" : ""),
      cell(partition.id + " @ " + count(alarm.offset)),
      cell(button));
  }));
  if (focused) {
    byId("findings").querySelector('[data-key="' + CSS.escape(focused) + '"]')?.focus();
  }
}

/** Streams whose last events no checkpoint seals; only an audit knows them. */
function showOpenEnds() {
  const ends = store.sorted().flatMap(partition => (partition.openEnds || []).map(end => ({ partition, ...end })));
  byId("open").hidden = ends.length === 0;
  byId("open-more").textContent = ends.length > MOST_LISTED ? "The first " + MOST_LISTED + " of " + count(ends.length) + "." : "";
  byId("open-ends").tBodies[0].replaceChildren(...ends.slice(0, MOST_LISTED).map(end => make("tr", {},
    make("td", {}, end.partition.id),
    make("td", {}, emitterOf(end)),
    make("td", { class: "number" }, count(end.events)),
    make("td", {}, (end.checkpoint < 0 ? "no checkpoint is known" : "the checkpoint at offset " + count(end.checkpoint)) + (end.overdue ? "; the next one is overdue" : "")))));
}

/** What an audit says of itself. */
function showFacts() {
  const facts = store.about.facts || [];
  byId("facts-section").hidden = facts.length === 0;
  byId("facts").replaceChildren(...facts.map(({ name, lines }) => make("div", {}, make("dt", {}, name), ...lines.map(line => make("dd", {}, line)))));
}

function showState() {
  const state = byId("state");
  const [kind, text] = !store.about.live ? ["", store.about.made ? "as of " + clock(store.about.made, true) : ""]
    : !connected ? ["lost", "no connection to the server since " + clock(lastHeard)]
    : store.about.trouble ? ["lost", store.about.trouble]
    : ["live", "live"];
  if (state.textContent !== text) {
    state.className = "state " + kind;
    state.textContent = text;
  }
}

let due = false;

/** At most once a frame, however much comes. */
function refreshSoon() {
  if (!due) {
    due = true;
    requestAnimationFrame(() => {
      due = false;
      refresh();
    });
  }
}

if (embedded.live) {
  const updates = new EventSource(asked("updates"));
  updates.onmessage = event => {
    const update = JSON.parse(event.data);
    lastHeard = Date.now();
    connected = true;
    if (update.now) {
      skew = update.now - Date.now();
    }
    store.take(update);
    refreshSoon();
    if (update.whole && !byId("detail").open) {
      openNamed();
    }
  };
  updates.onerror = () => {
    connected = false;
    lastHeard = lastHeard || Date.now();
    showState();
  };
  // The axis of time moves on though nothing comes.
  setInterval(() => document.hidden || refreshSoon(), 1000);
} else {
  store.take(embedded);
  refresh();
  openNamed();
}

/** The keys that work wherever one is, but where one writes or has opened something. */
addEventListener("keydown", event => {
  const writes = event.target.closest?.("input[type=search]");
  const step = { n: 1, p: -1 }[event.key.toLowerCase()];
  if (step && !writes && !byId("detail").open && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    grid.finding(step);
  }
});

/** Opens what the address names, as soon as it is known. */
function openNamed() {
  const key = namedKey();
  const interval = key && store.byKey.get(key);
  if (interval) {
    detail.open(interval);
  } else if (key) {
    byId("hint").textContent = "What this address names is not on the page: " + key;
  } else if (byId("detail").open) {
    byId("detail").close();
  }
}

addEventListener("hashchange", openNamed);
byId("only").addEventListener("change", () => grid.refresh());
byId("find").addEventListener("input", () => grid.refresh());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  readColours();
  grid.draw();
});
for (const [event, whole] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(event, () => {
    byId("state").dataset.printed = store.about.live ? ", printed " + clock(serverNow(), true) : "";
    grid.whole = whole;
    readColours();
    grid.draw();
  });
}
