// Ports of a node that take lines: a click, and the hand draws them on the land.
import type { LineTarget } from '../brush/brushing';
import { drawLines } from '../page/brushes';
import { useStudio } from '../page/store';
import type { Operator, RecipeNode } from '../protocol/messages';
import { Icon } from './icons';

const areas = new Set(['region', 'outline']);
const points = new Set(['places', 'sinks', 'springs', 'points', 'inflow']);

/** What is usually drawn for a port of that name; the card has the other kinds. */
function usual(port: string): LineTarget['form'] {
  return areas.has(port) ? 'area' : points.has(port) ? 'points' : 'line';
}

export function DrawPorts({ node, operator }: { node: RecipeNode; operator: Operator | undefined }) {
  const line = useStudio((s) => (s.tool === 'brush' ? s.brush.line : null));
  const ports = (operator?.inputs ?? []).filter(({ type }) => type === 'lines');
  if (ports.length === 0) return null;
  return (
    <p className="draw">
      {ports.map(({ name }) => (
        <button
          key={name} type="button" aria-pressed={line?.node === node.name && line.port === name} title={`Draw lines, areas or points for the port ${name}`}
          onClick={() => drawLines({ node: node.name, port: name, form: usual(name) })}
        ><Icon name="pen" />Draw {name}</button>
      ))}
    </p>
  );
}
