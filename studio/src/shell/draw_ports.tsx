// Ports of a node that take lines: a click, and the hand draws them on the land.
import { firstTarget, meanings } from '../brush/ports';
import { drawLines } from '../page/brushes';
import { useStudio } from '../page/store';
import type { Operator, RecipeNode } from '../protocol/messages';
import { Icon } from './icons';

export function DrawPorts({ node, operator }: { node: RecipeNode; operator: Operator | undefined }) {
  const line = useStudio((s) => (s.tool === 'brush' ? s.brush.line : null));
  const ports = (operator?.inputs ?? []).filter(({ type }) => type === 'lines');
  if (ports.length === 0) return null;
  return (
    <p className="draw">
      {ports.map(({ name }) => (
        <button
          key={name} type="button" aria-pressed={line?.node === node.name && line.port === name} title={`Draw ${meanings(name).map(({ label }) => label).join(', ') || 'lines, areas or points'} for the port ${name}`}
          onClick={() => drawLines(firstTarget(node.name, name))}
        ><Icon name="pen" />Draw {name}</button>
      ))}
    </p>
  );
}
