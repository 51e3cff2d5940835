// Where nodes stand that the recipe gives no place.
import { Graph as Drawing, layout } from '@dagrejs/dagre';
import type { Graph } from './fit';
import { referred } from './fit';

export type Spot = { x: number; y: number };
export const cardWidth = 184;
export const cardHeight = (ports: number): number => 48 + (ports > 1 ? ports * 16 + 4 : 0);
const between = { x: 56, y: 22 };

/** All nodes from left to right, those that feed before those that are fed. */
export function tidy(graph: Graph, names: Iterable<string>): Map<string, Spot> {
  const drawing = new Drawing({ multigraph: true });
  drawing.setGraph({ rankdir: 'LR', nodesep: between.y, ranksep: between.x });
  drawing.setDefaultEdgeLabel(() => ({}));
  const chosen = new Set(names);
  for (const name of chosen) drawing.setNode(name, { width: cardWidth, height: cardHeight(graph.ports(name).length) });
  for (const wire of graph.wires) {
    const from = referred(wire.from);
    if (chosen.has(from) && chosen.has(wire.node)) drawing.setEdge(from, wire.node, {}, wire.id);
  }
  layout(drawing);
  const spots = new Map<string, Spot>();
  for (const name of chosen) {
    const { x, y, height } = drawing.node(name) as { x: number; y: number; height: number };
    spots.set(name, { x: Math.round(x - cardWidth / 2), y: Math.round(y - height / 2) });
  }
  return spots;
}

/** A free place near a wanted one. */
export function freeSpot(wanted: Spot, taken: Iterable<Spot>): Spot {
  const spots = [...taken];
  let spot = wanted;
  for (let k = 0; k < 60 && spots.some((s) => Math.abs(s.x - spot.x) < cardWidth + 8 && Math.abs(s.y - spot.y) < 70); ++k)
    spot = { x: spot.x, y: spot.y + 40 };
  return spot;
}

/** Every node's place: the recipe's, or one that goes with it. */
export function places(graph: Graph): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  const given = new Map(Object.entries(graph.recipe.ui?.at ?? {}));
  for (const name of graph.nodes.keys()) {
    const at = given.get(name);
    if (at) spots.set(name, { x: at[0], y: at[1] });
  }
  const left = [...graph.nodes.keys()].filter((name) => !spots.has(name));
  if (spots.size === 0) return tidy(graph, left);
  // A few that are new: beside what feeds them, or what they feed.
  for (const name of left) {
    const before = graph.wires.filter((w) => w.node === name).map((w) => spots.get(referred(w.from))).find((s) => s);
    const after = graph.wires.filter((w) => referred(w.from) === name).map((w) => spots.get(w.node)).find((s) => s);
    const corner = { x: Math.min(...[...spots.values()].map((s) => s.x)), y: Math.max(...[...spots.values()].map((s) => s.y)) + 90 };
    const step = cardWidth + between.x;
    const wanted = before && after ? { x: (before.x + after.x) / 2, y: (before.y + after.y) / 2 + 30 } : before ? { x: before.x + step, y: before.y } : after ? { x: after.x - step, y: after.y } : corner;
    spots.set(name, freeSpot(wanted, spots.values()));
  }
  return spots;
}

/** Where a new node stands on a wire, and the others with what follows moved on to make room for it. */
export function roomOn(from: string, node: string, spots: Map<string, Spot>): { at: Spot; others: Map<string, Spot> } {
  const a = spots.get(from) ?? { x: 0, y: 0 }, b = spots.get(node) ?? a;
  const step = cardWidth + between.x;
  const by = Math.max(0, 2 * step - (b.x - a.x));
  const others = new Map([...spots].map(([name, spot]): [string, Spot] => [name, name !== from && spot.x >= b.x - 1 ? { x: spot.x + by, y: spot.y } : spot]));
  if (b.x < a.x) return { at: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, others: spots };
  return { at: { x: a.x + (b.x + by - a.x) / 2, y: (a.y + b.y) / 2 }, others };
}
