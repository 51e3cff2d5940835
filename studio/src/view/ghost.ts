// The ghost of a brush: outlines in pixels of the view. The page draws them over the canvas, so that they follow the
// hand however long a frame of the land takes.
import type { PathPoint, Point } from '../brush/shape';

/** A place of the view's metres in pixels; null behind the eye. */
export type Project = (p: Point) => [number, number] | null;
/** Where the surface is above or below a place; null where it is unknown. */
export type Drape = (p: Point) => Point;

const subtract = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Point, b: Point): Point => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Point): Point => {
  const size = Math.hypot(...a) || 1;
  return [a[0] / size, a[1] / size, a[2] / size];
};
const plus = (a: Point, b: Point, by: number): Point => [a[0] + by * b[0], a[1] + by * b[1], a[2] + by * b[2]];

export function outline(points: readonly Point[], project: Project, closed: boolean): string {
  let text = '';
  let pen = 'M';
  for (const p of points) {
    const at = project(p);
    if (!at) {
      pen = 'M';
      continue;
    }
    text += `${pen}${at[0].toFixed(1)} ${at[1].toFixed(1)}`;
    pen = 'L';
  }
  return closed && text ? `${text}Z` : text;
}

/** A circle in the plane across `up`. */
export function circle(centre: Point, up: Point, radius: number, drape: Drape | null, parts = 72): Point[] {
  const right = unit(Math.abs(up[2]) > 0.999 ? [1, 0, 0] : cross([0, 0, 1], up));
  const ahead = cross(up, right);
  return Array.from({ length: parts }, (_, k) => {
    const a = (2 * Math.PI * k) / parts;
    const p = plus(plus(centre, right, radius * Math.cos(a)), ahead, radius * Math.sin(a));
    return drape ? drape(p) : p;
  });
}

interface Section {
  at: Point;
  side: Point;
  half: number;
}

/** Cross-sections of a band of that radius along a path, with round ends. `across` gives the band's sideways direction. */
function sections(path: readonly PathPoint[], radius: number, across: (along: Point) => Point): Section[] {
  const points = path.map((p): Point => [p[0], p[1], p[2]]);
  const ways = points.map((_, k): Point => unit(subtract(points[Math.min(k + 1, points.length - 1)]!, points[Math.max(k - 1, 0)]!)));
  if (points.length === 1) ways[0] = [1, 0, 0];
  const caps = [1, 0.92, 0.7, 0.38];
  const cap = (at: Point, way: Point, sign: number) =>
    caps.map((share): Section => ({ at: plus(at, way, sign * radius * share), side: across(way), half: radius * Math.sqrt(Math.max(0, 1 - share * share)) }));
  const width = (k: number) => radius * Math.max(path[k]?.[3] ?? 1, 0.15);
  return [
    ...cap(points[0]!, ways[0]!, -1),
    ...points.map((at, k): Section => ({ at, side: across(ways[k]!), half: width(k) })),
    ...cap(points.at(-1)!, ways.at(-1)!, 1).reverse(),
  ];
}

/** The ground that a stroke covers, as quads that are all wound alike, so that where they overlap nothing is darker. */
export function band(path: readonly PathPoint[], radius: number, eye: Point, drape: Drape | null, project: Project): string {
  if (path.length === 0) return '';
  const across = (way: Point): Point => (drape ? unit([-way[1], way[0], 0]) : unit(cross(way, subtract(eye, [path[0]![0], path[0]![1], path[0]![2]]))));
  const parts = drape ? [-1, -0.5, 0, 0.5, 1] : [-1, 1];
  const rows = sections(path, radius, across).map(({ at, side, half }) =>
    parts.map((share) => {
      const p = plus(at, side, share * half);
      return project(drape ? drape(p) : p);
    }));
  let text = '';
  for (let k = 1; k < rows.length; ++k)
    for (let n = 1; n < parts.length; ++n) {
      const quad = [rows[k - 1]![n - 1], rows[k - 1]![n], rows[k]![n], rows[k]![n - 1]];
      if (!quad.every((corner) => corner !== null && corner !== undefined)) continue;
      const corners = quad as [number, number][];
      const area = corners.reduce((sum, [x, y], c) => sum + x * corners[(c + 1) % 4]![1] - corners[(c + 1) % 4]![0] * y, 0);
      if (area < 0) corners.reverse();
      text += `M${corners.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
    }
  return text;
}
