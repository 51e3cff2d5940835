// What a context menu offers for a node, a wire or the ground.
import { disconnect, look, regroup, remove } from './edits';
import { type Graph, referred, type Wire } from './fit';
import type { Act } from './menu';

export interface Hand {
  addHere(): void;
  insertOn(wire: Wire): void;
  after(node: string): void;
  tidy(): void;
  fit(): void;
  copy(names: string[]): void;
  group(names: string[]): void;
  rename(id: string): void;
}

export function actsOf(graph: Graph, node: string | null, wire: Wire | null, chosen: string[], hand: Hand): Act[] {
  if (wire) {
    return [
      { label: 'Insert an operator', act: () => hand.insertOn(wire) },
      { label: `Show ${referred(wire.from)}`, act: () => look(referred(wire.from)) },
      { label: 'Take the wire off', keys: 'Delete', act: () => void disconnect(wire) },
    ];
  }
  const frame = graph.recipe.ui?.groups.find((group) => node === `frame:${group.name}`);
  if (frame) {
    return [
      { label: 'Rename the group', act: () => hand.rename(`frame:${frame.name}`) },
      { label: 'Dissolve the group', act: () => void regroup(frame, { nodes: [] }) },
    ];
  }
  if (node !== null && graph.nodes.has(node)) {
    const names = chosen.includes(node) ? chosen : [node];
    const several = names.length > 1 ? ` (${names.length})` : '';
    const inputs = graph.wires.filter((one) => one.node === node);
    return [
      { label: 'Show in the view', keys: 'V', act: () => look(node) },
      { label: 'Add after it', act: () => hand.after(node) },
      { label: 'Rename', keys: 'F2', act: () => hand.rename(node) },
      { label: `Duplicate${several}`, keys: 'Ctrl D', act: () => hand.copy(names) },
      { label: `Group${several}`, keys: 'Ctrl G', act: () => hand.group(names) },
      ...inputs.slice(0, 6).map((one) => ({ label: `Take ${one.from} off ${one.port}`, act: () => void disconnect(one) })),
      { label: `Delete${several}`, keys: 'Delete', act: () => void remove(names) },
    ];
  }
  return [
    { label: 'Add an operator', keys: 'A', act: hand.addHere },
    { label: 'Tidy up', keys: 'T', act: hand.tidy },
    { label: 'All of the graph', keys: 'F', act: hand.fit },
  ];
}
