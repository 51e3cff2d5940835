// What is done to the graph. Each is one step of the recipe's history.
import { order } from '../page/session';
import { change, now } from '../page/store';
import type { Json, NodeGroup, Operator } from '../protocol/messages';
import { show } from '../page/acts';
import type { Graph, Where, Wire } from './fit';
import { referred } from './fit';
import type { Spot } from './layout';

const place = (spot: Spot): [number, number] => [Math.round(spot.x), Math.round(spot.y)];

/** Where a new node stands, and all others as they are seen. */
export interface Stand {
  at: Spot;
  others: Map<string, Spot>;
}

// Names such as __proto__ are names like others.
const placesOf = (spots: Map<string, Spot>) => Object.fromEntries([...spots].map(([name, spot]) => [name, place(spot)]));

/** Adds an operator; answers the new node's name, or null where it was refused. */
export async function add(operator: Operator, where: Where, graph: Graph, stand: Stand | null): Promise<string | null> {
  const request: { do: string; [key: string]: Json } = { do: 'add', op: operator.name };
  const after = where.at === 'from' ? where.node : where.at === 'free' ? where.after : null;
  const kind = after === null ? undefined : graph.kind(after);
  const port = operator.inputs.find(({ type }) => type === kind);
  if (after !== null && port) request.inputs = { [port.name]: after };
  if (where.at === 'into') request.onto = { node: where.node, port: where.port, ...(where.index === null ? {} : { index: where.index }) };
  if (where.at === 'wire') request.onto = end(where.wire);
  if (stand) {
    request.at = place(stand.at);
    request.places = placesOf(stand.others);
  }
  const answer = await order<{ node: string }>(request);
  if (answer) change({ selected: answer.node });
  return answer?.node ?? null;
}

const end = (wire: Wire): { [key: string]: Json } =>
  ({ node: wire.node, port: wire.port, ...(wire.index === null ? {} : { index: wire.index }) });

export const connect = (node: string, port: string, from: string | null, index: number | null = null): Promise<unknown> =>
  order({ do: 'connect', node, port, from, ...(index === null ? {} : { index }) });

export const disconnect = (wire: Wire): Promise<unknown> => connect(wire.node, wire.port, null, wire.index);

export const insert = (node: string, wire: Wire): Promise<unknown> => order({ do: 'insert', node, onto: end(wire) });

export async function remove(nodes: string[]): Promise<void> {
  if (nodes.length > 0) await order({ do: 'remove', nodes });
}

/** Answers the names of the copies. */
export async function duplicate(nodes: string[]): Promise<string[]> {
  if (nodes.length === 0) return [];
  const answer = await order<{ nodes: string[] }>({ do: 'duplicate', nodes });
  return answer?.nodes ?? [];
}

export async function rename(node: string, name: string): Promise<void> {
  if (name === node || name === '') return;
  const was = now().selected;
  const answer = await order({ do: 'rename', node, name });
  if (answer && was === node) change({ selected: name });
}

const colours = ['#c98a4b', '#5f9ea0', '#8f7fc0', '#7fa650', '#c06c84', '#b0a35a'];

/** A frame around nodes; answers its name. */
export async function group(nodes: string[]): Promise<string | null> {
  if (nodes.length === 0) return null;
  const groups = now().recipe?.ui?.groups ?? [];
  let count = groups.length + 1;
  while (groups.some(({ name }) => name === `Group ${count}`)) ++count;
  const name = `Group ${count}`;
  const answer = await order({ do: 'group', name, nodes, colour: colours[groups.length % colours.length] ?? null });
  return answer ? name : null;
}

export const regroup = (groups: NodeGroup, part: { name?: string; nodes?: string[]; colour?: string }): Promise<unknown> =>
  order({ do: 'group', name: part.name ?? groups.name, was: groups.name, nodes: part.nodes ?? groups.nodes, ...(part.colour ? { colour: part.colour } : {}) });

/** Puts a node into the group of that name, which may be new; into none if the name is empty. */
export async function putInto(node: string, name: string): Promise<void> {
  const groups = now().recipe?.ui?.groups ?? [];
  const old = groups.find((one) => one.nodes.includes(node));
  if ((old?.name ?? '') === name) return;
  if (name === '') await (old && order({ do: 'group', name: old.name, nodes: old.nodes.filter((other) => other !== node) }));
  else await order({ do: 'group', name, nodes: [...(groups.find((one) => one.name === name)?.nodes ?? []), node] });
}

export async function placeNodes(spots: Map<string, Spot>): Promise<void> {
  if (spots.size > 0) await order({ do: 'place', at: placesOf(spots) });
}

/** Shows a node in the view, if it can be computed. */
export function look(node: string): void {
  show(node);
}

/** Whether nothing is wired to a node, so that it may be dropped on a wire. */
export const isLoose = (graph: Graph, node: string): boolean =>
  !graph.wires.some((wire) => wire.node === node || referred(wire.from) === node);
