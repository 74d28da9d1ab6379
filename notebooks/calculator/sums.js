// The sums of dpcalc.worst.on_circle, of its tables, pool by pool.
//
// Its bounds (proof notes, 9.6, 9.7 and 9.12 to 9.14) trust nothing but +, -, * and / of IEEE doubles rounded to
// nearest, in any order; JavaScript has no others. No function of Math is used but for whole numbers and comparisons.

const FAR = 690, UNIT = 2 ** -53, SPARE = 1 + 1e-9, LEAST = 2 ** -1000, MOVES = 6;
const LOG2_E = 1.4426950408889634, LN2_HEAD = 0.6931471803691238, LN2_REST = 1.9082149292705877e-10;
const TAYLOR = [1];
for (let i = 1, product = 1; i < 17; i++) TAYLOR.push(1 / (product *= i));
const scale = new Float64Array(1), halves = new Uint32Array(scale.buffer); // little-endian, as WebAssembly's memory

// Proof notes, 9.7: x = i log 2 + f, a polynomial in f, and a shift by i bits.
function exp(x) {
  if (x > FAR) return Infinity;
  if (x < -FAR) x = -FAR;
  const i = Math.round(x * LOG2_E), f = x - i * LN2_HEAD - i * LN2_REST;
  let total = 1, power = 1;
  for (let n = 1; n < 17; n++) total += TAYLOR[n] * (power *= f);
  halves[1] = (i + 1023) << 20;
  return total * scale[0];
}

// pools: a, b and the first t of each. Lower and upper end of delta of each.
export function deltas(squares, roots, weights, errors, forms, alone, pools) {
  const [k, points, rights, constant, rest, restError, frontError, aliasError, covered] = alone;
  const kept = weights.length / 10, count = forms.length / 4, found = new Float64Array(pools.length / 3 * 2);
  const re = new Float64Array(kept), im = new Float64Array(kept), low = new Float64Array(5), high = new Float64Array(5);
  const logs = new Float64Array(count);

  function power(exponent, base) {
    for (let i = 0; exponent > 0; i++, exponent = Math.floor(exponent / 2)) {
      if (exponent % 2 === 0) continue;
      for (let j = 0, at = 4 * kept * i + base; j < kept; j++, at += 2) {
        const x = re[j] * squares[at] - im[j] * squares[at + 1];
        im[j] = re[j] * squares[at + 1] + im[j] * squares[at];
        re[j] = x;
      }
    }
  }

  function least(from, to) {
    let log = Infinity;
    for (let i = from; i < to; i++) log = Math.min(log, logs[i]);
    return exp(log) * (1 + aliasError);
  }

  // The two ends of delta, and in which direction t should move.
  function delta(a, b, t, place) {
    for (let j = 0; j < kept; j++) {
      const at = 2 * ((t * j) % points);
      re[j] = roots[at];
      im[j] = roots[at + 1];
    }
    power(a, 0);
    power(b, 2 * kept);
    for (let i = 0; i < count; i++) {
      logs[i] = forms[4 * i] * a + forms[4 * i + 1] * b + forms[4 * i + 2] * t + forms[4 * i + 3];
    }
    const front = exp(logs[0]), alias = rest ? exp(constant - logs[0]) * rest : 0;
    let bound = 0;
    if (covered || t <= a + b + k + 1 - points) bound += least(1, 1 + rights);
    if (t >= points - 2) bound += least(1 + rights, count);
    for (let e = 0; e < 5; e++) {
      let value = 0, error = errors[e] * SPARE + bound;
      for (let j = 0, at = 2 * kept * e; j < kept; j++, at += 2) value += re[j] * weights[at] - im[j] * weights[at + 1];
      if (e === 0) { value += alias; error += alias * restError; }
      low[e] = value - error;
      high[e] = value + error;
    }
    const size = Math.abs(high[0]) + 2 * (high[0] - low[0]);
    let rise = Math.max(high[3], -low[2], 0);
    const slack = 8 * UNIT * (size + rise);
    const upper = Math.max(high[0] + rise + slack, 0) * (front * (1 + frontError));
    rise = Math.max(low[3], -high[2], 0);
    const lower = Math.max((low[0] + rise - slack) * ((logs[0] < -FAR ? 0 : front) * (1 - frontError)), 0);
    const start = t <= 1, end = t >= a + b + k - 2;
    const settled = (low[1] > 0 || start) && (high[4] < 0 || end);
    found[place] = lower >= LEAST && lower < 1 ? lower : 0;
    found[place + 1] = settled && upper < 1 ? Math.max(upper, LEAST) : 1;
    return settled ? 0 : (low[4] > 0 && !end ? 1 : 0) - (high[1] < 0 && !start ? 1 : 0);
  }

  for (let i = 0; 3 * i < pools.length; i++) {
    const a = pools[3 * i], b = pools[3 * i + 1];
    for (let t = pools[3 * i + 2], moves = 0, move = 1; move && moves <= MOVES; moves++) {
      move = delta(a, b, t, 2 * i);
      t = Math.min(Math.max(t + 2 * move, 0), a + b + k - 1);
    }
  }
  return found;
}
