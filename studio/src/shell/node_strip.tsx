// One line a node: its picture, its time, how far it is, what is wrong with it.
import { select } from '../page/acts';
import { useStudio } from '../page/store';
import { type NodeReport, type RecipeNode, sentence } from '../protocol/messages';
import { show } from '../panels/units';
import { rove } from './roving';
import { Thumbnail } from './thumbnail';

function time(report: NodeReport | undefined): string {
  if (!report) return '';
  if (report.state === 'waiting') return 'waits';
  if (report.state === 'working') return report.fraction ? `${Math.round(report.fraction * 100)} %` : '\u2026';
  if (report.state === 'failed') return 'failed';
  const ms = report.milliseconds;
  if (report.cached) return 'kept';
  if (ms === null || ms === undefined) return '';
  return ms >= 1000 ? `${show(ms / 1000, 3)} s` : `${show(ms, 2)} ms`;
}

function Node({ node, stop }: { node: RecipeNode; stop: boolean }) {
  const report = useStudio((s) => s.reports.get(node.name));
  const picture = useStudio((s) => s.thumbnails.get(node.name));
  const selected = useStudio((s) => s.selected === node.name);
  const shown = useStudio((s) => s.recipe?.shown.node === node.name);
  const error = report?.error ? sentence(report.error) : null;
  const generation = useStudio((s) => s.generation);
  const state = !report ? 'waiting' : report.generation < generation && report.state !== 'failed' ? 'stale' : report.state;
  const fraction = report?.state === 'working' ? report.fraction ?? 0 : 0;
  return (
    <li>
      <button
        type="button" className={`node ${state}${selected ? ' selected' : ''}`} aria-pressed={selected} tabIndex={stop ? 0 : -1}
        title={error ?? report?.warning ?? `${node.op}: show this node and its panel`} onClick={() => select(node.name)}
      >
        <Thumbnail picture={picture} />
        <span className="names"><b>{node.name}{shown ? <span className="eye" role="img" aria-label="shown">{'\u25c9'}</span> : null}</b><span>{error ?? node.op}</span></span>
        <span className="time">{time(report)}</span>
        <span className="bar" style={{ width: `${fraction * 100}%` }} />
      </button>
    </li>
  );
}

export function NodeStrip() {
  const nodes = useStudio((s) => s.recipe?.nodes);
  const selected = useStudio((s) => s.selected ?? s.recipe?.nodes[0]?.name);
  return (
    <section className="nodes" aria-label="Nodes">
      <ol onKeyDown={rove}>{(nodes ?? []).map((node) => <Node key={node.name} node={node} stop={node.name === selected} />)}</ol>
    </section>
  );
}
