// What may be wired to what, and why not.
import type { Operator, Recipe, RecipeNode } from '../protocol/messages';

export type Port = Operator['inputs'][number];

/** The node that a reference is to, without its stage and layer. */
export const referred = (reference: string): string => reference.split(/[.@]/)[0] ?? reference;

export interface Wire {
  id: string;
  node: string;
  port: string;
  /** Among those on a port that takes a list; null on any other port. */
  index: number | null;
  from: string;
}

/** A recipe's graph with what its operators are. */
export class Graph {
  readonly nodes: Map<string, RecipeNode>;
  readonly wires: Wire[] = [];

  constructor(readonly recipe: Recipe, private readonly operators: Map<string, Operator>) {
    this.nodes = new Map(recipe.nodes.map((node) => [node.name, node]));
    for (const node of recipe.nodes) {
      const counts = new Map<string, number>();
      for (const { port, from } of node.inputs) {
        const place = counts.get(port) ?? 0;
        counts.set(port, place + 1);
        this.wires.push({ id: `${node.name}:${port}:${place}`, node: node.name, port, index: this.port(node.name, port)?.list ? place : null, from });
      }
    }
  }

  operator(node: string): Operator | undefined {
    const known = this.nodes.get(node);
    return known && this.operators.get(known.operator ?? known.op.split('@')[0] ?? '');
  }

  ports(node: string): Port[] {
    return this.operator(node)?.inputs ?? [];
  }

  port(node: string, name: string): Port | undefined {
    return this.ports(node).find((port) => port.name === name);
  }

  wiresOn(node: string, port: string): Wire[] {
    return this.wires.filter((wire) => wire.node === node && wire.port === port);
  }

  kind(node: string): string | undefined {
    return this.operator(node)?.output;
  }

  /** Whether a node waits for another, itself included. */
  waitsFor(node: string, other: string): boolean {
    const seen = new Set<string>();
    const left = [node];
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (at === other) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      for (const { from } of this.nodes.get(at)?.inputs ?? []) left.push(referred(from));
    }
    return false;
  }

  /** Why a wire from a node cannot end at a port; null where it can. */
  whyNot(from: string, node: string, port: string): string | null {
    const type = this.port(node, port)?.type;
    const kind = this.kind(from);
    if (type === undefined || kind === undefined) return 'nothing is known of its operator';
    if (type !== kind) return `takes ${type}, but ${from} gives ${kind}`;
    return this.waitsFor(from, node) ? `${from} waits for ${node}` : null;
  }

  /** The port that a node takes a wire on when it is dropped on the node: the first open one that fits, or the first. */
  portFor(from: string, node: string): string | null {
    const fitting = this.ports(node).filter((port) => this.whyNot(from, node, port.name) === null);
    const open = fitting.find((port) => port.list || this.wiresOn(node, port.name).length === 0);
    return (open ?? fitting[0])?.name ?? null;
  }
}

/** Where a new operator is to stand. */
export type Where =
  | { at: 'free'; after: string | null }
  | { at: 'from'; node: string }
  | { at: 'into'; node: string; port: string; index: number | null }
  | { at: 'wire'; wire: Wire };

/** Whether an operator can stand there. */
export function stands(operator: Operator, where: Where, graph: Graph): boolean {
  const takes = (kind: string | undefined) => operator.inputs.some((port) => port.type === kind);
  switch (where.at) {
    case 'free':
      return true;
    case 'from':
      return takes(graph.kind(where.node));
    case 'into':
      return operator.output === graph.port(where.node, where.port)?.type;
    case 'wire':
      return takes(graph.kind(referred(where.wire.from))) && operator.output === graph.port(where.wire.node, where.wire.port)?.type;
  }
}

/** How well an operator answers the words that were typed; 0: not at all. Names count most, then the module, then what it says it does. */
export function matches(operator: Operator, words: string[]): number {
  let sum = words.length === 0 ? 1 : 0;
  const name = operator.name.replaceAll('_', ' ');
  for (const word of words) {
    const score =
      name.startsWith(word) ? 100 : ` ${name}`.includes(` ${word}`) ? 60 : name.includes(word) ? 40
      : operator.module.startsWith(word) ? 25 : operator.doc.toLowerCase().includes(word) ? 15
      : operator.params.some((p) => p.name.includes(word) || p.doc.toLowerCase().includes(word)) ? 4 : 0;
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

/** The operators that can stand there and answer the words, the best first. */
export function offered(operators: Operator[], where: Where, graph: Graph, typed: string): Operator[] {
  const words = typed.toLowerCase().split(/[\s_]+/).filter(Boolean);
  const scored = operators.filter((op) => stands(op, where, graph)).map((op) => ({ op, score: matches(op, words) }));
  const found = scored.filter(({ score }) => score > 0);
  if (words.length > 0) found.sort((a, b) => b.score - a.score || a.op.name.localeCompare(b.op.name));
  else found.sort((a, b) => a.op.module.localeCompare(b.op.module) || a.op.name.localeCompare(b.op.name));
  return found.map(({ op }) => op);
}
