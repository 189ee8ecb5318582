// Order: expected against actual, drawn for one violated interval. Above, the events as the checkpoint states them; below, the
// records as the log holds them. Equal records are in one column, and stretches of it are left out.

const COLUMN = 61;
const RUN = 84;
const BOX = { width: 54, height: 34 };
const LANE = { expected: 46, actual: 134 };
const MARGIN = 70;
/** More events than this are not set out; more findings than this are only listed. */
const MOST_EVENTS = 20000;
const MOST_DRAWN = 60;
const PLACED = { duplicated: "doubled", reordered: "moved", foreign: "foreign", "out-of-reach": "foreign" };
const WORDS = { doubled: "doubled", moved: "moved", foreign: "not stated", lost: "lost", altered: "altered", uncertain: "in this range", diverted: "diverted" };

/**
 * Sets out one interval.
 *
 * @param before the offset of the checkpoint before, or null if it is not known
 * @return the columns in the order of the log, and whether the offsets between the named ones are exact
 */
function setOut(interval, anomalies, before) {
  const first = Number(interval.first);
  const end = first + Number(interval.count);
  const inside = anomaly => Number(anomaly.begin) >= first && Number(anomaly.begin) < end;
  const drawn = anomalies.slice(0, MOST_DRAWN);
  const fate = new Map();
  const extras = [];
  for (const anomaly of drawn) {
    const { kind } = anomaly;
    if (kind === "lost" || kind === "diverted" || kind === "unlocated") {
      const stop = Math.min(end, Number(anomaly.end));
      for (let sequence = Math.max(first, Number(anomaly.begin)); sequence < stop; sequence++) {
        fate.set(sequence, { way: kind === "unlocated" ? "uncertain" : kind, anomaly });
      }
    } else if (kind === "altered" && inside(anomaly)) {
      fate.set(Number(anomaly.begin), { way: "altered", anomaly });
    } else if (PLACED[kind]) {
      const elsewhere = anomaly.offset < 0 || anomaly.offset > interval.offset || (before !== null && anomaly.offset <= before);
      if (kind === "reordered" && inside(anomaly)) {
        fate.set(Number(anomaly.begin), { way: "moved", anomaly, elsewhere });
      }
      if (kind !== "reordered" || !inside(anomaly) || !elsewhere) {
        extras.push({ way: PLACED[kind], anomaly, offset: Number(anomaly.offset) });
      }
    }
  }
  extras.sort((a, b) => a.offset - b.offset);

  // The records that lie in their places, with their offsets as far as these follow from what is known.
  const placed = [];
  for (let sequence = first; sequence < end; sequence++) {
    const way = fate.get(sequence)?.way;
    if (way !== "lost" && way !== "moved" && way !== "diverted") {
      placed.push(sequence);
    }
  }
  const diverted = drawn.filter(anomaly => anomaly.kind === "diverted").length;
  const exact = before !== null && interval.offset - before - 1 === placed.length + extras.length + diverted && drawn.length === anomalies.length;
  const taken = new Set(extras.map(extra => extra.offset));
  const offsets = new Map();
  let offset = exact ? before + 1 : interval.offset - placed.length - extras.length;
  for (const sequence of placed) {
    const known = fate.get(sequence)?.way === "altered" ? Number(fate.get(sequence).anomaly.offset) : -1;
    while (taken.has(offset)) {
      offset++;
    }
    offset = known >= 0 ? known : offset;
    offsets.set(sequence, offset++);
  }

  // Both orders merged into columns.
  const columns = [];
  let next = 0;
  for (let sequence = first; sequence < end; sequence++) {
    const at = fate.get(sequence);
    const lies = offsets.has(sequence);
    while (lies && next < extras.length && extras[next].offset < offsets.get(sequence)) {
      columns.push({ extra: extras[next++] });
    }
    columns.push({ sequence, fate: at, lies, checkpoint: interval.offset, offset: lies ? offsets.get(sequence) : -1 });
  }
  while (next < extras.length) {
    columns.push({ extra: extras[next++] });
  }
  return { columns: abridged(columns, drawn.length), exact };
}

/** Stretches of events that are as stated become one column; their ends are kept where there is room, and what was doubled. */
function abridged(columns, found) {
  const ends = found <= 3 ? 3 : 0;
  const named = new Set(columns.filter(column => column.extra).map(column => Number(column.extra.anomaly.begin)));
  const near = columns.map(column => named.has(column.sequence));
  columns.forEach((column, i) => {
    // A lost range of a thousand events is shown by its ends.
    const inner = column.fate && i > 0 && i < columns.length - 1 && sameFate(columns[i - 1], column) && sameFate(column, columns[i + 1]);
    if (column.extra || (column.fate && !inner)) {
      for (let j = Math.max(0, i - ends); j <= Math.min(columns.length - 1, i + ends); j++) {
        near[j] = near[j] || !columns[j].fate || j === i;
      }
    }
  });
  // A stretch of one event needs no less room than the event.
  columns.forEach((column, i) => {
    near[i] = near[i] || (!near[i] && near[i - 1] !== false && near[i + 1] !== false);
  });
  const kept = [];
  columns.forEach((column, i) => {
    const last = kept[kept.length - 1];
    if (near[i]) {
      kept.push(column);
    } else if (last && last.run && last.fate?.anomaly === column.fate?.anomaly) {
      last.run++;
    } else {
      kept.push({ run: 1, fate: column.fate, lies: column.lies });
    }
  });
  return kept;
}

function sameFate(one, other) {
  return Boolean(one.fate) && one.fate.anomaly === other.fate?.anomaly;
}

function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function abbreviated(hex) {
  return hex ? hex.slice(0, 7) : "";
}

/** The drawing; null if there is nothing that can be set out. */
function drawOrder(interval, anomalies, before, hops) {
  if (Number(interval.count) > MOST_EVENTS || anomalies.every(anomaly => anomaly.kind === "checkpoint-lost" || anomaly.kind === "chain-broken")) {
    return null;
  }
  const { columns, exact } = setOut(interval, anomalies, before);
  let x = MARGIN;
  for (const column of columns) {
    const width = column.run ? RUN : COLUMN;
    column.x = x + width / 2;
    x += width;
  }
  const width = x + 8;
  const height = 220;
  const drawing = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  const said = anomalies.slice(0, 10).map(anomaly => (WORDS[PLACED[anomaly.kind] || anomaly.kind] || anomaly.kind) + " " + range(anomaly.begin, anomaly.end));
  drawing.append(svg("title", {}, "Expected against actual order: " + said.join(", ") + (anomalies.length > 10 ? ", and more" : "")));
  const links = svg("g", {});
  drawing.append(links);
  for (const [lane, label, under] of [["expected", "Expected", "as stated"], ["actual", "Actual", "in the log"]]) {
    drawing.append(svg("text", { class: "lane start", x: 0, y: LANE[lane] - 2 }, label), svg("text", { class: "small start", x: 0, y: LANE[lane] + 14 }, under));
  }
  const home = new Map(columns.filter(column => column.sequence !== undefined).map(column => [column.sequence, column]));
  for (const column of columns) {
    if (column.run) {
      drawRun(drawing, column);
    } else if (column.extra) {
      drawExtra(drawing, links, column, home, hops);
    } else {
      drawEvent(drawing, links, column, exact, hops);
    }
  }
  const caption = [];
  if (!exact) {
    caption.push("Offsets with ≈ are reckoned from the checkpoint's; other records may lie between.");
  }
  if (anomalies.length > MOST_DRAWN) {
    caption.push(`The first ${MOST_DRAWN} of ${count(anomalies.length)} are drawn.`);
  }
  // On a narrow screen the anomaly is what is to be seen first.
  const wrong = columns.find(column => column.extra || column.fate);
  return { drawing, caption: caption.join(" "), begin: wrong ? Math.max(0, wrong.x - MARGIN - 2 * COLUMN) : 0 };
}

function drawRun(drawing, column) {
  const lost = column.fate && !column.lies;
  for (const lane of lost ? ["expected"] : ["expected", "actual"]) {
    drawing.append(svg("line", { class: "run", x1: column.x - RUN / 2 + 14, x2: column.x + RUN / 2 - 14, y1: LANE[lane], y2: LANE[lane] }));
  }
  const text = plural(column.run, "event", "events");
  drawing.append(svg("text", { class: "small", x: column.x, y: lost ? LANE.expected + 18 : (LANE.expected + LANE.actual) / 2 + 4 }, lost ? "and " + text : text));
}

function drawEvent(drawing, links, column, exact, hops) {
  const way = column.fate?.way;
  const anomaly = column.fate?.anomaly;
  box(drawing, column.x, LANE.expected, way === "lost" || way === "moved" ? "" : way, count(column.sequence), way === "lost" || way === "moved" || way === "altered" || way === "diverted" ? abbreviated(anomaly.expected) : "");
  if (column.lies) {
    const approximately = exact || way === "altered" ? "@" : "≈@";
    box(drawing, column.x, LANE.actual, way, count(column.sequence), way === "altered" ? abbreviated(anomaly.observed) : "");
    drawing.append(svg("text", { class: "small", x: column.x, y: LANE.actual + 32 }, approximately + column.offset));
    links.append(svg("line", { class: way === "altered" ? "link" : "same", x1: column.x, x2: column.x, y1: LANE.expected + 17, y2: LANE.actual - 17 }));
    if (way === "altered") {
      drawing.append(svg("text", { class: "label", x: column.x, y: (LANE.expected + LANE.actual) / 2 + 4 }, "≠"));
    }
    if (way) {
      label(drawing, column.x, way, anomaly, hops);
    }
  } else if (way === "lost" || way === "diverted") {
    box(drawing, column.x, LANE.actual, "lost", way === "lost" ? "–" : "set aside", "");
    links.append(svg("line", { class: "link", x1: column.x, x2: column.x, y1: LANE.expected + 17, y2: LANE.actual - 17, "stroke-dasharray": "2 4" }));
    label(drawing, column.x, way, anomaly, hops);
  } else if (column.fate.elsewhere) {
    // Across a checkpoint: the other interval shows where it lies.
    const arrow = anomaly.offset < 0 ? "?" : anomaly.offset > column.checkpoint ? "→" : "←";
    box(drawing, column.x, LANE.actual, "lost", arrow, anomaly.offset < 0 ? "" : "@" + anomaly.offset);
    links.append(svg("line", { class: "link", x1: column.x, x2: column.x, y1: LANE.expected + 17, y2: LANE.actual - 17, "stroke-dasharray": "2 4" }));
    label(drawing, column.x, "moved", anomaly, hops);
  }
}

function drawExtra(drawing, links, column, home, hops) {
  const { way, anomaly, offset } = column.extra;
  box(drawing, column.x, LANE.actual, way, way === "foreign" ? "+" : count(anomaly.begin), abbreviated(anomaly.observed || anomaly.expected));
  drawing.append(svg("text", { class: "small", x: column.x, y: LANE.actual + 32 }, "@" + offset));
  label(drawing, column.x, way, anomaly, hops);
  const from = home.get(Number(anomaly.begin));
  if (from && way !== "foreign") {
    const top = LANE.expected + 17;
    const bottom = LANE.actual - 17;
    links.append(svg("path", { class: "link", d: `M ${from.x} ${top} C ${from.x} ${top + 30}, ${column.x} ${bottom - 30}, ${column.x} ${bottom}` }));
  }
}

function box(drawing, x, y, way, text, under) {
  const group = svg("g", { class: way || "intact" });
  group.append(
    svg("rect", { class: "box", x: x - BOX.width / 2, y: y - BOX.height / 2, width: BOX.width, height: BOX.height, rx: 5 }),
    svg("text", { x, y: under ? y - 2 : y + 4 }, text),
  );
  if (under) {
    group.append(svg("text", { class: "small", x, y: y + 12 }, under));
  }
  drawing.append(group);
  return group;
}

function label(drawing, x, way, anomaly, hops) {
  const copies = way === "doubled" && anomaly.copies > 2 ? " ×" + anomaly.copies : "";
  drawing.append(svg("text", { class: way === "uncertain" ? "label doubtful" : "label", x, y: LANE.actual + 50 }, WORDS[way] + copies));
  if (anomaly.hop && anomaly.hop !== "log") {
    // Hops have long names: neighbours are below each other.
    const below = x - (drawing.lastHop?.x ?? -Infinity) < 2 * COLUMN && !drawing.lastHop.below;
    drawing.lastHop = { x, below };
    drawing.append(svg("text", { class: "small", x, y: LANE.actual + (below ? 79 : 66) }, anomaly.hop, svg("title", {}, hops[anomaly.hop] || anomaly.hop)));
  }
}
