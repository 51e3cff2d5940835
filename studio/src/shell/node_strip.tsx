// One line a node: its picture, its time, how far it is, what is wrong with it.
import { select } from '../page/acts';
import { useStudio } from '../page/store';
import type { NodeReport, Problem, RecipeNode } from '../protocol/messages';
import { show } from '../panels/units';
import { Thumbnail } from './thumbnail';

function errorText(error: Problem | string | null | undefined): string | null {
  if (!error) return null;
  return typeof error === 'string' ? error : error.hint ? `${error.message} ${error.hint}` : error.message;
}

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

function Node({ node }: { node: RecipeNode }) {
  const report = useStudio((s) => s.reports.get(node.name));
  const picture = useStudio((s) => s.thumbnails.get(node.name));
  const selected = useStudio((s) => s.selected === node.name);
  const shown = useStudio((s) => s.recipe?.shown.node === node.name);
  const error = errorText(report?.error);
  const generation = useStudio((s) => s.generation);
  const state = !report ? 'waiting' : report.generation < generation && report.state !== 'failed' ? 'stale' : report.state;
  const fraction = report?.state === 'working' ? report.fraction ?? 0 : 0;
  return (
    <li>
      <button
        type="button" className={`node ${state}${selected ? ' selected' : ''}`} aria-pressed={selected}
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
  return (
    <section className="nodes" aria-label="Nodes">
      <ol>{(nodes ?? []).map((node) => <Node key={node.name} node={node} />)}</ol>
    </section>
  );
}
