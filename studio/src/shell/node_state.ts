// What is known of a node's work, in words and states.
import { useStudio } from '../page/store';
import { type NodeReport, sentence } from '../protocol/messages';
import { show } from '../panels/units';

export interface NodeFacts {
  state: 'waiting' | 'working' | 'done' | 'failed' | 'stale' | 'unfinished';
  time: string;
  fraction: number;
  /** What is wrong with it. */
  error: string | null;
  warning: string | null;
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

export function useNodeFacts(node: string): NodeFacts {
  const report = useStudio((s) => s.reports.get(node));
  const generation = useStudio((s) => s.generation);
  const lacks = useStudio((s) => s.recipe?.unfinished?.find((problem) => problem.path?.split('.')[0] === node));
  if (lacks) return { state: 'unfinished', time: '', fraction: 0, error: sentence(lacks), warning: null };
  return {
    state: !report ? 'waiting' : report.generation < generation && report.state !== 'failed' ? 'stale' : report.state,
    time: time(report),
    fraction: report?.state === 'working' ? report.fraction ?? 0 : 0,
    error: report?.error ? sentence(report.error) : null,
    warning: report?.warning ?? null,
  };
}
