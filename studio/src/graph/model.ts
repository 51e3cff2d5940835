// The recipe as the nodes and wires that are drawn.
import type { Edge } from '@xyflow/react';
import { useMemo } from 'react';
import { useStudio } from '../page/store';
import type { NodeGroup, Operator } from '../protocol/messages';
import type { Card, Frame } from './card';
import { Graph, referred } from './fit';
import { cardHeight, cardWidth, places, type Spot } from './layout';

export function useGraph(): Graph | null {
  const recipe = useStudio((s) => s.recipe);
  const operators = useStudio((s) => s.welcome?.operators);
  const known = useMemo(() => new Map((operators ?? []).map((op): [string, Operator] => [op.name, op])), [operators]);
  return useMemo(() => (recipe ? new Graph(recipe, known) : null), [recipe, known]);
}

export const frameId = (group: NodeGroup): string => `frame:${group.name}`;
const around = { x: 14, top: 30, bottom: 14 };

export function cards(graph: Graph, old: (Card | Frame)[], moving: ReadonlySet<string>, selected: string | null): (Card | Frame)[] {
  const spots = places(graph);
  const before = new Map(old.map((node) => [node.id, node]));
  const list: (Card | Frame)[] = [];
  for (const name of graph.nodes.keys()) {
    const was = before.get(name);
    const spot = (moving.has(name) ? was?.position : undefined) ?? spots.get(name) ?? { x: 0, y: 0 };
    spots.set(name, spot);
    const outputs = graph.nodes.get(name)?.outputs ?? [];
    list.push({ ...(was as Card | undefined), id: name, type: 'card', position: spot, data: { outputs }, selected: was?.selected ?? name === selected, zIndex: 1, ariaLabel: `${name}, ${graph.nodes.get(name)?.op ?? ''}` });
  }
  return [...frames(graph, spots, before), ...list];
}

/** Around the nodes of each group. */
function frames(graph: Graph, spots: Map<string, Spot>, before: Map<string, Card | Frame>): Frame[] {
  return (graph.recipe.ui?.groups ?? []).map((group) => {
    const boxes = group.nodes.flatMap((name) => {
      const spot = spots.get(name);
      return spot ? [{ ...spot, height: cardHeight(graph.ports(name).length) }] : [];
    });
    const left = Math.min(...boxes.map((b) => b.x)) - around.x;
    const top = Math.min(...boxes.map((b) => b.y)) - around.top;
    const width = Math.max(...boxes.map((b) => b.x + cardWidth)) + around.x - left;
    const height = Math.max(...boxes.map((b) => b.y + b.height)) + around.bottom - top;
    const was = before.get(frameId(group)) as Frame | undefined;
    return {
      ...was, id: frameId(group), type: 'frame' as const, position: { x: left, y: top }, width, height, data: { group }, zIndex: 0,
      selectable: false, connectable: false, dragHandle: '.title', focusable: false, ariaLabel: `Group ${group.name}`,
    };
  });
}

export function edges(graph: Graph, chosen: string | null): Edge[] {
  return graph.wires.flatMap((wire) => {
    const source = referred(wire.from);
    if (!graph.nodes.has(source)) return [];
    const part = wire.from.slice(source.length);
    return [{
      id: wire.id, source, sourceHandle: 'out', target: wire.node, targetHandle: wire.port, className: `k-${graph.kind(source) ?? ''}`, selected: wire.id === chosen,
      interactionWidth: 18, focusable: false, ...(part ? { label: part.replace(/^\./, '') } : {}),
    }];
  });
}
