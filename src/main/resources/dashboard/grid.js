// Grid: one row for each partition, and below it one for each of its streams. Only the rows in sight are in the document.

const SPANS = [["Order", 0], ["1 min", 6e4], ["5 min", 3e5], ["15 min", 9e5], ["1 h", 36e5], ["All", Infinity]];
/** Beyond so many rows, streams are shown only of partitions that are opened by hand. */
const MOST_UNFOLDED = 200;

/** The numbers of a partition: what is shown while events flow, and what of a picture that is taken. */
const LIVE_COLUMNS = [
  ["Events/s", partition => rate(partition.rate)],
  ["Lag", partition => (lagOf(partition) < 0 ? "–" : count(lagOf(partition)))],
  ["Delay", partition => (partition.delay > 0 ? duration(partition.delay) : "–")],
];
const TAKEN_COLUMNS = [
  ["Verified", partition => count(partition.verified)],
  ["Violated", partition => count(partition.violated)],
  ["Inconcl.", partition => count(partition.inconclusive)],
];

/** Changes only what is another one: everything that is set has to be laid out again. */
function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) {
      element.setAttribute(name, value);
    }
  }
}

/** How many records of a partition are not judged yet; -1 if that is not known. */
function lagOf({ progress, end }) {
  return progress >= 0 && end >= 0 ? Math.max(0, end - progress) : -1;
}

class Grid {
  constructor(store, open, say) {
    this.store = store;
    this.open = open;
    this.say = say;
    this.rows = [];
    this.drawn = new Map();
    this.folds = new Map();
    this.span = null;
    this.active = 0;
    this.selected = null;
    this.whole = false;
    this.grid = byId("grid");
    this.viewport = byId("viewport");
    this.body = byId("rows");
    this.viewport.addEventListener("scroll", () => this.draw(true));
    this.body.addEventListener("keydown", event => this.key(event));
    this.body.addEventListener("pointermove", event => this.hover(event));
    this.body.addEventListener("pointerleave", () => this.say(""));
    this.body.addEventListener("click", event => this.click(event));
    new ResizeObserver(() => this.draw()).observe(this.viewport);
    for (const [name, span] of SPANS) {
      const input = make("input", { type: "radio", name: "span", value: name });
      input.addEventListener("change", () => {
        this.span = span;
        this.draw();
      });
      byId("spans").append(make("label", {}, input, name));
    }
  }

  /** Takes what the store holds now. */
  refresh() {
    const only = byId("only").checked;
    const wanted = byId("find").value.trim().toLowerCase();
    const partitions = this.store.sorted().filter(partition => (!only || partition.violated + partition.inconclusive + partition.records > 0));
    const streams = partitions.reduce((sum, partition) => sum + partition.streams.size, 0);
    const here = this.rows[this.active];
    this.rows = [];
    for (const partition of partitions) {
      const own = this.streams(partition);
      const named = own.some(stream => (stream.emitter + " " + (stream.name || "")).toLowerCase().includes(wanted));
      if (wanted && !named && !partition.id.toLowerCase().includes(wanted)) {
        continue;
      }
      const unfolded = this.folds.has(partition.id) ? this.folds.get(partition.id) : streams <= MOST_UNFOLDED;
      this.rows.push({ partition, streams: own, unfolded: own.length > 1 ? unfolded : null });
      if (own.length > 1 && unfolded) {
        own.forEach(stream => this.rows.push({ partition, stream }));
      }
    }
    this.columns = this.store.about.live ? LIVE_COLUMNS : TAKEN_COLUMNS;
    byId("head").querySelectorAll(".number").forEach((head, i) => {
      head.textContent = this.columns[i][0];
    });
    this.stay(here);
    this.grid.setAttribute("aria-rowcount", this.rows.length + 1);
    if (this.span === null && this.rows.length > 0) {
      this.span = this.fitting();
    }
    byId("spans").hidden = this.extent()[1] === 0;
    byId("spans").querySelectorAll("input").forEach((input, i) => {
      input.checked = SPANS[i][1] === this.span;
    });
    this.draw();
  }

  /** A partition's streams in their order, which changes with what is found. */
  streams(partition) {
    if (partition.streamsVersion !== partition.version) {
      partition.sortedStreams = this.store.streamsOf(partition);
      partition.streamsVersion = partition.version;
    }
    return partition.sortedStreams;
  }

  /** Keeps the row that one is at, and the focus in it, wherever it lies now. */
  stay(here) {
    const before = this.active;
    const at = here ? this.rows.findIndex(row => row.partition === here.partition && row.stream?.emitter === here.stream?.emitter) : -1;
    this.active = at >= 0 ? at : Math.min(before, Math.max(0, this.rows.length - 1));
    if (this.active === before) {
      return;
    }
    if (this.selected?.row === before) {
      this.selected.row = this.active;
    }
    if (this.drawn.get(before)?.strip === document.activeElement) {
      requestAnimationFrame(() => this.drawn.get(this.active)?.strip.focus({ preventScroll: true }));
    }
  }

  /** Without times, or if everything happened within seconds, the order shows more. */
  fitting() {
    const [begin, end] = this.extent();
    return !this.store.about.live || end - begin < 2e4 ? 0 : (SPANS.find(([, span]) => span > 0 && end - begin <= span) || SPANS[4])[1];
  }

  extent() {
    if (this.extentVersion === this.store.version) {
      return this.knownExtent;
    }
    let begin = Infinity;
    let end = 0;
    for (const interval of this.store.byKey.values()) {
      const time = timeOf(interval);
      if (time > 0) {
        begin = Math.min(begin, time);
        end = Math.max(end, time);
      }
    }
    this.extentVersion = this.store.version;
    this.knownExtent = begin <= end ? [begin, end] : [0, 0];
    return this.knownExtent;
  }

  intervals(row) {
    const version = row.partition.version;
    if (row.stream) {
      return row.stream.intervals;
    }
    if (row.streams.length === 1) {
      return row.streams[0].intervals;
    }
    if (row.partition.mergedVersion !== version) {
      row.partition.merged = row.streams.flatMap(stream => stream.intervals).sort((a, b) => a.offset - b.offset);
      row.partition.mergedVersion = version;
    }
    return row.partition.merged;
  }

  scale() {
    if (!this.span) {
      return new OrderScale(this.rows.reduce((most, row) => Math.max(most, this.intervals(row).length), 0));
    }
    const [begin, last] = this.extent();
    const end = this.store.about.live ? Math.max(last, serverNow()) : last;
    return new TimeScale(this.span === Infinity ? begin - (end - begin) * 0.02 : end - this.span, end);
  }

  /** Draws the rows in sight, or only those that came into sight. */
  draw(onlyNew) {
    if (!colours) {
      readColours();
    }
    if (!onlyNew) {
      this.rowHeight = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));
      this.body.style.height = this.rows.length * this.rowHeight + "px";
      this.currentScale = this.scale();
      this.measure();
      this.drawAxis();
    }
    const { rowHeight } = this;
    const above = this.whole ? 0 : Math.max(0, Math.floor(this.viewport.scrollTop / rowHeight) - 4);
    const below = this.whole ? this.rows.length : Math.min(this.rows.length, above + Math.ceil(this.viewport.clientHeight / rowHeight) + 8);
    const keep = new Set();
    for (let i = above; i < below; i++) {
      keep.add(i);
      if (!onlyNew || !this.drawn.has(i)) {
        this.drawRow(i);
      }
    }
    if (this.active < this.rows.length && this.drawn.get(this.active)?.node.contains(document.activeElement)) {
      keep.add(this.active);
    }
    for (const [i, row] of this.drawn) {
      if (!keep.has(i)) {
        row.node.remove();
        this.drawn.delete(i);
      }
    }
    if (!onlyNew) {
      this.grid.style.setProperty("--gutter", this.viewport.offsetWidth - this.viewport.clientWidth + "px");
    }
  }

  /** Measures once what is the same in every row: a look between two changes has all of them laid out again. */
  measure() {
    if (this.drawn.size === 0 && this.rows.length > 0) {
      const row = this.makeRow();
      this.body.append(row.node);
      this.drawn.set(0, row);
    }
    for (const { canvas } of this.drawn.values()) {
      this.cellsWidth = canvas.clientWidth;
      this.cellsHeight = canvas.clientHeight;
      return;
    }
  }

  drawAxis() {
    const axis = byId("axis");
    const texts = this.currentScale.ticks(axis.clientWidth).map(tick => {
      const span = make("span", {}, tick.text);
      span.style.left = tick.left + "px";
      return span;
    });
    axis.replaceChildren(...texts);
  }

  drawRow(i) {
    const row = this.rows[i];
    let drawn = this.drawn.get(i);
    if (!drawn) {
      drawn = this.makeRow();
      this.drawn.set(i, drawn);
      const after = [...this.drawn.keys()].filter(other => other > i).sort((a, b) => a - b)[0];
      this.body.insertBefore(drawn.node, after === undefined ? null : this.drawn.get(after).node);
    }
    const { node, name, fold, text, small, strip, canvas, numbers } = drawn;
    const { partition, stream } = row;
    const own = stream || (row.streams.length === 1 ? row.streams[0] : null);
    const intervals = this.intervals(row);
    node.dataset.row = i;
    node.style.top = i * this.rowHeight + "px";
    setAttributes(node, { "aria-rowindex": i + 2, class: "row" + (stream ? " stream" : "") + (!stream && partition.violated > 0 ? " alarm" : "") });
    fold.hidden = row.unfolded === undefined || row.unfolded === null;
    setAttributes(fold, { "aria-expanded": Boolean(row.unfolded), "aria-label": "Streams of " + partition.id });
    setText(text, stream ? emitterOf(stream) : partition.id);
    setText(small, stream ? "" : own ? emitterOf(own) : plural(row.streams.length, "stream", "streams"));
    setAttributes(name, { title: (own ? "emitter " + (own.emitter || "none") + " on " : "") + partition.id });
    setAttributes(strip, { tabindex: i === this.active ? 0 : -1, "aria-label": this.label(row, intervals) });
    numbers.forEach((number, j) => setText(number, stream ? "" : this.columns[j][1](partition)));
    const tail = !stream && (lagOf(partition) > 0 || partition.open > 0);
    drawn.cells = this.currentScale.cells(intervals, this.cellsWidth, tail);
    if (this.selected && this.selected.row === i) {
      const at = intervals.indexOf(this.selected.interval);
      this.selected.cell = drawn.cells.find(cell => at >= cell.from && at < cell.to) || null;
    }
    drawCells(canvas, this.cellsWidth, this.cellsHeight, drawn.cells, this.selected?.row === i ? this.selected.cell : null);
  }

  label(row, intervals) {
    const states = {};
    intervals.forEach(interval => {
      states[interval.state] = (states[interval.state] || 0) + 1;
    });
    const reported = STATES.filter(state => states[state]).map(state => count(states[state]) + " " + state).join(", ");
    return (row.stream ? emitterOf(row.stream) + " on " : "") + row.partition.id + ": " + plural(intervals.length, "interval", "intervals") + (reported ? ", " + reported : "");
  }

  makeRow() {
    const text = make("span", {});
    const small = make("small", {});
    const fold = make("button", { type: "button", tabindex: "-1" });
    const name = make("div", { role: "rowheader", class: "name" }, fold, text, small);
    const canvas = make("canvas", { "aria-hidden": "true" });
    const strip = make("div", { role: "gridcell", class: "cells" }, canvas);
    const numbers = [0, 1, 2].map(() => make("div", { role: "gridcell", class: "number" }));
    const node = make("div", { role: "row", class: "row" }, name, strip, ...numbers);
    fold.addEventListener("click", () => this.fold(Number(node.dataset.row)));
    strip.addEventListener("focus", () => {
      this.active = Number(node.dataset.row);
    });
    return { node, name, fold, text, small, strip, canvas, numbers, cells: [] };
  }

  fold(i, unfolded) {
    const row = this.rows[i];
    if (row && row.unfolded !== null && row.unfolded !== undefined) {
      this.folds.set(row.partition.id, unfolded === undefined ? !row.unfolded : unfolded);
      this.selected = null;
      this.refresh();
    }
  }

  /** The cell under the pointer. */
  under(event) {
    const cells = event.target.closest?.(".cells");
    if (!cells) {
      return null;
    }
    const i = Number(cells.parentNode.dataset.row);
    const x = event.clientX - cells.getBoundingClientRect().left;
    const cell = this.drawn.get(i)?.cells.find(one => x >= one.left && x < Math.max(one.right, one.left + 2));
    return cell ? { i, cell } : null;
  }

  hover(event) {
    const found = this.under(event);
    this.say(found ? this.describe(this.rows[found.i], found.cell) : "");
  }

  click(event) {
    const found = this.under(event);
    const interval = found && worstOf(found.cell, this.intervals(this.rows[found.i]));
    if (interval) {
      this.select(found.i, interval);
      this.open(interval);
    }
  }

  describe(row, cell) {
    const intervals = this.intervals(row);
    if (cell.from === cell.to) {
      return row.partition.id + ": open, not judged yet";
    }
    const interval = worstOf(cell, intervals);
    const others = cell.to - cell.from - 1;
    return titleOf(interval) + ": " + stateOf(interval) + (others > 0 ? "; the cell also shows " + plural(others, "other interval", "other intervals") : "");
  }

  select(i, interval) {
    const before = this.selected?.row;
    this.active = i;
    this.selected = { row: i, interval, cell: null };
    const { rowHeight } = this;
    if (i * rowHeight < this.viewport.scrollTop) {
      this.viewport.scrollTop = i * rowHeight;
    } else if ((i + 1) * rowHeight > this.viewport.scrollTop + this.viewport.clientHeight) {
      this.viewport.scrollTop = (i + 1) * rowHeight - this.viewport.clientHeight;
    }
    this.draw();
    const drawn = this.drawn.get(i);
    drawn?.strip.focus({ preventScroll: true });
    if (before !== undefined && before !== i && this.drawn.has(before)) {
      this.drawRow(before);
    }
    if (this.selected.cell) {
      this.say(this.describe(this.rows[i], this.selected.cell));
    } else {
      this.say(interval ? titleOf(interval) + ": " + stateOf(interval) : drawn?.strip.getAttribute("aria-label") || "");
    }
  }

  key(event) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest(".cells")) {
      return;
    }
    const row = this.rows[this.active];
    const intervals = row ? this.intervals(row) : [];
    const cells = (this.drawn.get(this.active)?.cells || []).filter(cell => cell.to > cell.from);
    const at = cells.indexOf(this.selected?.row === this.active ? this.selected.cell : undefined);
    const move = to => cells[to] && this.select(this.active, worstOf(cells[to], intervals));
    const row2 = to => this.rows[to] && this.select(to, this.nearest(to));
    const steps = {
      ArrowRight: () => move(at < 0 ? cells.length - 1 : Math.min(cells.length - 1, at + 1)),
      ArrowLeft: () => move(at < 0 ? cells.length - 1 : Math.max(0, at - 1)),
      Home: () => move(0),
      End: () => move(cells.length - 1),
      ArrowDown: () => row2(this.active + 1),
      ArrowUp: () => row2(this.active - 1),
      PageDown: () => row2(Math.min(this.rows.length - 1, this.active + 10)),
      PageUp: () => row2(Math.max(0, this.active - 10)),
      Enter: () => (this.selected?.row === this.active && this.selected.interval ? this.open(this.selected.interval) : this.fold(this.active)),
      " ": () => steps.Enter(),
      "+": () => this.fold(this.active, true),
      "-": () => this.fold(this.active, false),
    };
    if (steps[key]) {
      event.preventDefault();
      steps[key]();
    }
  }

  /** The interval of a row that lies where the selected one does. */
  nearest(i) {
    const cell = this.selected?.cell;
    const intervals = this.intervals(this.rows[i]);
    const cells = this.currentScale.cells(intervals, this.cellsWidth, false);
    const near = cell && cells.find(one => one.right > (cell.left + cell.right) / 2);
    return near ? worstOf(near, intervals) : null;
  }

  /** Goes to the next finding in the order of rows, or the one before. */
  finding(step) {
    const all = [];
    this.rows.forEach((row, i) => {
      if (row.stream || row.streams.length === 1 || !row.unfolded) {
        this.intervals(row).filter(interval => interval.state !== "verified").forEach(interval => all.push({ i, interval }));
      }
    });
    if (all.length === 0) {
      this.say("There is no finding.");
      return;
    }
    const place = ({ i, interval }) => i * 2 ** 40 + interval.offset;
    const here = this.selected?.interval ? place({ i: this.active, interval: this.selected.interval }) : step > 0 ? -1 : Infinity;
    const beyond = step > 0 ? all.find(one => place(one) > here) : all.reverse().find(one => place(one) < here);
    const { i, interval } = beyond || all[0];
    this.select(i, interval);
  }
}
