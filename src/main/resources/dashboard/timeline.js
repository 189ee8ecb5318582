// Timeline: the cells of one row on a canvas. Where intervals would be too narrow to be seen apart, neighbours share a cell,
// which shows the worst of them.

const LEAST_CELL = 6;
const WIDEST_CELL = 18;

/** Sets out cells by time, from begin to end. */
class TimeScale {
  constructor(begin, end) {
    this.begin = begin;
    this.end = Math.max(end, begin + 1);
  }

  cells(intervals, width, tail) {
    const x = time => ((time - this.begin) / (this.end - this.begin)) * width;
    const cells = [];
    let from = 0;
    while (from < intervals.length && timeOf(intervals[from]) < this.begin) {
      from++;
    }
    let left = from > 0 ? Math.max(0, x(timeOf(intervals[from - 1]))) : 0;
    let first = from === 0;
    for (let i = from; i < intervals.length; i++) {
      const right = Math.min(width, x(timeOf(intervals[i])));
      if (first) {
        left = Math.max(0, right - LEAST_CELL);
        first = false;
      }
      cells.push({ left, right: Math.max(right, left), from: i, to: i + 1 });
      left = Math.max(right, left);
    }
    return shared(cells, intervals, tail ? { left, right: width } : null);
  }

  ticks(width) {
    const steps = [1e3, 5e3, 15e3, 6e4, 3e5, 9e5, 36e5, 108e5, 432e5, 864e5, 6048e5];
    const step = steps.find(one => ((this.end - this.begin) / one) * 90 < width) || 2592e6;
    const ticks = [];
    for (let time = Math.ceil(this.begin / step) * step; time < this.end; time += step) {
      ticks.push({ left: ((time - this.begin) / (this.end - this.begin)) * width, text: step < 864e5 ? clock(time) : clock(time, true).slice(0, 10) });
    }
    return ticks;
  }
}

/** Sets out cells one after the other, in the order of the log; the longest row has most of them. */
class OrderScale {
  constructor(most) {
    this.most = Math.max(1, most);
  }

  cells(intervals, width, tail) {
    const room = width - LEAST_CELL * 2;
    const each = Math.min(WIDEST_CELL, room / this.most);
    const cells = intervals.map((interval, i) => ({ left: i * each, right: (i + 1) * each, from: i, to: i + 1 }));
    const end = intervals.length * each;
    return shared(cells, intervals, tail ? { left: end, right: Math.min(width, end + Math.max(each, LEAST_CELL * 2)) } : null);
  }

  ticks() {
    return [{ left: 0, text: "Intervals in the order of the log" }];
  }
}

function shared(cells, intervals, tail) {
  const joined = [];
  let last = null;
  for (const cell of cells) {
    if (last && (last.right - last.left < LEAST_CELL || cell.right - cell.left < 1)) {
      last.right = Math.max(last.right, cell.right);
      last.to = cell.to;
    } else {
      last = { ...cell };
      joined.push(last);
    }
  }
  for (const cell of joined) {
    cell.state = intervals.slice(cell.from, cell.to).reduce((state, interval) => worse(state, interval.state), "verified");
  }
  if (tail && tail.right - tail.left > 1) {
    joined.push({ ...tail, from: intervals.length, to: intervals.length, state: "open" });
  }
  return joined;
}

/** The interval that a cell is opened for: the worst, of several the first. */
function worstOf(cell, intervals) {
  const own = intervals.slice(cell.from, cell.to);
  return own.find(interval => interval.state === cell.state) || null;
}

let colours = null;

function readColours() {
  const style = getComputedStyle(document.documentElement);
  colours = {};
  for (const name of ["verified", "violated", "inconclusive", "open", "on-mark", "ink", "focus", "line"]) {
    colours[name] = style.getPropertyValue("--" + name).trim();
  }
}

/** Draws cells; the shape shows the state as well as the colour does. */
function drawCells(canvas, width, height, cells, selected) {
  const dots = Math.max(window.devicePixelRatio || 1, 1);
  if (canvas.width !== Math.round(width * dots) || canvas.height !== Math.round(height * dots)) {
    canvas.width = Math.round(width * dots);
    canvas.height = Math.round(height * dots);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(dots, 0, 0, dots, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.strokeStyle = colours.line;
  pen.beginPath();
  pen.moveTo(0, Math.round(height / 2) + 0.5);
  pen.lineTo(width, Math.round(height / 2) + 0.5);
  pen.stroke();
  for (const cell of cells) {
    const gap = cell.right - cell.left > 4 ? 1 : 0;
    const box = { x: cell.left + gap / 2, w: Math.max(2, cell.right - cell.left - gap) };
    SHAPES[cell.state](pen, box, height);
    if (cell === selected) {
      pen.strokeStyle = colours.focus;
      pen.lineWidth = 2;
      pen.strokeRect(box.x - 1, 1, box.w + 2, height - 2);
      pen.lineWidth = 1;
    }
  }
}

const SHAPES = {
  verified(pen, { x, w }, height) {
    pen.fillStyle = colours.verified;
    block(pen, x, height / 2 - 6, w, 12, 2);
    pen.fill();
  },
  violated(pen, { x, w }, height) {
    pen.fillStyle = colours.violated;
    block(pen, x, 3, w, height - 6, 2);
    pen.fill();
    const arm = Math.min(4, w / 2 - 1);
    if (arm >= 2) {
      pen.strokeStyle = colours["on-mark"];
      pen.lineWidth = 1.6;
      pen.beginPath();
      for (const slope of [1, -1]) {
        pen.moveTo(x + w / 2 - arm, height / 2 - slope * arm);
        pen.lineTo(x + w / 2 + arm, height / 2 + slope * arm);
      }
      pen.stroke();
      pen.lineWidth = 1;
    }
  },
  inconclusive(pen, { x, w }, height) {
    const top = height / 2 - 6;
    pen.strokeStyle = colours.inconclusive;
    pen.save();
    block(pen, x + 0.5, top + 0.5, Math.max(1, w - 1), 11, 2);
    pen.stroke();
    pen.clip();
    pen.beginPath();
    for (let from = x - 12; from < x + w; from += 4) {
      pen.moveTo(from, top + 12);
      pen.lineTo(from + 12, top);
    }
    pen.stroke();
    pen.restore();
  },
  open(pen, { x, w }, height) {
    pen.strokeStyle = colours.open;
    pen.setLineDash([3, 2]);
    block(pen, x + 0.5, height / 2 - 5.5, Math.max(1, w - 1), 11, 2);
    pen.stroke();
    pen.setLineDash([]);
  },
};

function block(pen, x, y, w, h, radius) {
  pen.beginPath();
  pen.roundRect(x, y, w, h, Math.min(radius, w / 2));
}
