// What the hand drew, and the line that a brush makes of it. Points are metres of the world; a fourth number is the
// pressure of a pen, from 0 to 1. No drawing and no page here: the worker draws with it, the page sends with it.

export type Point = [number, number, number];
/** East, north, up, and perhaps pressure. */
export type PathPoint = [number, number, number] | [number, number, number, number];

/** How a path becomes a stroke. */
export type Form =
  | { form: 'path' }
  | { form: 'ramp' }
  | { form: 'arch'; rise: number; sunk: number }
  | { form: 'cave'; depth: number; mouths: Mouths; sink: Sink }
  | { form: 'line' }
  | { form: 'area' }
  | { form: 'points' };
export type Mouths = 'start' | 'both' | 'none';
/** Which way a cave leaves the surface: straight down, or away from the eye, into a cliff. */
export type Sink = 'down' | 'ahead';

export const mostPoints = 4096;

const distance = (a: readonly number[], b: readonly number[]): number => Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
const tidy = (v: number): number => Number(v.toFixed(3));

/** How far a point lies from the straight line between two others; a step in pressure counts as `reach` metres. */
function deviation(p: PathPoint, a: PathPoint, b: PathPoint, reach: number): number {
  const along = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const length2 = along[0]! ** 2 + along[1]! ** 2 + along[2]! ** 2;
  const dot = (p[0] - a[0]) * along[0]! + (p[1] - a[1]) * along[1]! + (p[2] - a[2]) * along[2]!;
  const t = length2 > 0 ? Math.min(Math.max(dot / length2, 0), 1) : 0;
  const off = Math.hypot(p[0] - a[0] - t * along[0]!, p[1] - a[1] - t * along[1]!, p[2] - a[2] - t * along[2]!);
  const between = (a[3] ?? 1) + t * ((b[3] ?? 1) - (a[3] ?? 1));
  return Math.max(off, Math.abs((p[3] ?? 1) - between) * reach);
}

/** Leaves out points that lie within `tolerance` of what is left (Douglas and Peucker 1973). */
export function simplify(points: readonly PathPoint[], tolerance: number): PathPoint[] {
  if (points.length < 3) return [...points];
  const kept = new Uint8Array(points.length);
  kept[0] = kept[points.length - 1] = 1;
  const spans: [number, number][] = [[0, points.length - 1]];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [first, last] = span;
    let most = tolerance;
    let at = -1;
    for (let k = first + 1; k < last; ++k) {
      const off = deviation(points[k]!, points[first]!, points[last]!, 8 * tolerance);
      if (off > most) [most, at] = [off, k];
    }
    if (at < 0) continue;
    kept[at] = 1;
    spans.push([first, at], [at, last]);
  }
  return points.filter((_, k) => kept[k] === 1);
}

/** At most so many points, however long the hand drew. */
export function within(points: readonly PathPoint[], tolerance: number, most: number): PathPoint[] {
  let left = simplify(points, tolerance);
  for (let wider = 2 * tolerance; left.length > most; wider *= 2) left = simplify(points, Math.max(wider, 1e-3));
  return left;
}

/** Lengths along a path up to each of its points. */
function along(points: readonly PathPoint[]): number[] {
  const out = [0];
  for (let k = 1; k < points.length; ++k) out.push(out[k - 1]! + distance(points[k - 1]!, points[k]!));
  return out;
}

/** A bow from the first point to the last, whose feet stand `sunk` below the surface. */
function arch(points: readonly PathPoint[], rise: number, sunk: number): PathPoint[] {
  const a = points[0]!;
  const b = points.at(-1)!;
  const steps = 16;
  return Array.from({ length: steps + 1 }, (_, k): PathPoint => {
    const t = k / steps;
    const up = 4 * t * (1 - t);
    return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2]) - sunk + up * (rise + sunk)];
  });
}

/** The path, sunk to `depth` below the surface but for its mouths. */
function cave(points: readonly PathPoint[], depth: number, mouths: Mouths, sink: Sink, ahead: Point): PathPoint[] {
  const far = along(points);
  const whole = far.at(-1)!;
  const slope = Math.min(1.5 * depth, whole / (mouths === 'both' ? 2 : 1)) || 1;
  const towards: Point = sink === 'down' ? [0, 0, -1] : ahead;
  return points.map((p, k): PathPoint => {
    const start = mouths === 'none' ? 1 : Math.min(far[k]! / slope, 1);
    const end = mouths === 'both' ? Math.min((whole - far[k]!) / slope, 1) : 1;
    const by = depth * Math.min(start, end);
    return [p[0] + towards[0] * by, p[1] + towards[1] * by, p[2] + towards[2] * by];
  });
}

/** The heights from the first point's to the last's, evenly: a road or a dam. */
function ramp(points: readonly PathPoint[]): PathPoint[] {
  const flat = along(points.map(([x, y]): PathPoint => [x, y, 0]));
  const whole = flat.at(-1)! || 1;
  const [low, high] = [points[0]![2], points.at(-1)![2]];
  return points.map((p, k): PathPoint => {
    const z = low + ((high - low) * flat[k]!) / whole;
    return p.length === 4 ? [p[0], p[1], z, p[3]] : [p[0], p[1], z];
  });
}

/** The curve of a brush through what the hand drew; `ahead` is where the eye looks. */
export function shaped(points: readonly PathPoint[], form: Form, ahead: Point): PathPoint[] {
  if (points.length < 2) {
    const p = points[0];
    if (!p || form.form !== 'cave' || form.mouths !== 'none') return [...points];
    return cave(points, form.depth, 'none', form.sink, ahead);
  }
  switch (form.form) {
    case 'arch':
      return arch(points, form.rise, form.sunk);
    case 'cave':
      return cave(points, form.depth, form.mouths, form.sink, ahead);
    case 'ramp':
      return ramp(points);
    default:
      return [...points];
  }
}

/** What is sent of a path: simplified to about an eighth of the radius, shaped, in millimetres. */
export function strokeLine(points: readonly PathPoint[], form: Form, radius: number, ahead: Point): number[][] {
  const drawn = form.form === 'points' ? [...points] : within(points, radius / 8, mostPoints);
  // A cave needs points where it bends down, whatever its path does.
  const even = form.form === 'cave' ? resampled(drawn, Math.max(radius, form.depth / 4), 256) : drawn;
  return shaped(even, form, ahead).map((p) => p.map(tidy));
}

/** Points at even distances, its corners included; at most about `most` of them. */
export function resampled(points: readonly PathPoint[], step: number, most: number): PathPoint[] {
  const whole = along(points).at(-1) ?? 0;
  const spacing = Math.max(step, whole / most, 1e-6);
  const out: PathPoint[] = points.slice(0, 1);
  for (let k = 1; k < points.length; ++k) {
    const [a, b] = [points[k - 1]!, points[k]!];
    const parts = Math.max(1, Math.ceil(distance(a, b) / spacing));
    for (let n = 1; n <= parts; ++n) {
      const t = n / parts;
      const at: Point = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
      const pressure = b[3] ?? a[3];
      out.push(pressure === undefined ? at : [...at, (a[3] ?? pressure) + t * ((b[3] ?? pressure) - (a[3] ?? pressure))]);
    }
  }
  return out;
}
